import { type JsonValue } from "../json/json-reader.ts";
import { writeJson } from "../json/json-writer.ts";
import { type TextSink } from "../protocol/text-sink.ts";
import { CONTENT_TYPES, outputFormatOf, type Representation } from "./representation-format.ts";
import { type RestAnswer, type RestCall } from "./rest-call.ts";

/** A list that may be long: in one piece, or element by element for who asked for a stream (`X-Stream: true`). */
export async function listAnswer(
  call: RestCall,
  kind: Pick<Representation, "type" | "shape">,
  elements: Iterable<JsonValue> | AsyncIterable<JsonValue>,
): Promise<RestAnswer> {
  if (isStreamed(call)) {
    const write = (sink: TextSink): Promise<void> => writeList(elements, sink);
    return { status: 200, stream: { contentType: CONTENT_TYPES.stream, write } };
  }
  const value: JsonValue[] = [];
  for await (const element of elements) {
    value.push(element);
  }
  return { status: 200, representation: { ...kind, value } };
}

/** Jobs of a batch answer in pieces of their own, each whole. */
export function isStreamed(call: RestCall): boolean {
  return call.isJob !== true && outputFormatOf(call.headers) === "stream";
}

async function writeList(elements: Iterable<JsonValue> | AsyncIterable<JsonValue>, sink: TextSink): Promise<void> {
  let separator = "[";
  for await (const element of elements) {
    if (sink.write(separator + writeJson(element, "compact"))) {
      await sink.drain();
    }
    separator = ",";
  }
  sink.write(separator === "[" ? "[]" : "]");
}
