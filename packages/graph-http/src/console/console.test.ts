import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestInterface, type TestInterface } from "../testing/test-interface.ts";
import { chooseEncoding } from "./choose-encoding.ts";

const SCRIPT = "export const answer = 42;\n".repeat(100);

describe("the console's files", () => {
  let server: TestInterface;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "console-"));
    const dist = path.join(folder, "dist");
    await mkdir(path.join(dist, "assets"), { recursive: true });
    await writeFile(path.join(dist, "index.html"), `<meta name="style-nonce" content="__style-nonce__">`);
    await writeFile(path.join(dist, "assets", "index-abc.js"), SCRIPT);
    await writeFile(path.join(dist, "assets", "notes.txt"), "not served");
    await writeFile(path.join(folder, "secret.json"), "{}");
    server = await startTestInterface({ password: "secret", consoleDirectory: dist });
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });
  const get = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(server.baseUrl + url, { headers, redirect: "manual" });
  const raw = (url: string, encoding: string): Promise<{ headers: Record<string, unknown>; rawPayload: Buffer }> =>
    server.app.inject({ url, headers: { "accept-encoding": encoding } });

  it("has a page without credentials, with a nonce of its own each time", async () => {
    const pages = await Promise.all([get("/browser/"), get("/browser/")]);
    const [first, second] = await Promise.all(pages.map((page) => page.text()));
    const nonce = /content="([^"]+)"/.exec(first ?? "")?.[1] ?? "";
    expect(first).not.toBe(second);
    expect(pages[0]?.headers.get("content-security-policy")).toContain(`style-src 'self' 'nonce-${nonce}'`);
    expect(pages[0]?.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(pages[0]?.headers.get("cache-control")).toBe("no-cache");
    expect((await get("/browser")).status).toBe(302);
  });

  it("keeps what has a hash in its name for good, compressed as the browser likes", async () => {
    const plain = await get("/browser/assets/index-abc.js");
    expect(plain.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(await plain.text()).toBe(SCRIPT);
    const brotli = await raw("/browser/assets/index-abc.js", "gzip, br");
    expect(brotli.headers["content-encoding"]).toBe("br");
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(SCRIPT);
    const zipped = await raw("/browser/assets/index-abc.js", "gzip");
    expect(zipped.headers).toMatchObject({ "content-encoding": "gzip", vary: "Accept-Encoding" });
    expect(gunzipSync(zipped.rawPayload).toString()).toBe(SCRIPT);
  });

  it("serves nothing else", async () => {
    for (const url of [
      "/browser/assets/notes.txt",
      "/browser/nothing.js",
      "/browser/../secret.json",
      "/browser/%2e%2e/secret.json",
      "/browser/..%2fsecret.json",
      "/browser/assets",
    ]) {
      expect((await server.app.inject({ url })).statusCode, url).not.toBe(200);
    }
  });

  it("tells the console what it must know before anyone signs in", async () => {
    expect(await (await get("/browser/settings.json")).json()).toEqual({
      languageMode: "modern",
      asksForCredentials: true,
      reportedVersion: "2.3.12",
    });
  });
});

describe("a console that was not built", () => {
  it("says so", async () => {
    const server = await startTestInterface();
    try {
      const page = await fetch(`${server.baseUrl}/browser/`);
      expect(page.status).toBe(200);
      expect(await page.text()).toContain("npm run build");
    } finally {
      await server.close();
    }
  });
});

describe("chooseEncoding", () => {
  it.each([
    [undefined, "identity"],
    ["", "identity"],
    ["gzip, deflate, br, zstd", "br"],
    ["gzip;q=0.5", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["*", "br"],
    ["identity", "identity"],
  ] as const)("%s gives %s", (header, encoding) => {
    expect(chooseEncoding(header)).toBe(encoding);
  });
});
