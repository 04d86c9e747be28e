/** `Fri, 20 Nov 2026 12:00:00 GMT`, to the second. */
export function formatHttpDate(ms: number): string {
  const second = Math.floor(ms / 1000);
  if (second !== last.second) {
    last = { second, text: new Date(ms).toUTCString() };
  }
  return last.text;
}

/** The latest one: in answers and listings the same second comes again and again. */
let last = { second: Number.NaN, text: "" };

const RFC_1123 =
  /^(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat), (\d{2}) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/u;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Milliseconds of an RFC 1123 date in GMT, the only form the interface knows (identity-and-storage §4.5). */
export function parseHttpDate(text: string): number | undefined {
  const parts = RFC_1123.exec(text);
  if (parts === null) {
    return undefined;
  }
  const [, day, month, year, hour, minute, second] = parts;
  const ms = Date.UTC(
    Number(year),
    MONTHS.indexOf(month ?? ""),
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  );
  // 31 June would roll over into July; such a date is no date.
  return new Date(ms).getUTCDate() === Number(day) && Number(hour) < 24 ? ms : undefined;
}

/** Milliseconds of a date in a condition header, where clients also send other forms of date. */
export function parseConditionDate(text: string): number | undefined {
  const ms = parseHttpDate(text) ?? Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}
