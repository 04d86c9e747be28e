import { type EndpointAnswer } from "./endpoint.ts";
import { JSON_TYPE, NEVER_CACHED } from "./headers.ts";

const HEADERS = { ...NEVER_CACHED, "content-type": JSON_TYPE };

/** An answer that belongs to credentials: JSON that no cache keeps. */
export function secretJson(body: object): EndpointAnswer {
  return secretText(JSON.stringify(body));
}

/** The same of JSON that is written already. */
export function secretText(body: string): EndpointAnswer {
  return { headers: HEADERS, body };
}
