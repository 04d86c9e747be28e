import { headerText } from "../request/header-text.ts";
import { type RequestHeaders } from "../request/request-headers.ts";
import { canonicalizeHeaders, type HeaderOrder } from "./canonicalized-headers.ts";
import { canonicalizeResource, canonicalizeResourceLite, type ResourceInput } from "./canonicalized-resource.ts";

export interface SignedRequest extends ResourceInput {
  /** Upper case. */
  readonly method: string;
  readonly headers: RequestHeaders;
}

/** Where readings of the rules differ between clients; each is tried, and every one covers the same request. */
export interface Reading {
  /** What stands in the line of a length of 0. */
  readonly zeroLength: "" | "0";
  /** The `Date` header is signed although the own date header is present (storage §0.3). */
  readonly dateLine: boolean;
  readonly order: HeaderOrder;
  readonly dropEmpty: boolean;
  readonly languageFirst: boolean;
  readonly plusIsSpace: boolean;
}

/**
 * The text a SharedKey request is signed over: verb, eleven standard headers (empty line when absent), the own
 * headers as `name:value` in order, then the canonicalized resource.
 *
 * @returns lines joined by "\n", no trailing newline, to be signed as UTF-8
 * @throws  nothing: the date is judged in request-date.ts (§5.7), the signature in authenticate.ts
 * @source  identity-and-storage §5.6, storage §3.1
 */
export function stringToSign(request: SignedRequest, reading: Reading): string {
  const { headers } = request;
  const length = lineOf(headers, "content-length");
  return (
    `${request.method}\n` +
    lineOf(headers, reading.languageFirst ? "content-language" : "content-encoding") +
    lineOf(headers, reading.languageFirst ? "content-encoding" : "content-language") +
    (length === "0\n" ? `${reading.zeroLength}\n` : length) +
    lineOf(headers, "content-md5") +
    lineOf(headers, "content-type") +
    `${dateOf(headers, reading)}\n` +
    lineOf(headers, "if-modified-since") +
    lineOf(headers, "if-match") +
    lineOf(headers, "if-none-match") +
    lineOf(headers, "if-unmodified-since") +
    lineOf(headers, "range") +
    canonicalizeHeaders(headers.own, reading) +
    canonicalizeResource(request, reading.plusIsSpace)
  );
}

/**
 * The shorter text of SharedKeyLite, which SharedKey itself used before 2009-09-19.
 *
 * @source storage §3.5
 */
export function stringToSignLite(request: SignedRequest, reading: Reading): string {
  const { headers } = request;
  return (
    `${request.method}\n` +
    lineOf(headers, "content-md5") +
    lineOf(headers, "content-type") +
    `${dateOf(headers, reading)}\n` +
    canonicalizeHeaders(headers.own, reading) +
    canonicalizeResourceLite(request)
  );
}

/** A standard header's value and a line feed; most are absent from most requests. */
function lineOf(headers: RequestHeaders, name: string): string {
  const value = headers.find(name);
  return value === undefined ? "\n" : `${headerText(value)}\n`;
}

function dateOf(headers: RequestHeaders, reading: Reading): string {
  return headers.findOwn("date") === undefined || reading.dateLine ? (headers.find("date") ?? "") : "";
}
