import { type ExactJson } from "../values/exact-json.ts";
import { type ServerAnswer } from "./graph-server.ts";
import { listOf, objectOf, parseObject, textOf } from "./read-answer.ts";

/** What went wrong with a statement, as the server tells it. */
export interface StatementError {
  readonly code: string;
  readonly message: string;
  /** In UTF-16 units from the beginning of the statement, when the message says so. */
  readonly offset: number | undefined;
}

export function readErrors(value: ExactJson | undefined): readonly StatementError[] {
  return listOf(value).map((each) => {
    const error = objectOf(each);
    const message = textOf(error.get("message"));
    return { code: textOf(error.get("code")), message, offset: offsetOf(message) };
  });
}

/** The errors of an answer that should have been a success. */
export function errorsOfAnswer(answer: ServerAnswer): readonly StatementError[] {
  const errors = readErrors(parseObject(answer.text).get("errors"));
  return errors.length > 0
    ? errors
    : [{ code: `HTTP ${answer.status}`, message: "The server refused the request.", offset: undefined }];
}

/** Messages about a place end in, or contain, `(line 1, column 8 (offset: 7))`. */
function offsetOf(message: string): number | undefined {
  const offset = /\(line \d+, column \d+ \(offset: (\d+)\)\)/.exec(message)?.[1];
  return offset === undefined ? undefined : Number(offset);
}
