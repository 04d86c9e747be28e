import { type TextTable } from "../state/frame.ts";
import { type ExactJson, parseExactJson } from "../values/exact-json.ts";
import { cellText } from "../values/value-text.ts";
import { type GraphServer } from "./graph-server.ts";
import { listOf, objectOf, textOf } from "./read-answer.ts";

/** The server's management beans, one table each, as `:sysinfo` shows them. */
export async function readSystemTables(server: GraphServer): Promise<readonly TextTable[]> {
  const answer = await server.send("/db/manage/server/jmx/query", {
    method: "POST",
    body: JSON.stringify(["org.neo4j:*"]),
  });
  const beans = answer.status === 200 ? listOf(parseExactJson(answer.text)).map(objectOf) : [];
  return beans.map((bean) => ({
    title: /name=(.+)$/.exec(textOf(bean.get("name")))?.[1] ?? textOf(bean.get("name")),
    columns: ["Figure", "Value"],
    rows: listOf(bean.get("attributes"))
      .map(objectOf)
      .map((attribute) => [textOf(attribute.get("description")), attributeText(attribute.get("value"))]),
    whenEmpty: "Nothing to tell.",
  }));
}

function attributeText(value: ExactJson | undefined): string {
  return value === undefined || value === null || value instanceof Map || Array.isArray(value)
    ? "–"
    : cellText(value as string | number | bigint | boolean);
}
