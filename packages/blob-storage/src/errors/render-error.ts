import { type Answer } from "../operations/answer.ts";
import { textElement, xmlDocument } from "../xml/write-xml.ts";
import { type StorageError } from "./storage-error.ts";

/**
 * An error as the service answers it: the code in a header and, except for HEAD and "not modified", in an XML body
 * whose message ends with the request's id and the time (storage §6.1, identity-and-storage §2 and §7).
 */
export function errorAnswer(error: StorageError, requestId: string, nowMs: number, isHead: boolean): Answer {
  const headers = { ...error.headers, "~error-code": error.code };
  if (isHead || error.status === 304) {
    return { status: error.status, headers };
  }
  return { status: error.status, headers, body: { kind: "xml", text: errorDocument(error, requestId, nowMs) } };
}

/** The XML document of an error (storage §6.1). */
export function errorDocument(error: StorageError, requestId: string, nowMs: number): string {
  // Seven fractional digits, as the service writes its times.
  const time = new Date(nowMs).toISOString().replace("Z", "0000Z");
  const elements = Object.entries(error.elements).map(([name, text]) => textElement(name, text));
  const message = textElement("Message", `${error.message}\nRequestId:${requestId}\nTime:${time}`);
  return xmlDocument(`<Error>${textElement("Code", error.code)}${message}${elements.join("")}</Error>`);
}
