import { StorageError } from "../errors/storage-error.ts";

/** One request inside a batch, as it stood there. */
export interface BatchPart {
  /** `Content-ID`: given back, so that the client finds the pair. */
  readonly contentId: string | undefined;
  readonly method: string;
  /** Path and query, still percent-encoded. */
  readonly target: string;
  /** Name, value, name, value …, one character per byte, as `IncomingMessage.rawHeaders` has them. */
  readonly rawHeaders: readonly string[];
}

export const BATCH_LIMIT_BYTES: number = 4 * 1024 * 1024;
const PART_LIMIT = 256;

/**
 * The boundary that a batch's `Content-Type` names, without quotes.
 *
 * @throws StorageError `InvalidHeaderValue`, or `InvalidInput` when it names two
 */
export function readBoundary(contentType: string): string {
  const found = [...contentType.matchAll(/;\s*boundary\s*=\s*(?:"([^"]*)"|([^\s;,]*))/giu)];
  if (found.length > 1) {
    throw new StorageError("InvalidInput", { detail: "two boundaries" });
  }
  const boundary = found[0]?.[1] ?? found[0]?.[2] ?? "";
  if (!/^\s*multipart\/mixed\b/iu.test(contentType) || boundary === "" || boundary.length > 200) {
    throw new StorageError("InvalidHeaderValue", {
      elements: { HeaderName: "Content-Type", HeaderValue: contentType },
    });
  }
  return boundary;
}

/**
 * Parses the body of a batch (storage §16). Lines may end in a line feed alone; a body of a part is passed over, as
 * no operation that a batch can hold has one.
 *
 * @throws StorageError `ExceedsMaxBatchRequestCount`, or `InvalidInput` for what is no batch
 */
export function readBatch(body: Uint8Array, boundary: string): readonly BatchPart[] {
  const lines = Buffer.from(body).toString("latin1").split(/\r?\n/u);
  const delimiter = `--${boundary}`;
  const marks = lines.flatMap((line, index) =>
    line.trimEnd() === delimiter || line.trimEnd() === `${delimiter}--` ? [index] : [],
  );
  const closing = lines.findIndex((line) => line.trimEnd() === `${delimiter}--`);
  const starts = marks.filter((index) => index !== closing);
  if (starts.length === 0 || closing < 0 || closing !== marks.at(-1)) {
    throw notABatch("no parts between boundaries");
  }
  if (starts.length > PART_LIMIT) {
    throw new StorageError("ExceedsMaxBatchRequestCount");
  }
  return starts.map((start, index) => readPart(lines.slice(start + 1, marks[index + 1])));
}

function readPart(lines: readonly string[]): BatchPart {
  const blank = lines.findIndex((line) => line === "");
  const own = readHeaders(lines.slice(0, blank < 0 ? 0 : blank));
  if (findHeader(own, "content-type")?.toLowerCase().startsWith("application/http") !== true) {
    throw notABatch("a part is not application/http");
  }
  const request = lines.slice(blank + 1);
  const [, method = "", target = ""] = /^([A-Z]+) (\S+) HTTP\/1\.[01]$/u.exec(request[0]?.trimEnd() ?? "") ?? [];
  if (method === "") {
    throw notABatch("a part has no request line");
  }
  const end = request.findIndex((line) => line === "");
  const rawHeaders = readHeaders(request.slice(1, end < 0 ? undefined : end));
  return { contentId: findHeader(own, "content-id"), method, target, rawHeaders };
}

function readHeaders(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => {
    const [, name, value] = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[ \t]*(.*?)[ \t]*$/u.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      throw notABatch("a header of a part is malformed");
    }
    return [name, value];
  });
}

function findHeader(rawHeaders: readonly string[], name: string): string | undefined {
  const index = rawHeaders.findIndex((text, at) => at % 2 === 0 && text.toLowerCase() === name);
  return index < 0 ? undefined : rawHeaders[index + 1];
}

function notABatch(detail: string): StorageError {
  return new StorageError("InvalidInput", { detail });
}
