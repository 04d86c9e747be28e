import { nameText } from "../values/value-text.ts";
import { type GraphServer } from "./graph-server.ts";
import { listOf, numberOf, textOf } from "./read-answer.ts";
import { parseExactJson, type ExactJson } from "../values/exact-json.ts";
import { runReads } from "./run-statement.ts";

export interface CountedName {
  readonly name: string;
  readonly count: number;
}

export interface CallableName {
  readonly name: string;
  /** Arguments and results of a procedure; empty for functions. */
  readonly signature: string;
  readonly description: string;
}

/** What the graph and its server offer by name: for the side bar and for completion. */
export interface Catalogue {
  readonly nodeCount: number;
  readonly relationshipCount: number;
  readonly labels: readonly CountedName[];
  readonly types: readonly CountedName[];
  readonly propertyKeys: readonly string[];
  readonly procedures: readonly CallableName[];
  readonly functions: readonly CallableName[];
}

export const EMPTY_CATALOGUE: Catalogue = {
  nodeCount: 0,
  relationshipCount: 0,
  labels: [],
  types: [],
  propertyKeys: [],
  procedures: [],
  functions: [],
};

/** Names come from the addresses that every language mode has; procedures only the modern one knows. */
export async function readCatalogue(server: GraphServer): Promise<Catalogue> {
  const [labels, types, keys, callables] = await Promise.all([
    readNames(server, "/db/data/labels"),
    readNames(server, "/db/data/relationship/types"),
    readNames(server, "/db/data/propertykeys"),
    readCallables(server),
  ]);
  const [nodes, relationships, ...counts] = await runReads(server, [
    "MATCH (n) RETURN count(*)",
    "MATCH ()-[r]->() RETURN count(*)",
    ...labels.map((label) => `MATCH (n:${nameText(label)}) RETURN count(*)`),
    ...types.map((type) => `MATCH ()-[r:${nameText(type)}]->() RETURN count(*)`),
  ]);
  const countAt = (rows: (typeof counts)[number] | undefined): number => numberOf(rows?.[0]?.[0]);
  const counted = (names: readonly string[], from: number): readonly CountedName[] =>
    names.map((name, index) => ({ name, count: countAt(counts[from + index]) })).filter(({ count }) => count > 0);
  return {
    nodeCount: countAt(nodes),
    relationshipCount: countAt(relationships),
    labels: counted(labels, 0),
    types: counted(types, labels.length),
    propertyKeys: keys,
    ...callables,
  };
}

async function readNames(server: GraphServer, path: string): Promise<readonly string[]> {
  const answer = await server.send(path);
  return answer.status === 200 ? listOf(parseExactJson(answer.text)).map(textOf).toSorted() : [];
}

async function readCallables(server: GraphServer): Promise<Pick<Catalogue, "procedures" | "functions">> {
  const [procedures = [], functions = []] = await runReads(server, [
    "CYPHER 5 CALL dbms.procedures() YIELD name, signature, description RETURN name, signature, description",
    "CYPHER 5 CALL dbms.functions() YIELD name, description RETURN name, '', description",
  ]);
  const read = (rows: readonly (readonly ExactJson[])[]): readonly CallableName[] =>
    rows.map(([name, signature, description]) => ({
      name: textOf(name),
      signature: textOf(signature),
      description: textOf(description),
    }));
  return { procedures: read(procedures), functions: read(functions) };
}
