import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startTestService, type TestService } from "../testing/start-test-service.ts";
import { type TestAnswer } from "../testing/test-client.ts";
import { isPrivateAddress } from "./foreign-address.ts";

/* A server of somebody else's, and ours, which may copy from it. */

const body = "HelloWorldFromElsewhere";
let server: Server;
let port: number;
let asked: IncomingMessage[] = [];
let behave: (request: IncomingMessage, response: ServerResponse) => void;
let service: TestService;
const names: Record<string, readonly string[]> = {
  "inside.example": ["10.1.2.3"],
  "mixed.example": ["93.184.216.34", "::1"],
};

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request);
    behave(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  ({ port } = server.address() as AddressInfo);
  service = await startTestService({
    foreignHosts: {
      allowed: [`127.0.0.1:${port}`, `inside.example:${port}`, `mixed.example:${port}`, `nowhere.example:${port}`],
      resolve: (host) => Promise.resolve(names[host] ?? []),
    },
  });
  await service.client.send("PUT", "/box?restype=container");
});
afterAll(async () => {
  await service.close();
  server.closeAllConnections();
  await new Promise((resolve) => {
    server.close(resolve);
  });
});
beforeEach(() => {
  asked = [];
  behave = serve;
});

function serve({ headers }: IncomingMessage, response: ServerResponse): void {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/u.exec(headers.range ?? "") ?? [];
  const part = first === undefined ? body : body.slice(Number(first), last === "" ? undefined : Number(last) + 1);
  response.writeHead(first === undefined ? 200 : 206, {
    "content-type": "text/plain",
    "content-length": part.length,
    "cache-control": "no-cache",
    "x-ms-meta-a": "1",
  });
  response.end(part);
}

const source = (host = `127.0.0.1:${port}`): string => `http://${host}/their/blob?sig=secret`;
const put = (target: string, from: string, headers: Record<string, string> = {}): Promise<TestAnswer> =>
  service.client.send("PUT", `/box/${target}`, { headers: { "~copy-source": from, ...headers } });
const get = (name: string): Promise<TestAnswer> => service.client.send("GET", `/box/${name}`);
const md5 = (text: string): string => createHash("md5").update(text).digest("base64");
const refused = { status: 404, code: "CannotVerifyCopySource" };

