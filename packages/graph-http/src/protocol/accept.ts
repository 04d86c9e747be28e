/** Whether an `Accept` header allows `application/json`; a missing one allows everything. */
export function acceptsJson(accept: string | undefined): boolean {
  return accept === undefined || accept.trim() === "" || mediaRanges(accept).some(isJsonRange);
}

/** The media types of an `Accept` or `Content-Type` header, lower case, without parameters but `q`, best first. */
export function mediaRanges(header: string): readonly MediaRange[] {
  return header
    .split(",")
    .map(parseRange)
    .filter((range) => range.quality > 0)
    .toSorted((a, b) => b.quality - a.quality);
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
