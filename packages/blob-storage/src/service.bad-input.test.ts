import { connect } from "node:net";
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestService, testAccount, type TestService } from "./testing/start-test-service.ts";
import { type TestRequest } from "./testing/test-client.ts";

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
  await service.client.send("PUT", "/box?restype=container");
  await service.client.send("PUT", "/box/blob", { headers: { "~blob-type": "BlockBlob" }, body: "0123456789" });
});
afterAll(() => service.close());

const upload = { "~blob-type": "BlockBlob" };
const md5OfNothing = "1B2M2Y8AsgTpgAmY7PhCfg==";

type Row = readonly [what: string, method: string, target: string, request: TestRequest, status: number, code: string];

const table: readonly Row[] = [
  ["a container name that is too short", "PUT", "/ab?restype=container", {}, 400, "OutOfRangeInput"],
  ["a container name that is too long", "PUT", `/${"a".repeat(64)}?restype=container`, {}, 400, "OutOfRangeInput"],
  ["an upper-case container name", "PUT", "/Box?restype=container", {}, 400, "InvalidResourceName"],
  ["two hyphens in a container name", "PUT", "/a--b?restype=container", {}, 400, "InvalidResourceName"],
  ["a container named like its account", "PUT", `/${testAccount}?restype=container`, {}, 400, "InvalidResourceName"],
  ["a container that is there", "PUT", "/box?restype=container", {}, 409, "ContainerAlreadyExists"],
  ["a container that isn't", "GET", "/nobox?restype=container", {}, 404, "ContainerNotFound"],
  ["a blob in a container that isn't", "PUT", "/nobox/b", { headers: upload, body: "x" }, 404, "ContainerNotFound"],
  ["a blob that isn't", "GET", "/box/none", {}, 404, "BlobNotFound"],
  ["a blob name that is too long", "GET", `/box/${"a".repeat(1025)}`, {}, 400, "OutOfRangeInput"],
  ["a blob name that is too deep", "GET", `/box/${"a/".repeat(254)}b`, {}, 400, "InvalidResourceName"],
  ["a NUL in a blob name", "GET", "/box/a%00b", {}, 400, "InvalidResourceName"],
  ["a name that is no UTF-8", "GET", "/box/%ff", {}, 400, "InvalidUri"],
  ["broken percent-encoding", "GET", "/box/%zz", {}, 400, "InvalidUri"],
  ["a timeout that is no number", "GET", "/box/blob?timeout=soon", {}, 400, "InvalidQueryParameterValue"],
  [
    "an unknown urgency",
    "PUT",
    "/box/blob?comp=tier",
    { headers: { "~access-tier": "Hot", "~rehydrate-priority": "Soon" } },
    400,
    "InvalidHeaderValue",
  ],
  [
    "a tier of page blobs for a block blob",
    "PUT",
    "/box/b",
    { headers: { ...upload, "~access-tier": "P10" }, body: "x" },
    400,
    "InvalidBlobTier",
  ],
  ["no blob type", "PUT", "/box/b", { body: "x" }, 400, "MissingRequiredHeader"],
  [
    "an unknown blob type",
    "PUT",
    "/box/b",
    { headers: { "~blob-type": "Block" }, body: "x" },
    400,
    "InvalidHeaderValue",
  ],
  [
    "a wrong MD5",
    "PUT",
    "/box/b",
    { headers: { ...upload, "content-md5": md5OfNothing }, body: "x" },
    400,
    "Md5Mismatch",
  ],
  [
    "an MD5 that is none",
    "PUT",
    "/box/b",
    { headers: { ...upload, "content-md5": "abcd" }, body: "x" },
    400,
    "InvalidMd5",
  ],
  [
    "a metadata name with a hyphen",
    "PUT",
    "/box/b",
    { headers: { ...upload, "~meta-a-b": "1" } },
    400,
    "InvalidMetadata",
  ],
  [
    "a metadata name that begins with a digit",
    "PUT",
    "/box/b",
    { headers: { ...upload, "~meta-1a": "1" } },
    400,
    "InvalidMetadata",
  ],
  ["metadata without a name", "PUT", "/box/b", { headers: { ...upload, "~meta-": "1" } }, 400, "EmptyMetadataKey"],
  [
    "too much metadata",
    "PUT",
    "/box/b",
    { headers: { ...upload, "~meta-a": "x".repeat(8192) } },
    400,
    "MetadataTooLarge",
  ],
  ["a version that is none", "GET", "/box/blob", { headers: { "~version": "newest" } }, 400, "InvalidHeaderValue"],
  [
    "a version before the first",
    "GET",
    "/box/blob",
    { headers: { "~version": "2008-01-01" } },
    400,
    "InvalidHeaderValue",
  ],
  ["headers of both families", "GET", "/box/blob", { headers: { "x-ms-meta-a": "1" } }, 400, "InvalidHeaderValue"],
  ["a range behind the end", "GET", "/box/blob", { headers: { "~range": "bytes=10-" } }, 416, "InvalidRange"],
  [
    "a range far behind the end",
    "GET",
    "/box/blob",
    { headers: { "~range": `bytes=${"9".repeat(20)}-` } },
    416,
    "InvalidRange",
  ],
  [
    "conditions that exclude each other",
    "PUT",
    "/box/b",
    { headers: { ...upload, "if-match": "a", "if-none-match": "b" } },
    400,
    "MultipleConditionHeadersNotSupported",
  ],
  [
    "If-None-Match: * on a read",
    "GET",
    "/box/blob",
    { headers: { "if-none-match": "*" } },
    400,
    "UnsatisfiableCondition",
  ],
  ["a method that the resource has not", "POST", "/box/blob", {}, 405, "UnsupportedHttpVerb"],
  ["a method that nothing here has", "PATCH", "/box/blob", {}, 405, "UnsupportedHttpVerb"],
  ["a method that the router doesn't know", "PROPFIND", "/box/blob", {}, 405, "UnsupportedHttpVerb"],
  [
    "a document that is nested too deep",
    "PUT",
    "/box/blob?comp=tags",
    { body: `${"<Tags>".repeat(1000)}${"</Tags>".repeat(1000)}` },
    400,
    "InvalidXmlDocument",
  ],
  [
    "an element named like what every object has",
    "PUT",
    "/box/blob?comp=tags",
    { body: "<Tags><__proto__><Key>a</Key></__proto__></Tags>" },
    400,
    "InvalidXmlDocument",
  ],
  [
    "a document with a byte that is no UTF-8",
    "PUT",
    "/box/blob?comp=tags",
    { body: Buffer.from("<Tags><TagSet/>\xff</Tags>", "latin1") },
    400,
    "InvalidXmlDocument",
  ],
  [
    "a copy source with a NUL",
    "PUT",
    "/box/b",
    { headers: { "~copy-source": `http://localhost/${testAccount}/box/a%00` } },
    404,
    "CannotVerifyCopySource",
  ],
  ["an unknown comp", "GET", "/box/blob?comp=nothing", {}, 400, "InvalidQueryParameterValue"],
  ["a NUL in a prefix", "GET", "/box?restype=container&comp=list&prefix=%00", {}, 400, "InvalidUri"],
  ["maxresults 0", "GET", "/box?restype=container&comp=list&maxresults=0", {}, 400, "OutOfRangeQueryParameterValue"],
  [
    "maxresults that is none",
    "GET",
    "/box?restype=container&comp=list&maxresults=many",
    {},
    400,
    "InvalidQueryParameterValue",
  ],
  [
    "a lease id where there is no lease",
    "DELETE",
    "/box/blob",
    { headers: { "~lease-id": "a" } },
    412,
    "LeaseNotPresentWithBlobOperation",
  ],
  [
    "credentials of an unknown kind",
    "GET",
    "/box/blob",
    { authorization: "Digest abc" },
    400,
    "InvalidAuthenticationInfo",
  ],
  [
    "a signature without an account",
    "GET",
    "/box/blob",
    { authorization: "SharedKey abc" },
    400,
    "InvalidAuthenticationInfo",
  ],
  ["no credentials", "GET", "/box/blob", { anonymous: true }, 401, "NoAuthenticationInformation"],
  ["an account that isn't, by host", "GET", "/box/blob", { host: "nobody.localhost" }, 404, "ResourceNotFound"],
];

