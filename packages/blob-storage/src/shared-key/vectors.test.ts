import { describe, expect, test } from "vitest";
import { testAccount, testKey } from "../testing/start-test-service.ts";
import { Query } from "../request/query.ts";
import { RequestHeaders } from "../request/request-headers.ts";
import { AccountKey } from "./account-key.ts";
import { canonicalizeHeaders } from "./canonicalized-headers.ts";
import { readingsOf } from "./readings.ts";
import { type SignedRequest, stringToSign, stringToSignLite } from "./string-to-sign.ts";

const key = new AccountKey(testKey);
const date = "Fri, 20 Nov 2026 12:00:00 GMT";

function request(method: string, target: string, headers: Readonly<Record<string, string>>): SignedRequest {
  const [path = "", query = ""] = target.split("?");
  const raw = Object.entries(headers).flat();
  return { method, account: testAccount, path, query: new Query(query), headers: new RequestHeaders(raw) };
}

function sign(signed: SignedRequest, version: string, write = stringToSign): string {
  const [reading] = readingsOf(signed, version);
  return key.sign(write(signed, reading!)).toBase64();
}

const upload = (family: string): SignedRequest =>
  request("PUT", `/${testAccount}/c/hello.txt`, {
    "Content-Length": "5",
    "Content-Type": "application/octet-stream",
    [`${family}blob-type`]: "BlockBlob",
    [`${family}date`]: date,
    [`${family}version`]: "2015-02-21",
  });

const create = (version: string): SignedRequest =>
  request("PUT", `/${testAccount}/c?restype=container`, {
    "Content-Length": "0",
    "x-ms-date": date,
    "x-ms-version": version,
  });

// storage §3.8
describe("test vectors", () => {
  test("an upload with either header family", () => {
    expect(sign(upload("x-ms-"), "2015-02-21")).toBe("ZMXkaCllzY+8bJbO7rlcyB1OJwh5yz7o08sb/3QoYfQ=");
    expect(sign(upload("x-store-"), "2015-02-21")).toBe("QBb5vnQ9p5+506PBXCk8bqyH1HnNzlhJMzlB8mhULsA=");
  });

  test("an upload as SharedKeyLite", () => {
    expect(sign(upload("x-ms-"), "2015-02-21", stringToSignLite)).toBe("Qg/vOorTygL0GF2ERo2E+hPkkN8O+elmoE/md1YxWWo=");
  });

  test("a listing, whose query is signed", () => {
    const listing = request("GET", `/${testAccount}/c?restype=container&comp=list`, {
      "x-ms-date": date,
      "x-ms-version": "2015-02-21",
    });
    expect(sign(listing, "2015-02-21")).toBe("XMR5gBBvTE+w+QyBUtcw+lVmMtmokljGvTVwKrtL7pQ=");
  });

  test("a length of 0: an empty line since 2015-02-21, a zero before", () => {
    expect(sign(create("2015-02-21"), "2015-02-21")).toBe("AXDLqg230Qrqvi13r2rLT9BZysTJpxWRDVSHNosGN6I=");
    expect(sign(create("2014-02-14"), "2014-02-14")).toBe("rPLPEkL5IWNRerSRmqc3MRE4hpQb6fIzZ3lxOlfO6+8=");
  });

  test("the upload of the interface document is signed over exactly its lines", () => {
    const signed = upload("x-store-");
    const [reading] = readingsOf(signed, "2015-02-21");
    // identity-and-storage §5.6
    expect(stringToSign(signed, reading!).split("\n")).toEqual([
      "PUT",
      "",
      "",
      "5",
      "",
      "application/octet-stream",
      "",
      "",
      "",
      "",
      "",
      "",
      "x-store-blob-type:BlockBlob",
      `x-store-date:${date}`,
      "x-store-version:2015-02-21",
      `/${testAccount}/${testAccount}/c/hello.txt`,
    ]);
  });
});

test("own headers of one name are one line with the values as they came; old versions leave empty ones out", () => {
  const { own } = new RequestHeaders([
    "x-ms-meta-b",
    "2",
    "X-MS-Meta-A",
    " one ",
    "x-ms-meta-empty",
    "",
    "x-ms-meta-a",
    "two",
    "x-ms-meta-A",
    "three",
  ]);
  const given = "x-ms-meta-a:one,two,three\nx-ms-meta-b:2\n";
  expect(canonicalizeHeaders(own, { order: "service", dropEmpty: true })).toBe(given);
  expect(canonicalizeHeaders(own, { order: "code-unit", dropEmpty: false })).toBe(`${given}x-ms-meta-empty:\n`);
});
