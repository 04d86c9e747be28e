import { describe, expect, test } from "vitest";
import { Query } from "../request/query.ts";
import { RequestHeaders } from "../request/request-headers.ts";
import { testAccount, testKey } from "../testing/start-test-service.ts";
import { AccountKey } from "./account-key.ts";
import { type SharedKeyInput, verifySharedKey } from "./authenticate.ts";

const key = new AccountKey(testKey);
const other = new AccountKey(Buffer.from("another key").toString("base64"));
const nowMs = Date.UTC(2026, 10, 20, 12);
const date = "Fri, 20 Nov 2026 12:00:00 GMT";

interface Case {
  readonly headers: Readonly<Record<string, string>>;
  readonly target?: string;
  readonly version?: string;
  readonly lines: readonly string[];
}

function verify({ headers, target = "/c/b", version = "2026-10-06", lines }: Case): void {
  const [path = "", query = ""] = target.split("?");
  const input: SharedKeyInput = {
    kind: "SharedKey",
    signature: key.sign(lines.join("\n")).toBase64(),
    method: "PUT",
    account: testAccount,
    path,
    query: new Query(query),
    headers: new RequestHeaders(Object.entries(headers).flat()),
    version,
    nowMs,
    otherPaths: [],
  };
  verifySharedKey(input, [other, key]);
}

/** Eleven standard lines with those given by their position. */
function standard(values: Readonly<Record<number, string>> = {}): string[] {
  return Array.from({ length: 11 }, (_, index) => values[index] ?? "");
}

const resource = `/${testAccount}/c/b`;
const LANGUAGE = 1;
const LENGTH = 2;
const DATE = 5;

describe("what clients sign", () => {
  const cases: readonly (readonly [string, Case])[] = [
    [
      "nothing but a date",
      { headers: { "x-ms-date": date }, lines: ["PUT", ...standard(), `x-ms-date:${date}`, resource] },
    ],
    ["the Date header", { headers: { Date: date }, lines: ["PUT", ...standard({ [DATE]: date }), resource] }],
    [
      "both dates, the line left empty (storage §0.3)",
      { headers: { Date: date, "x-ms-date": date }, lines: ["PUT", ...standard(), `x-ms-date:${date}`, resource] },
    ],
    [
      "both dates, the line filled as the peer wants it",
      {
        headers: { Date: date, "x-ms-date": date },
        lines: ["PUT", ...standard({ [DATE]: date }), `x-ms-date:${date}`, resource],
      },
    ],
    [
      "a length of 0 as 0 in a new version",
      {
        headers: { "Content-Length": "0", "x-ms-date": date },
        lines: ["PUT", ...standard({ [LENGTH]: "0" }), `x-ms-date:${date}`, resource],
      },
    ],
    [
      "an empty length in an old version",
      {
        headers: { "Content-Length": "0", "x-ms-date": date },
        version: "2014-02-14",
        lines: ["PUT", ...standard(), `x-ms-date:${date}`, resource],
      },
    ],
    [
      "the language before the encoding (storage §3.1)",
      {
        headers: { "Content-Language": "de", "x-ms-date": date },
        lines: ["PUT", ...standard({ [LANGUAGE - 1]: "de" }), `x-ms-date:${date}`, resource],
      },
    ],
    [
      "names in the service's order: underscore, digits, letters (storage §3.3)",
      {
        headers: { "x-ms-meta-foo_bar": "1", "x-ms-meta-foo2": "2", "x-ms-meta-fooa": "3", "x-ms-date": date },
        lines: [
          "PUT",
          ...standard(),
          `x-ms-date:${date}`,
          "x-ms-meta-foo_bar:1",
          "x-ms-meta-foo2:2",
          "x-ms-meta-fooa:3",
          resource,
        ],
      },
    ],
    [
      "names by code unit, as older clients do",
      {
        headers: { "x-ms-meta-foo_bar": "1", "x-ms-meta-foo2": "2", "x-ms-date": date },
        lines: ["PUT", ...standard(), `x-ms-date:${date}`, "x-ms-meta-foo2:2", "x-ms-meta-foo_bar:1", resource],
      },
    ],
    [
      "without empty headers in an old version",
      {
        headers: { "x-ms-meta-a": "", "x-ms-date": date },
        version: "2015-02-21",
        lines: ["PUT", ...standard(), `x-ms-date:${date}`, resource],
      },
    ],
    [
      "values that were folded, padded and in other letters",
      {
        headers: {
          "x-ms-meta-a": "  one\r\n  two  ",
          "x-ms-meta-b": Buffer.from("ü").toString("latin1"),
          "x-ms-date": date,
        },
        lines: ["PUT", ...standard(), `x-ms-date:${date}`, "x-ms-meta-a:one two", "x-ms-meta-b:ü", resource],
      },
    ],
    [
      "query values decoded, joined and in order",
      {
        headers: { "x-ms-date": date },
        target: "/c/b?b=2&A=x%20y&b=1&timeout=30",
        lines: ["PUT", ...standard(), `x-ms-date:${date}`, resource, "a:x y", "b:1,2", "timeout:30"],
      },
    ],
    [
      "a plus in the query as a space",
      {
        headers: { "x-ms-date": date },
        target: "/c/b?prefix=a+b",
        lines: ["PUT", ...standard(), `x-ms-date:${date}`, resource, "prefix:a b"],
      },
    ],
    [
      "a plus in the query as a plus",
      {
        headers: { "x-ms-date": date },
        target: "/c/b?prefix=a+b",
        lines: ["PUT", ...standard(), `x-ms-date:${date}`, resource, "prefix:a+b"],
      },
    ],
  ];

  test.each(cases)("%s", (_name, signed) => {
    expect(() => verify(signed)).not.toThrow();
  });

  test.each([
    ["another verb", { headers: { "x-ms-date": date }, lines: ["GET", ...standard(), `x-ms-date:${date}`, resource] }],
    [
      "no query although there is one",
      {
        headers: { "x-ms-date": date },
        target: "/c/b?comp=acl",
        lines: ["PUT", ...standard(), `x-ms-date:${date}`, resource],
      },
    ],
    [
      "not the metadata that came",
      {
        headers: { "x-ms-date": date, "x-ms-meta-a": "1" },
        lines: ["PUT", ...standard(), `x-ms-date:${date}`, resource],
      },
    ],
    [
      "an empty header less in a new version",
      {
        headers: { "x-ms-date": date, "x-ms-meta-a": "" },
        lines: ["PUT", ...standard(), `x-ms-date:${date}`, resource],
      },
    ],
  ] satisfies readonly (readonly [string, Case])[])("refuses %s", (_name, signed) => {
    expect(() => verify(signed)).toThrow(expect.objectContaining({ code: "AuthenticationFailed", status: 403 }));
  });
});

