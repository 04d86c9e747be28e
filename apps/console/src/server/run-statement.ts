import { type ExactJson } from "../values/exact-json.ts";
import { parseExactJson } from "../values/exact-json.ts";
import { type NodeValue, type RelationshipValue, type Value } from "../values/value.ts";
import { type GraphServer } from "./graph-server.ts";
import { type Plan, readPlan } from "./plan.ts";
import { listOf, numberOf, objectOf, textOf } from "./read-answer.ts";
import { EntityReader } from "./read-values.ts";
import { errorsOfAnswer, readErrors, type StatementError } from "./server-error.ts";

export interface StatementNotification {
  readonly severity: string;
  readonly title: string;
  readonly description: string;
  readonly offset: number | undefined;
}

/** Everything one statement came to. */
export interface StatementAnswer {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Value[])[];
  /** Of all rows together, each once. */
  readonly nodes: readonly NodeValue[];
  readonly relationships: readonly RelationshipValue[];
  readonly stats: ReadonlyMap<string, number>;
  readonly plan: Plan | undefined;
  readonly notifications: readonly StatementNotification[];
  readonly errors: readonly StatementError[];
  readonly durationMs: number;
  readonly requestText: string;
  readonly responseText: string;
}

export interface StatementInput {
  readonly statement: string;
  /** JSON text of each parameter. */
  readonly parameters?: ReadonlyMap<string, string> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs one statement in a transaction of its own. `meta` tells nodes, relationships and paths from maps; what they hold
 * is in `graph`.
 *
 * @throws UnreachableError, and `AbortError` when it was cancelled: the server ends the statement then
 */
export async function runStatement(server: GraphServer, input: StatementInput): Promise<StatementAnswer> {
  const requestText = transactionBody([input]);
  const answer = await server.send(COMMIT_PATH, { method: "POST", body: requestText, signal: input.signal });
  const common = { requestText, responseText: answer.text, durationMs: answer.durationMs };
  if (answer.status !== 200) {
    return { ...NOTHING, ...common, errors: errorsOfAnswer(answer) };
  }
  const body = objectOf(parseExactJson(answer.text));
  const result = objectOf(listOf(body.get("results"))[0]);
  const reader = new EntityReader();
  const rows = listOf(result.get("data")).map((row) => reader.readRow(objectOf(row)));
  const root = objectOf(result.get("plan")).get("root");
  return {
    ...common,
    columns: listOf(result.get("columns")).map(textOf),
    rows,
    nodes: [...reader.nodes.values()],
    relationships: [...reader.relationships.values()],
    stats: readStats(result.get("stats")),
    plan: root === undefined ? undefined : readPlan(objectOf(root)),
    notifications: listOf(body.get("notifications")).map(readNotification),
    errors: readErrors(body.get("errors")),
  };
}

/** Several statements whose rows hold no entities, in one transaction: the rows of each. */
export async function runReads(
  server: GraphServer,
  statements: readonly string[],
): Promise<readonly (readonly (readonly ExactJson[])[])[]> {
  const body = JSON.stringify({ statements: statements.map((statement) => ({ statement })) });
  const answer = await server.send(COMMIT_PATH, { method: "POST", body });
  if (answer.status !== 200) {
    return [];
  }
  return listOf(objectOf(parseExactJson(answer.text)).get("results")).map((result) =>
    listOf(objectOf(result).get("data")).map((row) => listOf(objectOf(row).get("row"))),
  );
}

/** The text is put together by hand since parameters are JSON texts with all their digits. */
function transactionBody(inputs: readonly Pick<StatementInput, "statement" | "parameters">[]): string {
  const statements = inputs.map(({ statement, parameters = new Map() }) => {
    const members = [...parameters].map(([name, json]) => `${JSON.stringify(name)}:${json}`);
    return (
      `{"statement":${JSON.stringify(statement)},"parameters":{${members.join(",")}},` +
      `"resultDataContents":["row","meta","graph"],"includeStats":true}`
    );
  });
  return `{"statements":[${statements.join(",")}]}`;
}

export const COMMIT_PATH = "/db/data/transaction/commit";

const NOTHING = {
  columns: [],
  rows: [],
  nodes: [],
  relationships: [],
  stats: new Map<string, number>(),
  plan: undefined,
  notifications: [],
};

function readStats(value: ExactJson | undefined): ReadonlyMap<string, number> {
  const counts = [...objectOf(value)].filter(([name]) => name !== "contains_updates");
  return new Map(counts.map(([name, count]) => [name, numberOf(count)] as const).filter(([, count]) => count > 0));
}

function readNotification(value: ExactJson): StatementNotification {
  const notification = objectOf(value);
  const offset = objectOf(notification.get("position")).get("offset");
  return {
    severity: textOf(notification.get("severity")),
    title: textOf(notification.get("title")),
    description: textOf(notification.get("description")),
    offset: offset === undefined ? undefined : numberOf(offset),
  };
}
