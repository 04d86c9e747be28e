import { isUtf8 } from "node:buffer";
import { JsonError } from "./json-error.ts";

/** A request body as text. @throws JsonError when it is not UTF-8 */
export function bodyText(body: Buffer): string {
  if (!isUtf8(body)) {
    throw new JsonError("Invalid UTF-8 in the request body", 1, 1);
  }
  return body.toString("utf8");
}
