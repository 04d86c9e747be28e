import { createHmac, randomBytes } from "node:crypto";
import { request as startRequest } from "node:http";
import { XMLParser } from "fast-xml-parser";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ObjectsUnderTest } from "./objects-under-test.ts";

/*
 * The storage part of the interface document, sentence by sentence, against a server of our own on an empty folder.
 * The client below is written from the document alone: it shares no code with the server.
 */

let server: ObjectsUnderTest;
let account = "";
let key = "";
let port = "";

beforeAll(async () => {
  server = await ObjectsUnderTest.start();
  account = server.credentials.account;
  key = server.credentials.keys[0]!;
  port = new URL(server.url).port;
  const headers = ownHeaders();
  expect(
    await exchange("PUT", "/container?restype=container", { ...headers, Authorization: signedCreation(headers) }),
  ).toMatchObject({ status: 201 });
});

afterAll(() => server.close());

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

function exchange(
  method: string,
  target: string,
  headers: Readonly<Record<string, string>>,
  body: Buffer = Buffer.alloc(0),
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = {
      host: "127.0.0.1",
      port,
      method,
      path: target,
      headers: { ...headers, "Content-Length": body.length },
    };
    const request = startRequest(options, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }),
      );
    });
    request.on("error", reject);
    request.end(body);
  });
}

/** `<ddd>, <dd> <mmm> <yyyy> <HH:mm:ss> GMT` of §4.5. */
function dateText(ms: number = Date.now()): string {
  return new Date(ms).toUTCString();
}

function ownHeaders(date: string = dateText()): Record<string, string> {
  return { "x-store-date": date, "x-store-version": "2015-02-21" };
}

function hmac(text: string, accountKey = key): string {
  return createHmac("sha256", Buffer.from(accountKey, "base64")).update(text, "utf8").digest("base64");
}

function signedCreation(headers: Readonly<Record<string, string>>): string {
  const lines = ["PUT", "", "", "", "", "", "", "", "", "", "", ""];
  const own = Object.entries(headers).map(([name, value]) => `${name}:${value}`);
  return `SharedKey ${account}:${hmac([...lines, ...own, `/${account}/container`, "restype:container"].join("\n"))}`;
}

interface Upload {
  readonly date?: string;
  readonly contentType?: string;
  readonly accountKey?: string;
  readonly signedPath?: string;
}

/** The upload of §4.5, signed as §5.6 says. */
function upload(target: string, body: Buffer, change: Upload = {}): Promise<Answer> {
  const date = change.date ?? dateText();
  const own = { "x-store-blob-type": "BlockBlob", "x-store-date": date, "x-store-version": "2015-02-21" };
  const text = [
    "PUT",
    "", // content encoding
    "", // content language
    body.length === 0 ? "" : String(body.length),
    "", // content MD5
    change.contentType ?? "",
    "", // date
    "", // if-modified-since
    "", // if-match
    "", // if-none-match
    "", // if-unmodified-since
    "", // range
    `x-store-blob-type:BlockBlob`,
    `x-store-date:${date}`,
    `x-store-version:2015-02-21`,
    `/${account}${change.signedPath ?? target}`,
  ].join("\n");
  const type = change.contentType === undefined ? {} : { "Content-Type": change.contentType };
  const authorization = { Authorization: `SharedKey ${account}:${hmac(text, change.accountKey)}` };
  return exchange("PUT", target, { ...own, ...type, ...authorization }, body);
}

function download(target: string): Promise<Answer> {
  const headers = ownHeaders();
  const own = Object.entries(headers).map(([name, value]) => `${name}:${value}`);
  const text = ["GET", "", "", "", "", "", "", "", "", "", "", "", ...own, `/${account}${target}`].join("\n");
  return exchange("GET", target, { ...headers, Authorization: `SharedKey ${account}:${hmac(text)}` });
}

/** The elements of a storage error (§2). */
function errorOf(answer: Answer): Readonly<Record<string, string>> {
  const document = new XMLParser({ ignoreDeclaration: true }).parse(answer.body) as {
    readonly Error: Readonly<Record<string, string>>;
  };
  expect(Object.keys(document)).toEqual(["Error"]);
  return document.Error;
}

