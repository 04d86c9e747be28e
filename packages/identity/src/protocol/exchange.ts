import { randomUUID } from "node:crypto";

/** What identifies one request and its answer in bodies, headers and logs. (reference §2.1, §8.1) */
export interface Exchange {
  /** Made by us for every request: `trace_id`, header `x-ms-request-id`. */
  readonly traceId: string;
  /** The caller's `client-request-id` when it is a GUID, else made by us. */
  readonly correlationId: string;
  /** Whether the caller named the correlation id, so that it is returned in a header. */
  readonly echoCorrelationId: boolean;
}

const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isGuid(text: string): boolean {
  return GUID.test(text);
}

/**
 * @param candidates  the header, query and body forms of `client-request-id`, in the order in which they count;
 *                    anything that isn't a GUID is passed over, since it ends in a header and in logs
 */
export function createExchange(candidates: readonly unknown[]): Exchange {
  const named = candidates.find((each): each is string => typeof each === "string" && isGuid(each));
  return {
    traceId: randomUUID(),
    correlationId: named ?? randomUUID(),
    echoCorrelationId: named !== undefined,
  };
}
