import { remembered } from "../request/remembered.ts";

/** Milliseconds of a time in a signature: a day, or a time in UTC to the minute or finer (storage §4). */
export function parseSasTime(text: string): number | undefined {
  const ms = parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}

const parse = remembered(256, (text) =>
  /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,7})?)?Z)?$/u.test(text) ? Date.parse(text) : Number.NaN,
);
