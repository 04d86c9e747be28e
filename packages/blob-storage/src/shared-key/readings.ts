import { type ServiceVersion, since } from "../request/service-version.ts";
import { type Reading, type SignedRequest } from "./string-to-sign.ts";

/**
 * The readings of the rules under which a request may have been signed, the documented one first. Only those that
 * can change the text of this request are listed, so most requests have one.
 *
 * @source storage §3.1 (length, date, language), §3.2 (empty headers), §3.3 (order), §3.4 (plus)
 */
export function* readingsOf(request: SignedRequest, version: ServiceVersion): Generator<Reading> {
  // Nearly always the right one: what the request could mean otherwise is looked at when it was not.
  yield documentedReading(version);
  let isDocumented = true;
  for (const reading of allReadings(request, version)) {
    if (!isDocumented) {
      yield reading;
    }
    isDocumented = false;
  }
}

function documentedReading(version: ServiceVersion): Reading {
  return {
    order: "service",
    dateLine: false,
    zeroLength: version >= since.emptyContentLengthIsUnsigned ? "" : "0",
    dropEmpty: version < since.emptyHeadersAreSigned,
    languageFirst: false,
    plusIsSpace: false,
  };
}

function* allReadings(request: SignedRequest, version: ServiceVersion): Generator<Reading> {
  const { headers, query } = request;
  const lengths = alternatives(
    headers.find("content-length") === "0",
    version >= since.emptyContentLengthIsUnsigned ? (["", "0"] as const) : (["0", ""] as const),
  );
  const dates = alternatives(headers.findOwn("date") !== undefined && headers.find("date") !== undefined, [
    false,
    true,
  ]);
  const orders = alternatives(
    headers.own.some(({ name }) => /[^a-zA-Z0-9-]/u.test(name)),
    ["service", "code-unit"] as const,
  );
  const hasEmpty = headers.own.some(({ value }) => value.trim() === "");
  const drops = hasEmpty && version < since.emptyHeadersAreSigned ? [true, false] : [false];
  const hasLanguage = headers.find("content-language") !== headers.find("content-encoding");
  const languages = alternatives(hasLanguage, [false, true]);
  const pluses = alternatives(
    query.parameters.some(({ rawValue }) => rawValue.includes("+")),
    [false, true],
  );
  for (const order of orders) {
    for (const dateLine of dates) {
      for (const zeroLength of lengths) {
        for (const dropEmpty of drops) {
          for (const languageFirst of languages) {
            for (const plusIsSpace of pluses) {
              yield { order, dateLine, zeroLength, dropEmpty, languageFirst, plusIsSpace };
            }
          }
        }
      }
    }
  }
}

/** Both values when they lead to different texts, else only the first, which is the documented one. */
function alternatives<T>(matters: boolean, values: readonly [T, T]): readonly T[] {
  return matters ? values : [values[0]];
}