describe("the clock (storage §3.6)", () => {
  const at = (offsetMs: number): (() => void) => {
    const signed = new Date(nowMs + offsetMs).toUTCString();
    return () =>
      verify({ headers: { "x-ms-date": signed }, lines: ["PUT", ...standard(), `x-ms-date:${signed}`, resource] });
  };
  const minutes = 60_000;

  test("fifteen minutes either way are right", () => {
    expect(at(-15 * minutes)).not.toThrow();
    expect(at(15 * minutes)).not.toThrow();
  });

  test("more is wrong, and the detail says so", () => {
    const signed = new Date(nowMs - 15 * minutes - 1000).toUTCString();
    expect(at(-15 * minutes - 1000)).toThrow(
      expect.objectContaining({
        elements: { AuthenticationErrorDetail: `Request date header too old: '${signed}'` },
      }),
    );
    expect(at(15 * minutes + 1000)).toThrow(
      expect.objectContaining({
        elements: { AuthenticationErrorDetail: "The Date header in the request is incorrect." },
      }),
    );
  });

  test.each(["", "yesterday", "2026-11-20T12:00:00Z", "Fri, 31 Jun 2026 12:00:00 GMT", "Fri, 20 Nov 2026 12:00:00"])(
    "the date %j is incorrect",
    (value) => {
      const lines = ["PUT", ...standard(), `x-ms-date:${value}`, resource];
      expect(() => verify({ headers: { "x-ms-date": value }, lines })).toThrow(
        expect.objectContaining({
          elements: { AuthenticationErrorDetail: "The Date header in the request is incorrect." },
        }),
      );
    },
  );

  test("no date at all is incorrect", () => {
    expect(() => verify({ headers: {}, lines: ["PUT", ...standard(), resource] })).toThrow(
      expect.objectContaining({ code: "AuthenticationFailed" }),
    );
  });
});

test("the refusal names the text that the server signed, and no key", () => {
  const wrong = { headers: { "x-ms-date": date }, lines: ["something else"] };
  expect(() => verify(wrong)).toThrow(
    expect.objectContaining({
      elements: {
        AuthenticationErrorDetail:
          `The MAC signature found in the HTTP request '${key.sign("something else").toBase64()}' is not the same as any ` +
          `computed signature. Server used following string to sign: ` +
          `'${["PUT", ...standard(), `x-ms-date:${date}`, resource].join("\n")}'.`,
      },
    }),
  );
  expect(JSON.stringify(key)).not.toContain(testKey);
});