describe("bad input", () => {
  test.each(table)("%s", async (_what, method, target, request, status, code) => {
    const answer = await service.client.send(method, target, request);
    expect({ status: answer.status, code: answer.code }).toEqual({ status, code });
    expect(answer.headers["x-store-error-code"] ?? answer.headers["x-ms-error-code"]).toBe(code);
    expect(answer.headers["content-type"]).toBe("application/xml");
    expect(answer.text).toMatch(
      /^<\?xml version="1\.0" encoding="utf-8"\?><Error><Code>\w+<\/Code><Message>[^<]+\nRequestId:[\w-]+\nTime:[\d-]+T[\d:]+\.\d{7}Z<\/Message>/u,
    );
  });

  test.each([
    ["/Box", "The specified resource name contains invalid characters."],
    ["/ab", "The specified resource name length is not within the permissible limits."],
  ])("the name %s is refused in the words that clients compare", async (target, message) => {
    const { text } = await service.client.send("PUT", `${target}?restype=container`);
    expect(text).toContain(`<Message>${message}\n`);
  });

  test("an account that isn't, by its signature alone, is not told from a wrong one", async () => {
    const stranger = service.client.with({ account: "nobody" });
    const answer = await stranger.send("GET", "/box/blob", { host: "localhost" });
    expect(answer).toMatchObject({ status: 403, code: "AuthenticationFailed" });
  });

  test("a marker whose name has a NUL is a name like any other", async () => {
    const marker = `!${Buffer.from(JSON.stringify(["\0", ""])).toString("base64url")}`;
    const answer = await service.client.send("GET", `/box?restype=container&comp=list&marker=${marker}`);
    expect(answer.status).toBe(200);
  });

  test("the unbuilt operations of the table say which they are", async () => {
    const answer = await service.client.send("GET", "/box/blob?comp=tags");
    expect([200, 501]).toContain(answer.status);
  });

  test("an error to HEAD has a code and no body and no content type", async () => {
    const answer = await service.client.send("HEAD", "/box/none");
    expect(answer).toMatchObject({ status: 404, text: "" });
    expect(answer.headers).toMatchObject({ "x-store-error-code": "BlobNotFound" });
    expect(answer.headers["content-type"]).toBeUndefined();
  });

  test("the store is as it was", async () => {
    const listing = await service.client.send("GET", "/box?restype=container&comp=list");
    expect([...listing.text.matchAll(/<Name>([^<]*)<\/Name>/gu)].map(([, name]) => name)).toEqual(["blob"]);
  });
});

