import { describe, expect, test } from "vitest";
import { RequestHeaders } from "../request/request-headers.ts";
import { checkReadConditions, checkWriteConditions, type Conditions } from "./conditions.ts";
import { type ConditionRule, readConditions } from "./read-conditions.ts";

const etag = '"0x8DE2A4B1C3D5E6F"';
const modified = Date.UTC(2026, 10, 20, 12, 0, 0, 700);
const target = { etag, lastModifiedMs: modified };
const second = 1000;
const whole = modified - 700;

/** storage §7 */
describe("reads", () => {
  const table: readonly (readonly [Conditions, 200 | 304 | 412])[] = [
    [{}, 200],
    [{ ifMatch: etag }, 200],
    [{ ifMatch: "0x8DE2A4B1C3D5E6F" }, 200],
    [{ ifMatch: "*" }, 200],
    [{ ifMatch: '"0x1"' }, 412],
    [{ ifNoneMatch: etag }, 304],
    [{ ifNoneMatch: '"0x1"' }, 200],
    [{ ifModifiedSinceMs: whole }, 304],
    [{ ifModifiedSinceMs: whole - second }, 200],
    [{ ifUnmodifiedSinceMs: whole }, 200],
    [{ ifUnmodifiedSinceMs: whole - second }, 412],
    [{ ifMatch: etag, ifUnmodifiedSinceMs: whole - second }, 412],
    [{ ifNoneMatch: etag, ifModifiedSinceMs: whole - second }, 200],
    [{ ifNoneMatch: '"0x1"', ifModifiedSinceMs: whole }, 200],
    [{ ifNoneMatch: etag, ifModifiedSinceMs: whole }, 304],
    [{ ifMatch: '"0x1"', ifNoneMatch: etag }, 412],
  ];
  test.each(table)("%j → %i", (conditions, status) => {
    expect(statusOf(() => checkReadConditions(conditions, target))).toBe(status);
  });
});

/** RFC 9110 §15.4.5 */
test("a copy that is fresh is told what it is renewed by", () => {
  const check = (): void => checkReadConditions({ ifNoneMatch: etag }, target, () => "max-age=60");
  const headers = { ETag: etag, "Last-Modified": "Fri, 20 Nov 2026 12:00:00 GMT", "Cache-Control": "max-age=60" };
  expect(check).toThrow(expect.objectContaining({ status: 304, headers }));
});

describe("writes", () => {
  const table: readonly (readonly [Conditions, 200 | 409 | 412, 200 | 412])[] = [
    [{}, 200, 200],
    [{ ifMatch: etag }, 200, 412],
    [{ ifMatch: "*" }, 200, 412],
    [{ ifMatch: '"0x1"' }, 412, 412],
    [{ ifNoneMatch: etag }, 412, 200],
    [{ ifNoneMatch: '"0x1"' }, 200, 200],
    [{ ifNoneMatch: "*" }, 409, 200],
    [{ ifModifiedSinceMs: whole }, 412, 200],
    [{ ifModifiedSinceMs: whole - second }, 200, 200],
    [{ ifUnmodifiedSinceMs: whole }, 200, 200],
    [{ ifUnmodifiedSinceMs: whole - second }, 412, 200],
    [{ ifMatch: etag, ifUnmodifiedSinceMs: whole - second }, 200, 412],
    [{ ifNoneMatch: '"0x1"', ifModifiedSinceMs: whole }, 200, 200],
  ];
  test.each(table)("%j → %i where something is, %i where nothing is", (conditions, there, absent) => {
    expect(statusOf(() => checkWriteConditions(conditions, target, "BlobAlreadyExists"))).toBe(there);
    expect(statusOf(() => checkWriteConditions(conditions, undefined, "BlobAlreadyExists"))).toBe(absent);
  });

  test("If-None-Match: * is ignored by operations that create nothing", () => {
    expect(statusOf(() => checkWriteConditions({ ifNoneMatch: "*" }, target))).toBe(200);
  });
});

describe("which conditions an operation takes", () => {
  const date = "Fri, 20 Nov 2026 12:00:00 GMT";
  const table: readonly (readonly [ConditionRule, Record<string, string>, string | undefined])[] = [
    ["read", { "if-none-match": "*" }, "UnsatisfiableCondition"],
    ["read", { "if-match": '"a", "b"' }, undefined],
    ["write", { "if-match": '"a", "b"' }, "MultipleConditionHeadersNotSupported"],
    ["read", { "if-match": "a", "if-none-match": "b", "if-modified-since": date }, undefined],
    ["write", { "if-match": "a", "if-none-match": "b" }, "MultipleConditionHeadersNotSupported"],
    ["write", { "if-match": "a", "if-modified-since": date }, "MultipleConditionHeadersNotSupported"],
    ["write", { "if-none-match": "a", "if-unmodified-since": date }, "MultipleConditionHeadersNotSupported"],
    ["write", { "if-modified-since": date, "if-unmodified-since": date }, "MultipleConditionHeadersNotSupported"],
    ["write", { "if-match": "a", "if-unmodified-since": date }, undefined],
    ["write", { "if-none-match": "a", "if-modified-since": date }, undefined],
    ["write", { "if-modified-since": "soon" }, "InvalidHeaderValue"],
    ["dates", { "if-match": "a" }, "ConditionHeadersNotSupported"],
    ["dates", { "if-unmodified-since": date }, undefined],
    ["modified-since", { "if-unmodified-since": date }, "ConditionHeadersNotSupported"],
  ];
  test.each(table)("%s with %j → %s", (rule, headers, code) => {
    const read = (): unknown => readConditions(new RequestHeaders(Object.entries(headers).flat()), rule, "2026-10-06");
    expect(codeOf(read)).toBe(code);
  });
});

function statusOf(check: () => void): number {
  try {
    check();
    return 200;
  } catch (error) {
    return (error as { readonly status: number }).status;
  }
}

function codeOf(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    return (error as { readonly code: string }).code;
  }
}