describe("identity §4.5 PUT /<container>/<blob>", () => {
  test.each([0, 1, 5_000, 100_000])(
    "with blob type, date, version 2015-02-21, length and a SharedKey signature stores %i bytes",
    async (size) => {
      const body = randomBytes(size);
      const answer = await upload(`/container/blob-${size}`, body);
      expect(answer.status).toBe(201);
      expect((await download(`/container/blob-${size}`)).body.equals(body)).toBe(true);
    },
  );

  test("with a content type, an encoded name and folders", async () => {
    const body = Buffer.from("text");
    expect(await upload("/container/a%20b/%C3%BC.txt", body, { contentType: "text/plain" })).toMatchObject({
      status: 201,
    });
    const answer = await download("/container/a%20b/%C3%BC.txt");
    expect(answer.body.toString()).toBe("text");
    expect(answer.headers).toMatchObject({ "content-type": "text/plain", "x-store-blob-type": "BlockBlob" });
  });

  test("on the account's own host name", async () => {
    const date = dateText();
    const own = { "x-store-blob-type": "BlockBlob", "x-store-date": date, "x-store-version": "2015-02-21" };
    const text = [
      "PUT",
      "",
      "",
      "1",
      ...Array.from({ length: 8 }, () => ""),
      ...Object.entries(own).map(([name, value]) => `${name}:${value}`),
      `/${account}/container/host`,
    ];
    const headers = {
      ...own,
      Host: `${account}.localhost`,
      Authorization: `SharedKey ${account}:${hmac(text.join("\n"))}`,
    };
    expect(await exchange("PUT", "/container/host", headers, Buffer.from("x"))).toMatchObject({ status: 201 });
  });
});

describe("identity §5.6 the signature", () => {
  test("is the base64 of HMAC-SHA256 over the eleven standard lines, the x-store headers in name order and /<account> + path", async () => {
    expect(await upload("/container/signed", Buffer.from("x"))).toMatchObject({ status: 201 });
  });

  test("covers each part: what was signed for something else is refused", async () => {
    const refused = await upload("/container/other", Buffer.from("x"), { signedPath: "/container/signed" });
    expect(refused).toMatchObject({ status: 403 });
    expect((await download("/container/other")).status).toBe(404);
  });

  test("needs the account's key", async () => {
    const answer = await upload("/container/key", Buffer.from("x"), { accountKey: randomBytes(64).toString("base64") });
    expect(answer).toMatchObject({ status: 403 });
  });
});

describe("identity §5.7 the date", () => {
  test.each([
    ["of yesterday", dateText(Date.now() - 86_400_000)],
    ["of sixteen minutes ago", dateText(Date.now() - 16 * 60_000)],
    ["in sixteen minutes", dateText(Date.now() + 16 * 60_000)],
    ["in another form", new Date().toISOString()],
  ])("%s makes the request fail, although it is signed", async (_name, date) => {
    const answer = await upload("/container/date", Buffer.from("x"), { date });
    expect(answer.status).toBe(403);
    expect(errorOf(answer)["Code"]).toBe("AuthenticationFailed");
    expect((await download("/container/date")).status).toBe(404);
  });
});

describe("identity §7 and identity §2 a wrong signature or date", () => {
  test("is an XML document with Code, Message and AuthenticationErrorDetail", async () => {
    const answer = await upload("/container/blob", Buffer.from("x"), { signedPath: "/elsewhere" });
    expect(answer.headers["content-type"]).toBe("application/xml");
    const error = errorOf(answer);
    expect(error["Code"]).toBe("AuthenticationFailed");
    expect(error["Message"]).toMatch(/Authorization header .* including the signature/u);
    expect(error["AuthenticationErrorDetail"]).toContain("MAC signature");
  });

  test("names the Date header when that is it", async () => {
    const answer = await upload("/container/blob", Buffer.from("x"), { date: "not a date" });
    expect(errorOf(answer)["AuthenticationErrorDetail"]).toMatch(/Date header .* is incorrect/u);
  });
});

describe("identity §9 the version", () => {
  test("travels in x-store-version; 2015-02-21 is understood and answered in kind", async () => {
    const { headers } = await upload("/container/version", Buffer.from("x"));
    expect(headers["x-store-version"]).toBe("2015-02-21");
    expect(Object.keys(headers).filter((name) => name.startsWith("x-ms-"))).toEqual([]);
  });
});
