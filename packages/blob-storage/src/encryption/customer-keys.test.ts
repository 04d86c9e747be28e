import { createHash, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { checkStore } from "../scrubbing/check-store.ts";
import { readQueryAnswer } from "../testing/read-query-answer.ts";
import { testAccount } from "../testing/start-test-service.ts";
import { type TestHeaders, useTestBox } from "../testing/test-box.ts";
import { type TestAnswer } from "../testing/test-client.ts";
import { ContentKey } from "./content-key.ts";

const box = useTestBox();
const { fileSystem, send, put } = box;

/** The three headers of a key; `prefix` for that of a source. */
function keyOf(bytes: Buffer, prefix = ""): TestHeaders {
  return {
    [`~${prefix}encryption-key`]: bytes.toString("base64"),
    [`~${prefix}encryption-key-sha256`]: createHash("sha256").update(bytes).digest("base64"),
    [`~${prefix}encryption-algorithm`]: "AES256",
  };
}

const [keyBytes, otherBytes] = [randomBytes(32), randomBytes(32)];
const [key, other] = [keyOf(keyBytes), keyOf(otherBytes)];
const sha256 = key["~encryption-key-sha256"];
const encrypted = { "x-store-encryption-key-sha256": sha256 };
const block = { "~blob-type": "BlockBlob" };

const get = (target: string, headers: TestHeaders = key): Promise<TestAnswer> => box.get(target, headers);
const source = (name: string): TestHeaders => ({ "~copy-source": `${box.service.url}/${testAccount}/box/${name}` });
const id = (text: string): string => Buffer.from(text).toString("base64");
const stage = (name: string, blockId: string, body: Buffer, headers: TestHeaders = {}): Promise<TestAnswer> =>
  send("PUT", `${name}?comp=block&blockid=${encodeURIComponent(id(blockId))}`, headers, body);
const commit = (name: string, blockIds: readonly string[], headers: TestHeaders = {}): Promise<TestAnswer> => {
  const list = blockIds.map((blockId) => `<Latest>${id(blockId)}</Latest>`).join("");
  return send("PUT", `${name}?comp=blocklist`, headers, `<?xml version="1.0"?><BlockList>${list}</BlockList>`);
};
const code = async (answer: Promise<TestAnswer>): Promise<string> => {
  const { status, code: text } = await answer;
  return `${status} ${text}`;
};

const missing = "409 BlobUsesCustomerSpecifiedEncryption";
const unasked = "409 BlobDoesNotUseCustomerSpecifiedEncryption";
const mismatch = "409 BlobCustomerSpecifiedEncryptionMismatch";

test("any range of an encrypted run is decrypted by itself, also where the counter begins anew", () => {
  const customerKey = new ContentKey(keyBytes, {});
  const plain = randomBytes(500);
  const nonces = fc.oneof(fc.uint8Array({ minLength: 16, maxLength: 16 }), fc.constant(new Uint8Array(16).fill(255)));
  fc.assert(
    fc.property(nonces, fc.nat(plain.length), fc.nat(plain.length), (nonce, start, end) => {
      const stored = customerKey.cipherStream(nonce, 0)(plain);
      expect(customerKey.cipherStream(nonce, start)(stored.subarray(start, end))).toEqual(plain.subarray(start, end));
    }),
  );
});

describe.each([0, 1, 16_384, 16_385, 1_300_000])("a blob of %i bytes", (length) => {
  const name = `length-${length}`;
  const body = randomBytes(length);

  test("is read with its key only, whole and in ranges", async () => {
    const stored = await put(name, body, { ...key, "~meta-a": "1" });
    expect(stored).toMatchObject({
      status: 201,
      headers: { ...encrypted, "x-store-request-server-encrypted": "true" },
    });
    expect(stored.headers["content-md5"]).toBe(createHash("md5").update(body).digest("base64"));
    const whole = await get(name);
    expect(whole.bytes.equals(body)).toBe(true);
    expect(whole.headers).toMatchObject({ ...encrypted, "x-store-server-encrypted": "true", "x-store-meta-a": "1" });
    for (const [headers, expected] of [
      [{}, missing],
      [other, mismatch],
    ] as const) {
      expect(await code(get(name, headers))).toBe(expected);
      expect(await code(send("HEAD", name, headers))).toBe(expected);
      expect(await code(get(`${name}?comp=metadata`, headers))).toBe(expected);
    }
    expect(await send("HEAD", name, key)).toMatchObject({
      status: 200,
      headers: { ...encrypted, "x-store-meta-a": "1" },
    });
    expect((await get(`${name}?comp=metadata`)).headers).toMatchObject({ "x-store-meta-a": "1" });
  });
});

test.each([
  ["bytes=0-0", 0, 1],
  ["bytes=7-70001", 7, 70_002],
  ["bytes=1048570-1048580", 1_048_570, 1_048_581],
  ["bytes=1299995-", 1_299_995, 1_300_000],
])("a range, %s, has its bytes and their checksum", async (range, start, end) => {
  const body = randomBytes(1_300_000);
  await put("ranges", body, key);
  const answer = await get("ranges", { ...key, "~range": range, "~range-get-content-md5": "true" });
  expect(answer.bytes.equals(body.subarray(start, end))).toBe(true);
  expect(answer.headers["content-md5"]).toBe(createHash("md5").update(body.subarray(start, end)).digest("base64"));
});

test("neither bytes nor metadata nor the key are on the disk in the clear", async () => {
  const [small, large, secret] = ["smallplaintext", "largeplaintext".repeat(5_000), "secretmetadata"];
  await put("clear", small, { ...key, "~meta-a": secret });
  await put("clear-large", large, key);
  await stage("clear-staged", "a", Buffer.from(small), key);
  await put("visible", "visibleplaintext");
  const files = ["objects.db", "objects.db-wal"].map((name) => path.join(box.service.directory, name));
  const database = Buffer.concat(await Promise.all(files.map((file) => readFile(file))));
  expect(database.includes("visibleplaintext")).toBe(true);
  for (const text of [small, secret, keyBytes, keyBytes.toString("base64")]) {
    expect(database.includes(text)).toBe(false);
  }
  for (const file of fileSystem.fileNames) {
    const stored = Buffer.alloc(fileSystem.sizeOf(file));
    await (await fileSystem.open(file)).read(stored, 0);
    expect(stored.includes("largeplaintext")).toBe(false);
  }
});

test("a key for a blob that has none is refused", async () => {
  await put("plain", "text");
  expect(await code(get("plain"))).toBe(unasked);
  expect(await code(send("HEAD", "plain", key))).toBe(unasked);
  expect(await code(send("PUT", "plain?comp=metadata", { ...key, "~meta-a": "1" }))).toBe(unasked);
  expect(await code(send("PUT", "plain?comp=snapshot", key))).toBe(unasked);
});

describe("headers of a key", () => {
  const [name, hash, algorithm] = ["~encryption-key", "~encryption-key-sha256", "~encryption-algorithm"] as const;
  const without = (left: string): TestHeaders =>
    Object.fromEntries(Object.entries(key).filter(([each]) => each !== left));

  test.each([
    ["one is missing", without(name), "MissingRequiredHeader", name],
    ["the hash is missing", without(hash), "MissingRequiredHeader", hash],
    ["the algorithm is missing", without(algorithm), "MissingRequiredHeader", algorithm],
    ["the key is too short", { ...key, [name]: randomBytes(31).toString("base64") }, "InvalidHeaderValue", name],
    ["the key is no base64", { ...key, [name]: `${key[name]}!` }, "InvalidHeaderValue", name],
    ["the hash is another's", { ...key, [hash]: other[hash]! }, "InvalidHeaderValue", hash],
    ["the algorithm is another", { ...key, [algorithm]: "AES128" }, "InvalidHeaderValue", algorithm],
    ["somebody else may listen", { ...key, "x-forwarded-for": "203.0.113.7" }, "InvalidHeaderValue", name],
  ])("are refused when %s, and the key is not repeated", async (_, headers, expected, header) => {
    const answer = await put("refused", "text", headers);
    expect(answer).toMatchObject({ status: 400, code: expected });
    expect(answer.text).toContain(`<HeaderName>${header.replace("~", "x-store-")}</HeaderName>`);
    expect(answer.text).not.toContain(headers[name] ?? "nothing");
    expect(await send("HEAD", "refused")).toMatchObject({ status: 404 });
  });

  test("are refused by operations that take none; readers may leave out the algorithm", async () => {
    await put("taken", "text", key);
    expect(await code(send("PUT", "taken?comp=tier", { ...key, "~access-tier": "Cool" }))).toBe(
      "400 UnsupportedHeader",
    );
    expect(await code(send("PUT", "copied", { ...source("taken"), ...key }))).toBe("400 UnsupportedHeader");
    expect((await get("taken", without(algorithm))).text).toBe("text");
  });
});

describe("block blobs", () => {
  const [one, two] = [randomBytes(20_000), randomBytes(300)];

  test("are made of blocks that share the key, which the list must have too", async () => {
    expect(await stage("list", "a", one, key)).toMatchObject({ status: 201, headers: encrypted });
    await stage("list", "b", two, key);
    expect(await code(stage("list", "c", two))).toBe(missing);
    expect(await code(stage("list", "c", two, other))).toBe(mismatch);
    expect(await code(commit("list", ["a", "b"]))).toBe(missing);
    expect(await code(commit("list", ["a", "b"], other))).toBe(mismatch);
    expect(await commit("list", ["b", "a", "b"], key)).toMatchObject({ status: 201, headers: encrypted });
    expect((await get("list")).bytes.equals(Buffer.concat([two, one, two]))).toBe(true);
    const range = await get("list", { ...key, "~range": "bytes=290-20310" });
    expect(range.bytes.equals(Buffer.concat([two, one, two]).subarray(290, 20_311))).toBe(true);
  });

  test("take over committed blocks only with their key", async () => {
    await stage("again", "a", one, key);
    await commit("again", ["a"], key);
    await stage("again", "b", two, other);
    expect(await code(commit("again", ["a", "b"], other))).toBe(mismatch);
    expect(await code(commit("again", ["a"]))).toBe(missing);
    expect(await commit("again", ["b"], other)).toMatchObject({ status: 201 });
    expect((await get("again", other)).bytes.equals(two)).toBe(true);
  });

  test("without a key stay so", async () => {
    await stage("open", "a", two);
    expect(await code(stage("open", "b", two, key))).toBe(unasked);
    expect(await code(commit("open", ["a"], key))).toBe(unasked);
    await commit("open", ["a"]);
    expect((await get("open", {})).bytes.equals(two)).toBe(true);
  });

  test("may be replaced with another key, or without", async () => {
    await put("rotated", "one", key);
    await put("rotated", "two", other);
    expect(await code(get("rotated"))).toBe(mismatch);
    expect((await get("rotated", other)).text).toBe("two");
    await put("rotated", "three");
    expect((await get("rotated", {})).text).toBe("three");
  });
});

test("an append blob grows with its key", async () => {
  const [one, two] = [randomBytes(40_000), randomBytes(100)];
  const create = { "~blob-type": "AppendBlob", "~meta-a": "1", ...key };
  expect(await send("PUT", "log", create)).toMatchObject({ status: 201, headers: encrypted });
  expect(await send("PUT", "log?comp=appendblock", key, one)).toMatchObject({ status: 201, headers: encrypted });
  expect(await code(send("PUT", "log?comp=appendblock", {}, two))).toBe(missing);
  await send("PUT", "log?comp=appendblock", key, two);
  const read = await get("log");
  expect(read.bytes.equals(Buffer.concat([one, two]))).toBe(true);
  expect(read.headers).toMatchObject({ ...encrypted, "x-store-meta-a": "1" });
});

test("a page blob is written, cut and cleared with its key; what was never written is zeros", async () => {
  const pages = Buffer.alloc(40 * 512);
  const headers = { "~blob-type": "PageBlob", "~blob-content-length": String(pages.length), ...key };
  expect(await send("PUT", "disk", headers)).toMatchObject({ status: 201, headers: encrypted });
  const write = (from: number, count: number, more: TestHeaders = key): Promise<TestAnswer> => {
    const body = randomBytes(count * 512);
    body.copy(pages, from * 512);
    const range = { "~page-write": "update", "~range": `bytes=${from * 512}-${(from + count) * 512 - 1}` };
    return send("PUT", "disk?comp=page", { ...range, ...more }, body);
  };
  expect(await write(1, 8)).toMatchObject({ status: 201, headers: encrypted });
  await write(3, 2);
  await write(0, 38);
  await write(9, 1);
  const clear = { "~page-write": "clear", "~range": "bytes=2048-3071" };
  expect(await code(send("PUT", "disk?comp=page", clear))).toBe(missing);
  await send("PUT", "disk?comp=page", { ...clear, ...key });
  pages.fill(0, 2048, 3072);
  expect((await get("disk")).bytes.equals(pages)).toBe(true);
  await send("PUT", "disk?comp=snapshot", key);
  await write(5, 30);
  expect((await get("disk")).bytes.equals(pages)).toBe(true);
  const shorter = { "~blob-content-length": "5120" };
  expect(await code(send("PUT", "disk?comp=properties", shorter))).toBe(missing);
  await send("PUT", "disk?comp=properties", { ...shorter, ...key });
  expect((await get("disk")).bytes.equals(pages.subarray(0, 5120))).toBe(true);
});

test("snapshots and metadata keep the key of their blob, and share its bytes", async () => {
  const body = randomBytes(50_000);
  await put("kept", body, { ...key, "~meta-a": "1" });
  const files = fileSystem.fileNames.length;
  expect(await code(send("PUT", "kept?comp=snapshot"))).toBe(missing);
  const { "x-store-snapshot": moment } = (await send("PUT", "kept?comp=snapshot", key)).headers;
  const own = await send("PUT", "kept?comp=snapshot", { ...key, "~meta-b": "2" });
  expect(await code(send("PUT", "kept?comp=metadata", { "~meta-c": "3" }))).toBe(missing);
  const changed = await send("PUT", "kept?comp=metadata", { ...key, "~meta-c": "3" });
  expect(changed).toMatchObject({ status: 200, headers: encrypted });
  expect(fileSystem.fileNames).toHaveLength(files);
  expect((await send("HEAD", "kept", key)).headers).toMatchObject({ "x-store-meta-c": "3" });
  const first = await get(`kept?snapshot=${moment}`);
  expect([first.bytes.equals(body), first.headers["x-store-meta-a"]]).toEqual([true, "1"]);
  const second = await get(`kept?snapshot=${own.headers["x-store-snapshot"]}`);
  expect([second.bytes.equals(body), second.headers["x-store-meta-b"]]).toEqual([true, "2"]);
  expect(await code(get(`kept?snapshot=${moment}`, {}))).toBe(missing);
});

test("a listing names the key's hash, and has no metadata", async () => {
  await put("listed", "x", { ...key, "~meta-a": "1" });
  const { text } = await box.service.client.send(
    "GET",
    "/box?restype=container&comp=list&include=metadata&prefix=listed",
  );
  expect(text).toContain(
    `<ServerEncrypted>true</ServerEncrypted><CustomerProvidedKeySha256>${sha256}</CustomerProvidedKeySha256>`,
  );
  expect(text).toContain(`<Metadata Encrypted="true" />`);
});

test("rows of an encrypted blob are found with its key", async () => {
  await put("rows", "Oslo,1\nParis,2\n", key);
  const format = "<Format><Type>delimited</Type><DelimitedTextConfiguration/></Format>";
  const body =
    `<QueryRequest><QueryType>SQL</QueryType><Expression>SELECT _1 FROM BlobStorage</Expression>` +
    `<InputSerialization>${format}</InputSerialization><OutputSerialization>${format}</OutputSerialization></QueryRequest>`;
  expect(await code(send("POST", "rows?comp=query", {}, body))).toBe(missing);
  const answer = await send("POST", "rows?comp=query", key, body);
  expect(readQueryAnswer(answer.bytes).text).toBe("Oslo\nParis\n");
  expect(answer.headers).toMatchObject(encrypted);
});

test("what takes no key neither copies nor changes the tier of an encrypted blob", async () => {
  await put("fixed", "text", key);
  const refused = await send("PUT", "copied", source("fixed"));
  expect(refused).toMatchObject({ status: 409, code: "CannotVerifyCopySource" });
  expect(refused.headers).toMatchObject({ "x-store-copy-source-error-code": "BlobUsesCustomerSpecifiedEncryption" });
  expect(await code(send("PUT", "copied", { ...source("fixed"), "~requires-sync": "true" }))).toBe(
    "409 CannotVerifyCopySource",
  );
  expect(await code(send("PUT", "fixed?comp=tier", { "~access-tier": "Cool" }))).toBe(missing);
  expect(await send("PUT", "fixed?comp=tags", {}, "<Tags><TagSet /></Tags>")).toMatchObject({ status: 204 });
  expect(await send("DELETE", "fixed")).toMatchObject({ status: 202 });
});

describe("a source by its URL", () => {
  const body = randomBytes(30_000);
  const [sourceKey, otherSourceKey] = [keyOf(keyBytes, "source-"), keyOf(otherBytes, "source-")];
  const empty = { "content-length": "0" };

  beforeAll(async () => {
    await put("from", body, { ...key, "~meta-a": "1", "content-type": "text/x" });
    await put("from-plain", body, { "~meta-a": "1" });
  });

  test("is stored anew with another key, with a first one, or without", async () => {
    const rotated = await send("PUT", "to-other", { ...block, ...source("from"), ...sourceKey, ...other });
    expect(rotated).toMatchObject({
      status: 201,
      headers: { "x-store-encryption-key-sha256": other["~encryption-key-sha256"] },
    });
    expect(rotated.headers["content-md5"]).toBe(createHash("md5").update(body).digest("base64"));
    const read = await get("to-other", other);
    expect([read.bytes.equals(body), read.headers["x-store-meta-a"], read.headers["content-type"]]).toEqual([
      true,
      "1",
      "text/x",
    ]);
    await send("PUT", "to-open", { ...block, ...source("from"), ...sourceKey });
    expect((await get("to-open", {})).bytes.equals(body)).toBe(true);
    expect((await get("to-open", {})).headers["x-store-meta-a"]).toBe("1");
    await send("PUT", "to-first", { ...block, ...source("from-plain"), ...key, "~meta-b": "2" });
    expect((await get("to-first")).bytes.equals(body)).toBe(true);
    expect((await get("to-first")).headers["x-store-meta-b"]).toBe("2");
  });

  test("is read with its key only", async () => {
    const refused = "409 CannotVerifyCopySource";
    expect(await code(send("PUT", "no", { ...block, ...source("from"), ...key }))).toBe(refused);
    expect(await code(send("PUT", "no", { ...block, ...source("from"), ...otherSourceKey }))).toBe(refused);
    expect(await code(send("PUT", "no", { ...block, ...source("from-plain"), ...sourceKey }))).toBe(refused);
    expect(await code(send("PUT", "no?comp=block&blockid=YQ%3D%3D", { ...source("from"), ...empty }))).toBe(refused);
  });

  test("becomes a block, appended bytes or pages", async () => {
    const with_ = { ...source("from"), ...sourceKey, ...other, ...empty };
    expect(await send("PUT", "parts?comp=block&blockid=YQ%3D%3D", with_)).toMatchObject({ status: 201 });
    await commit("parts", ["a"], other);
    expect((await get("parts", other)).bytes.equals(body)).toBe(true);
    await send("PUT", "from-log", { "~blob-type": "AppendBlob", ...other });
    expect(await send("PUT", "from-log?comp=appendblock", with_)).toMatchObject({ status: 201 });
    expect((await get("from-log", other)).bytes.equals(body)).toBe(true);
    await send("PUT", "from-disk", { "~blob-type": "PageBlob", "~blob-content-length": "1024", ...other });
    const range = { "~page-write": "update", "~range": "bytes=512-1023", "~source-range": "bytes=100-611" };
    expect(await send("PUT", "from-disk?comp=page", { ...with_, ...range })).toMatchObject({ status: 201 });
    expect((await get("from-disk", other)).bytes.subarray(512).equals(body.subarray(100, 612))).toBe(true);
  });
});

test("a check of the store needs no key", async () => {
  await put("checked", randomBytes(100_000), key);
  const { metadata, extents, scrubber } = box.service.parts;
  const signal = new AbortController().signal;
  expect(await checkStore({ metadata, extents, marks: true, onProgress: () => undefined, signal })).toMatchObject({
    problems: 0,
  });
  await scrubber.scrub();
  expect(scrubber.countDamaged()).toBe(0);
});
