import { type ErrorOptionsWithDetail, RequestError } from "@trefoil/base";
import { type ErrorNumber, errorTable } from "./error-table.ts";

/** What fills the placeholders of an error's text. Values come from requests and are shortened and cleaned. */
export type ErrorValues = Readonly<Record<string, string>>;

export interface IdentityErrorOptions extends ErrorOptionsWithDetail {
  /** Numbers that come before the specific one, outermost first; the first decides word and status. */
  readonly outer?: readonly ErrorNumber[];
  /** The OAuth word where one endpoint says it otherwise. */
  readonly word?: string | undefined;
  /** What the client is to ask for at the authorize endpoint, as its `claims` parameter. (reference §8.1) */
  readonly claims?: string | undefined;
}

/** A refusal by the provider: one row of the error table, sometimes wrapped in more general ones. */
export class IdentityError extends RequestError<`${ErrorNumber}`> {
  override readonly name = "IdentityError";
  /** Outermost first, never empty. */
  readonly numbers: readonly ErrorNumber[];
  readonly texts: readonly string[];
  /** In place of the row's OAuth word. */
  readonly word: string | undefined;
  readonly claims: string | undefined;

  constructor(number: ErrorNumber, values: ErrorValues = {}, options: IdentityErrorOptions = {}) {
    const numbers = [...(options.outer ?? []), number];
    const texts = numbers.map((each) => filled(errorTable[each].text, values));
    super(`${number}`, texts.join(" "), options);
    this.numbers = numbers;
    this.texts = texts;
    this.word = options.word;
    this.claims = options.claims;
  }

  /** The number whose row decides OAuth word, status and suberror. */
  get outermost(): ErrorNumber {
    return this.numbers[0] ?? 90090;
  }
}

const VALUE_LIMIT = 200;

function filled(text: string, values: ErrorValues): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = values[name];
    return value === undefined ? placeholder : shownValue(value);
  });
}

/** A request's own text may break neither the lines of a description nor a log. */
function shownValue(value: string): string {
  const clean = value.replace(/[^\x20-\x7e\u00a0-\ud7ff\ue000-\ufffd]/g, "?");
  return clean.length > VALUE_LIMIT ? `${clean.slice(0, VALUE_LIMIT)}…` : clean;
}
