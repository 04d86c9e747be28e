/** Whether an `Accept` header allows `application/json`; a missing one allows everything. */
export function acceptsJson(accept: string | undefined): boolean {
  // What most programs send need not be taken apart.
  return accept === JSON_TYPE || accept === undefined || accept.trim() === "" || mediaRanges(accept).some(isJsonRange);
}

/** Whether a body with this `Content-Type` may be JSON; a missing one counts as JSON. */
export function isJsonInput(contentType: string | undefined): boolean {
  return (
    contentType === undefined ||
    contentType.trim() === "" ||
    contentType === JSON_TYPE ||
    mediaRanges(contentType).some(isJsonRange)
  );
}

const JSON_TYPE = "application/json";

/** The media types of an `Accept` or `Content-Type` header, lower case, without parameters but `q`, best first. */
export function mediaRanges(header: string): readonly MediaRange[] {
  return header
    .split(",")
    .map(parseRange)
    .filter((range) => range.quality > 0)
    .toSorted((a, b) => b.quality - a.quality);
}

/** The type of a text that has none of its own: the best that `Accept` names, as it is named there (graph-measured). */
export function textTypeFor(accept: string | undefined): string {
  const [best] = mediaRanges(accept ?? "");
  if (best === undefined || best.type === "" || best.type === "*/*") {
    return "text/plain";
  }
  if (best.type === "text/*") {
    return "text/plain";
  }
  return /^[^*/]+\/[^*/]+$/.test(best.type) ? nameOf(best) : "application/octet-stream";
}

/** A type with its parameters, without its quality: `application/json;compact=true`. */
export function nameOf({ type, parameters }: MediaRange): string {
  const own = [...parameters].filter(([name]) => name !== "q").map(([name, value]) => `${name}=${value}`);
  return [type, ...own.sort()].join(";");
}

export interface MediaRange {
  /** `type/subtype`, lower case. */
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly quality: number;
}

function parseRange(text: string): MediaRange {
  const [type = "", ...rest] = text.split(";").map((part) => part.trim().toLowerCase());
  const parameters = new Map<string, string>();
  for (const parameter of rest) {
    const [name = "", value = ""] = parameter.split("=");
    parameters.set(name.trim(), value.trim());
  }
  const quality = Number(parameters.get("q") ?? "1");
  return { type, parameters, quality: Number.isNaN(quality) ? 1 : quality };
}

function isJsonRange(range: MediaRange): boolean {
  return (
    range.type === "application/json" || range.type === "*/*" || range.type === "application/*" || range.type === "*"
  );
}
