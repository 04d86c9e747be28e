import { answer, type Exchange } from "../protocol/exchange.ts";
import { CONTENT_TYPES, formatRepresentation, outputFormatOf, type Representation } from "./representation-format.ts";
import { PlainError } from "./rest-error.ts";

/** Answers with a representation in the format that is asked for, or that it has none in it (406). */
export function answerRepresentation(exchange: Exchange, representation: Representation): void {
  const { headers } = exchange.request;
  const format = outputFormatOf(headers);
  try {
    const text = formatRepresentation(representation, format, headers.accept);
    answer(exchange, 200, { "content-type": CONTENT_TYPES[format] }, text);
  } catch (error) {
    if (!(error instanceof PlainError)) {
      throw error;
    }
    answer(exchange, error.status, { "content-type": error.contentType }, error.message);
  }
}
