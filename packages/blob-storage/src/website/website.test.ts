import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestService, testAccount, type TestService } from "../testing/start-test-service.ts";
import { type TestAnswer } from "../testing/test-client.ts";

let service: TestService;
const host = `${testAccount}.web.localhost`;
const browse = (path: string, method = "GET", headers: Record<string, string> = {}): Promise<TestAnswer> =>
  service.client.send(method, path, { anonymous: true, host, headers });
const configure = (site: string): Promise<TestAnswer> =>
  service.client.send("PUT", "/?restype=service&comp=properties", {
    body: `<StorageServiceProperties><StaticWebsite>${site}</StaticWebsite></StorageServiceProperties>`,
  });

beforeAll(async () => {
  service = await startTestService();
  await service.client.send("PUT", "/$web?restype=container");
  for (const name of ["index.html", "docs/index.html", "404.html", "a%20b.html"]) {
    const headers = { "~blob-type": "BlockBlob", "~blob-content-type": "text/html" };
    await service.client.send("PUT", `/$web/${name}`, { body: `page ${name}`, headers });
  }
});
afterAll(() => service.close());

test("a site that is switched off shows nothing", async () => {
  const answer = await browse("/");
  expect(answer).toMatchObject({ status: 404 });
  expect(answer.headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(answer.text).not.toContain("page");
});

test("folders show their index, missing pages the error document, to everybody", async () => {
  await configure(
    "<Enabled>true</Enabled><IndexDocument>index.html</IndexDocument><ErrorDocument404Path>404.html</ErrorDocument404Path>",
  );
  expect(await browse("/")).toMatchObject({ status: 200, text: "page index.html" });
  expect(await browse("/docs/?x=1")).toMatchObject({ status: 200, text: "page docs/index.html" });
  expect(await browse("/a%20b.html")).toMatchObject({ status: 200, text: "page a%20b.html" });
  expect(await browse("/none/")).toMatchObject({ status: 404, text: "page 404.html" });
  expect(await browse("/none", "GET", { range: "bytes=0-1", "if-match": '"x"' })).toMatchObject({
    text: "page 404.html",
  });
  expect(await browse("/", "HEAD")).toMatchObject({ status: 200, text: "" });
  expect(await browse("/none", "HEAD")).toMatchObject({ status: 404, text: "" });
  expect(await browse("/index.html", "GET", { range: "bytes=0-3" })).toMatchObject({ status: 206, text: "page" });
  const page = await browse("/");
  expect(page.headers["content-security-policy"]).toBeUndefined();
  const etag = page.headers["etag"] ?? "";
  expect(await browse("/", "GET", { "if-none-match": etag })).toMatchObject({ status: 304 });
});

test("one index for the whole site", async () => {
  await configure("<Enabled>true</Enabled><DefaultIndexDocumentPath>index.html</DefaultIndexDocumentPath>");
  expect(await browse("/docs/")).toMatchObject({ status: 200, text: "page index.html" });
  expect(await browse("/none")).toMatchObject({ status: 404 });
});

test("nothing but reads, and no other container", async () => {
  expect(await browse("/index.html", "PUT")).toMatchObject({ status: 405, code: "UnsupportedHttpVerb" });
  expect(await browse("/index.html", "DELETE")).toMatchObject({ status: 405 });
  expect(await browse("/%zz")).toMatchObject({ status: 400, code: "InvalidUri" });
  const other = await service.client.send("GET", "/", { anonymous: true, host: "nobody1.web.localhost" });
  expect(other).toMatchObject({ status: 404, code: "ResourceNotFound" });
});

test("the blobs' own address stays as it is: a private container is private", async () => {
  expect(await service.client.send("GET", "/$web/index.html", { anonymous: true })).toMatchObject({ status: 401 });
});