/** Sends bytes as they are and gives what comes back until the connection ends. */
function raw(text: string | Buffer, thenEnd = false): Promise<string> {
  const { hostname, port } = new URL(service.url);
  return new Promise((resolve) => {
    let answer = "";
    const socket = connect(Number(port), hostname, () => {
      socket.write(text);
      if (thenEnd) {
        setTimeout(() => socket.destroy(), 100);
      }
    });
    socket.on("data", (part) => (answer += part.toString()));
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(answer));
  });
}

function signedHead(name: string, length: number, more: string = ""): string {
  const date = new Date(service.clock.now()).toUTCString();
  const headers = {
    "content-length": String(length),
    "x-store-blob-type": "BlockBlob",
    "x-store-date": date,
    "x-store-version": "2015-02-21",
  };
  const signature = service.client.sign("PUT", `/${testAccount}/box/${name}`, headers);
  const lines = Object.entries(headers).map(([header, value]) => `${header}: ${value}`);
  return [
    `PUT /${testAccount}/box/${name} HTTP/1.1`,
    "Host: localhost",
    `Authorization: SharedKey ${testAccount}:${signature}`,
    ...lines,
    ...(more === "" ? [] : [more]),
    "",
    "",
  ].join("\r\n");
}

describe("uploads that go wrong on the way", () => {
  test.each([100, 500_000])(
    "cut off after half of %i bytes: nothing is visible, and no file is left",
    async (length) => {
      await raw(Buffer.concat([Buffer.from(signedHead("cut", length)), randomBytes(length / 2)]), true);
      await expect.poll(() => service.parts.collector.collectOrphans()).toBe(0);
      expect(await service.client.send("GET", "/box/cut")).toMatchObject({ status: 404 });
    },
  );

  test("the byte over the limit of the version: 413 before a byte of the body is read", async () => {
    const limit = 64 * 1024 * 1024;
    const answer = await raw(signedHead("large", limit + 1));
    expect(answer).toMatch(/^HTTP\/1\.1 413 /u);
    expect(answer).toContain("<Code>RequestBodyTooLarge</Code>");
    expect(answer).toContain(`<MaxLimit>${limit}</MaxLimit>`);
  });

  test("without a length: 411", async () => {
    const date = new Date(service.clock.now()).toUTCString();
    const headers = { "x-store-blob-type": "BlockBlob", "x-store-date": date, "x-store-version": "2015-02-21" };
    const signature = service.client.sign("PUT", `/${testAccount}/box/chunked`, headers);
    const answer = await raw(
      [
        `PUT /${testAccount}/box/chunked HTTP/1.1`,
        "Host: localhost",
        "Connection: close",
        "Transfer-Encoding: chunked",
        `Authorization: SharedKey ${testAccount}:${signature}`,
        ...Object.entries(headers).map(([header, value]) => `${header}: ${value}`),
        "",
        "1\r\nx\r\n0\r\n\r\n",
      ].join("\r\n"),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 411 /u);
    expect(answer).toContain("<Code>MissingContentLengthHeader</Code>");
  });

  test("headers beyond the limit: 431 in XML", async () => {
    const answer = await raw(signedHead("headers", 0, `x-store-meta-a: ${"x".repeat(30_000)}`));
    expect(answer).toMatch(/^HTTP\/1\.1 431 /u);
    expect(answer).toContain("<Code>RequestHeadersTooLarge</Code>");
  });

  test("what is no HTTP: 400 in XML", async () => {
    const answer = await raw("SSH-2.0-OpenSSH_9.2\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1\.1 400 /u);
    expect(answer).toContain("<Code>InvalidInput</Code>");
    expect(answer).toContain("\r\nx-ms-error-code: InvalidInput\r\n");
    const [, id] = /\r\nx-ms-request-id: ([\w-]+)\r\n/u.exec(answer) ?? [];
    expect(answer).toContain(`\nRequestId:${id}\n`);
  });

  test("a client that waits for 100 Continue gets it", async () => {
    const head = signedHead("expect", 1, "Expect: 100-continue\r\nConnection: close");
    const { hostname, port } = new URL(service.url);
    const answer = await new Promise<string>((resolve) => {
      let text = "";
      const socket = connect(Number(port), hostname, () => socket.write(head));
      socket.on("data", (part) => {
        text += part.toString();
        if (text === "HTTP/1.1 100 Continue\r\n\r\n") {
          socket.write("x");
        }
      });
      socket.on("close", () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /u);
  });
});

describe("paths that are the server's own", () => {
  test.each(["/health/live", "/health/ready", "/metrics"])("%s is not a blob", async (path) => {
    const answer = await fetch(`${service.url}${path}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("x-ms-request-id")).toBeNull();
  });
});
