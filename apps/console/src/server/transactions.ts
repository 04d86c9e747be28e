import { parseExactJson } from "../values/exact-json.ts";
import { type GraphServer } from "./graph-server.ts";
import { listOf, numberOf, objectOf, textOf } from "./read-answer.ts";
import { errorsOfAnswer } from "./server-error.ts";

export interface OpenTransaction {
  readonly id: number;
  readonly user: string;
  readonly state: string;
  readonly statement: string;
  readonly startedAt: string;
}

const PATH = "/db/manage/server/transactions";

/** @throws Error with the server's message, for those who are no administrators */
export async function readTransactions(server: GraphServer): Promise<readonly OpenTransaction[]> {
  const answer = await server.send(PATH);
  if (answer.status !== 200) {
    throw new Error(errorsOfAnswer(answer)[0]?.message ?? "");
  }
  return listOf(objectOf(parseExactJson(answer.text)).get("transactions"))
    .map(objectOf)
    .map((each) => ({
      id: numberOf(each.get("id")),
      user: textOf(each.get("user")),
      state: textOf(each.get("state")),
      statement: textOf(each.get("statement")),
      startedAt: textOf(each.get("startedAt")),
    }));
}

export async function endTransaction(server: GraphServer, id: number): Promise<void> {
  await server.send(`${PATH}/${id}`, { method: "DELETE" });
}
