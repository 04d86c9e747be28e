import { type TextTable } from "../state/frame.ts";
import { type ExactJson, parseExactJson } from "../values/exact-json.ts";
import { type GraphServer } from "./graph-server.ts";
import { listOf, objectOf, textOf } from "./read-answer.ts";

/** Indexes and constraints, from the addresses every language mode has. */
export async function readSchemaTables(server: GraphServer): Promise<readonly TextTable[]> {
  const [indexes, constraints] = await Promise.all([
    readList(server, "/db/data/schema/index"),
    readList(server, "/db/data/schema/constraint"),
  ]);
  const keys = (each: ReadonlyMap<string, ExactJson>): string =>
    listOf(each.get("property_keys")).map(textOf).join(", ");
  const owner = (each: ReadonlyMap<string, ExactJson>): string =>
    `:${textOf(each.get("label") ?? each.get("relationshipType"))}`;
  return [
    {
      title: "Indexes",
      columns: ["On", "Properties"],
      rows: indexes.map((each) => [owner(each), keys(each)]),
      whenEmpty: "No indexes.",
    },
    {
      title: "Constraints",
      columns: ["On", "Properties", "Kind"],
      rows: constraints.map((each) => [owner(each), keys(each), kindText(textOf(each.get("type")))]),
      whenEmpty: "No constraints.",
    },
  ];
}

async function readList(server: GraphServer, path: string): Promise<readonly ReadonlyMap<string, ExactJson>[]> {
  const answer = await server.send(path);
  return answer.status === 200 ? listOf(parseExactJson(answer.text)).map(objectOf) : [];
}

/** `UNIQUENESS` → `Uniqueness` */
function kindText(type: string): string {
  const words = type.toLowerCase().replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