describe("a source on an allowed host", () => {
  test("is copied with its headers, and its signature is told to nobody", async () => {
    expect(await put("copied", source())).toMatchObject({ status: 202, headers: { "x-store-copy-status": "success" } });
    const { text, headers } = await get("copied");
    expect(text).toBe(body);
    expect(headers).toMatchObject({
      "content-type": "text/plain",
      "cache-control": "no-cache",
      "content-md5": md5(body),
      "x-store-meta-a": "1",
      "x-store-copy-source": source().split("?")[0],
      "x-store-copy-progress": `${body.length}/${body.length}`,
    });
    expect(asked[0]!.url).toBe("/their/blob?sig=secret");
    expect(asked[0]!.headers).not.toHaveProperty("authorization");
  });

  test("is uploaded from, with headers of the upload's own", async () => {
    const headers = { "~blob-type": "BlockBlob", "~blob-content-type": "image/png", "~meta-b": "2" };
    expect(await put("uploaded", source(), headers)).toMatchObject({
      status: 201,
      headers: { "content-md5": md5(body) },
    });
    const uploaded = await get("uploaded");
    expect(uploaded.headers).toMatchObject({ "content-type": "image/png", "x-store-meta-b": "2" });
    expect(uploaded.headers["x-store-copy-id"]).toBeUndefined();
  });

  test("gives blocks and appended bytes, by range", async () => {
    const block = encodeURIComponent(Buffer.from("1").toString("base64"));
    const staged = await put(`blocks?comp=block&blockid=${block}`, source(), { "~source-range": "bytes=0-9" });
    expect(staged).toMatchObject({ status: 201, headers: { "content-md5": md5(body.slice(0, 10)) } });
    await service.client.send("PUT", "/box/appended", { headers: { "~blob-type": "AppendBlob" } });
    await put("appended?comp=appendblock", source(), { "~source-range": "bytes=10-" });
    expect(await get("appended")).toMatchObject({ text: body.slice(10) });
    const wrong = { "~source-content-md5": md5("something else") };
    expect(await put("appended?comp=appendblock", source(), wrong)).toMatchObject({ status: 400, code: "Md5Mismatch" });
    expect(await get("appended")).toMatchObject({ text: body.slice(10) });
  });

  test("is asked under its conditions", async () => {
    behave = (_request, response) => response.writeHead(412).end();
    expect(await put("conditional", source(), { "~source-if-match": '"0x1"' })).toMatchObject({
      status: 412,
      code: "SourceConditionNotMet",
    });
    expect(asked[0]!.headers).toMatchObject({ "if-match": '"0x1"' });
  });

  test.each([
    ["refuses", (response: ServerResponse) => response.writeHead(403).end(), 403],
    ["asks for credentials", (response: ServerResponse) => response.writeHead(401).end(), 403],
    ["has nothing", (response: ServerResponse) => response.writeHead(404).end(), 404],
    [
      "leads elsewhere",
      (response: ServerResponse) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
      404,
    ],
    ["says no length", (response: ServerResponse) => response.writeHead(200).end("text"), 404],
    ["hangs up", (response: ServerResponse) => response.destroy(), 404],
    [
      "breaks off",
      (response: ServerResponse) => {
        response.writeHead(200, { "content-length": 100_000 });
        response.write("x".repeat(50_000), () => response.destroy());
      },
      404,
    ],
  ] as const)("that %s leaves nothing", async (_what, answer, status) => {
    behave = (_request, response) => void answer(response);
    expect(await put("failed", source())).toMatchObject({ status, code: "CannotVerifyCopySource" });
    expect(await get("failed")).toMatchObject({ status: 404 });
    expect(asked).toHaveLength(1);
  });

  test("is given a token or its key over https only", async () => {
    const bytes = Buffer.alloc(32, 7);
    const sourceKey = {
      "~blob-type": "BlockBlob",
      "~source-encryption-key": bytes.toString("base64"),
      "~source-encryption-key-sha256": createHash("sha256").update(bytes).digest("base64"),
      "~source-encryption-algorithm": "AES256",
    };
    for (const secret of [{ "~copy-source-authorization": "Bearer token" }, sourceKey]) {
      const answer = await put("token", source(), secret as Record<string, string>);
      expect(answer).toMatchObject({ status: 403, code: "CannotVerifyCopySource" });
    }
    expect(asked).toEqual([]);
  });

  test("is stored with the key of the request", async () => {
    const bytes = Buffer.alloc(32, 9);
    const key = {
      "~encryption-key": bytes.toString("base64"),
      "~encryption-key-sha256": createHash("sha256").update(bytes).digest("base64"),
      "~encryption-algorithm": "AES256",
    };
    expect(await put("keyed", source(), { "~blob-type": "BlockBlob", ...key })).toMatchObject({ status: 201 });
    expect(await get("keyed")).toMatchObject({ status: 409, code: "BlobUsesCustomerSpecifiedEncryption" });
    const read = await service.client.send("GET", "/box/keyed", { headers: key });
    expect([read.text, read.headers["x-store-meta-a"]]).toEqual([body, "1"]);
  });
});

describe("no connection is made", () => {
  test.each([
    ["to a host that isn't allowed", () => `127.0.0.2:${port}`],
    ["to another port of one that is", () => `127.0.0.1:${port + 1}`],
    ["where a name leads into a private network", () => `inside.example:${port}`],
    ["where one of its addresses does", () => `mixed.example:${port}`],
    ["where a name leads nowhere", () => `nowhere.example:${port}`],
  ])("%s", async (_what, host) => {
    expect(await put("never", source(host()))).toMatchObject(refused);
    expect(asked).toEqual([]);
  });
});

test.each([
  ["127.0.0.1", true],
  ["::ffff:192.168.1.1", true],
  ["169.254.169.254", true],
  ["172.31.255.255", true],
  ["172.32.0.1", false],
  ["::1", true],
  ["fd00::1", true],
  ["2606:2800:220:1:248:1893:25c8:1946", false],
  ["93.184.216.34", false],
])("%s is private: %s", (address, expected) => {
  expect(isPrivateAddress(address)).toBe(expected);
});
