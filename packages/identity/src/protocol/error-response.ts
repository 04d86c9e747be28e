import { type ErrorRow, errorTable } from "./error-table.ts";
import { type Exchange } from "./exchange.ts";
import { type IdentityError } from "./identity-error.ts";

/** How errors present themselves: set once per installation. */
export interface ErrorStyle {
  /** First letters of every code, `STS` by default. (design §2) */
  readonly codePrefix: string;
  /** Origin under which `/error?code=` explains a code. */
  readonly publicUrl: string;
}

/** The JSON members of an error. (identity §2, §7; reference §8.1) */
export interface ErrorBody {
  readonly error: string;
  readonly error_description: string;
  readonly error_codes: readonly number[];
  readonly timestamp: string;
  readonly trace_id: string;
  readonly correlation_id: string;
  readonly error_uri: string;
  readonly suberror?: string;
  readonly claims?: string;
}

/**
 * The error as the interface shows it: `STS<number>: <text>` for every number, outermost first, then trace id,
 * correlation id and time on lines of their own (CRLF).
 *
 * @param word  replaces the row's OAuth word where one endpoint says it otherwise (`invalid_tenant` of the metadata)
 */
export function errorBody(
  error: IdentityError,
  exchange: Exchange,
  nowMs: number,
  style: ErrorStyle,
  word?: string,
): ErrorBody {
  const row: ErrorRow = errorTable[error.outermost];
  const timestamp = formatTimestamp(nowMs);
  return {
    error: word ?? error.word ?? row.error,
    error_description: [
      describe(error, style),
      `Trace ID: ${exchange.traceId}`,
      `Correlation ID: ${exchange.correlationId}`,
      `Timestamp: ${timestamp}`,
    ].join("\r\n"),
    error_codes: error.numbers,
    timestamp,
    trace_id: exchange.traceId,
    correlation_id: exchange.correlationId,
    error_uri: `${style.publicUrl}/error?code=${error.outermost}`,
    ...(row.suberror === undefined ? {} : { suberror: row.suberror }),
    ...(error.claims === undefined ? {} : { claims: error.claims }),
  };
}

export function errorStatus(error: IdentityError): number {
  return errorTable[error.outermost].status;
}

function describe(error: IdentityError, style: ErrorStyle): string {
  return error.numbers.map((number, index) => `${style.codePrefix}${number}: ${error.texts[index] ?? ""}`).join(" ");
}

/** `yyyy-MM-dd HH:mm:ssZ`, the form clients parse. */
function formatTimestamp(nowMs: number): string {
  return `${new Date(nowMs).toISOString().slice(0, 19).replace("T", " ")}Z`;
}
