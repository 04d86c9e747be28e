import { createHash, randomBytes } from "node:crypto";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { crc64Of } from "../checksums/crc64.ts";
import { type TestHeaders, useTestBox } from "../testing/test-box.ts";
import { type TestAnswer } from "../testing/test-client.ts";
import { readMessage } from "./read-message.ts";
import { messageBytes, writeMessage } from "./structured-message.ts";

const box = useTestBox();
const { fileSystem, send } = box;

const SEGMENT_BYTES = 4 * 1024 * 1024;
const structured = { "~structured-body": "XSM/1.0; properties=crc64" };
const block = { "~blob-type": "BlockBlob" };

const u16 = (value: number): Buffer => Buffer.from([value & 0xff, value >> 8]);
const u64 = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};
const crc = (bytes: Buffer): Buffer => Buffer.from(crc64Of(bytes), "base64");

/** A message of the segments given. */
function messageOf(segments: readonly Buffer[]): Buffer {
  const content = segments.map((segment, index) =>
    Buffer.concat([u16(index + 1), u64(segment.length), segment, crc(segment)]),
  );
  const rest = Buffer.concat([u16(1), u16(segments.length), ...content, crc(Buffer.concat(segments))]);
  return Buffer.concat([Buffer.from([1]), u64(rest.length + 9), rest]);
}

const changed = (message: Buffer, position: number): Buffer => {
  const copy = Buffer.from(message);
  copy[position]! ^= 1;
  return copy;
};

const put = (
  target: string,
  contentBytes: number,
  message: Buffer,
  headers: TestHeaders = block,
): Promise<TestAnswer> => {
  const length = { "~structured-content-length": String(contentBytes) };
  return send("PUT", target, { ...structured, ...length, ...headers }, message);
};
const get = async (name: string): Promise<Buffer> => (await box.get(name)).bytes;

async function* inParts(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += size) {
    yield await Promise.resolve(bytes.subarray(start, start + size));
  }
}

async function gathered(parts: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const found: Uint8Array[] = [];
  for await (const part of parts) {
    found.push(part);
  }
  return Buffer.concat(found);
}

test("what is written is read again, however it is cut", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.nat(99), fc.nat(99), async (array, first, second) => {
      const content = Buffer.from(array);
      const message = await gathered(writeMessage(inParts(content, first + 1), content.length));
      expect(message).toEqual(messageOf([content]));
      expect(message).toHaveLength(messageBytes(content.length));
      const read = readMessage(inParts(message, second + 1), message.length, content.length);
      expect(await gathered(read)).toEqual(content);
    }),
  );
});

describe("an upload", () => {
  test.each([0, 5, 20_000])("of %i bytes in segments is stored without them", async (length) => {
    const content = randomBytes(length);
    const message = messageOf([content.subarray(0, 3), content.subarray(3, 10_000), content.subarray(10_000)]);
    const answer = await put("taken", length, message);
    expect(answer).toMatchObject({
      status: 201,
      headers: { "x-store-structured-body": structured["~structured-body"] },
    });
    expect(answer.headers["content-md5"]).toBe(createHash("md5").update(content).digest("base64"));
    expect(await get("taken")).toEqual(content);
  });

  test("may be a message without any segment", async () => {
    expect(await put("none", 0, messageOf([]))).toMatchObject({ status: 201 });
    expect(await get("none")).toHaveLength(0);
  });

  test("may be of blocks, appended bytes or pages", async () => {
    const content = randomBytes(1024);
    const message = messageOf([content.subarray(0, 1000), content.subarray(1000)]);
    expect(await put("blocks?comp=block&blockid=YQ%3D%3D", 1024, message, {})).toMatchObject({ status: 201 });
    const list = "<BlockList><Latest>YQ==</Latest></BlockList>";
    await send("PUT", "blocks?comp=blocklist", {}, list);
    expect(await get("blocks")).toEqual(content);
    await send("PUT", "log", { "~blob-type": "AppendBlob" });
    expect(await put("log?comp=appendblock", 1024, message, {})).toMatchObject({ status: 201 });
    expect(await get("log")).toEqual(content);
    await send("PUT", "disk", { "~blob-type": "PageBlob", "~blob-content-length": "1024" });
    const range = { "~page-write": "update", "~range": "bytes=0-1023" };
    expect(await put("disk?comp=page", 1024, message, range)).toMatchObject({ status: 201 });
    expect(await get("disk")).toEqual(content);
  });

  const content = randomBytes(40_000);
  const message = messageOf([content.subarray(0, 30_000), content.subarray(30_000)]);
  const SECOND = 13 + 10 + 30_000 + 8;
  test.each([
    ["a byte is another", 500, "Crc64Mismatch"],
    ["a segment's checksum is another", SECOND - 1, "Crc64Mismatch"],
    ["the last checksum is another", message.length - 1, "Crc64Mismatch"],
    ["its version is another", 0, "InvalidInput"],
    ["its length is another", 1, "InvalidInput"],
    ["its flags are others", 9, "InvalidInput"],
    ["its count of segments is smaller", 11, "InvalidInput"],
    ["a segment has another number", SECOND, "InvalidInput"],
    ["a segment is longer than the content", SECOND + 9, "InvalidInput"],
  ])("is refused where %s, and nothing is kept", async (_, position, code) => {
    const files = fileSystem.fileNames.length;
    expect(await put("refused", content.length, changed(message, position))).toMatchObject({ status: 400, code });
    expect(await send("HEAD", "refused", {})).toMatchObject({ status: 404 });
    expect(fileSystem.fileNames).toHaveLength(files);
  });

  test("is refused where it is cut off, goes on, or has another content length", async () => {
    const refused = { status: 400, code: "InvalidInput" };
    const [cut, longer] = [message.subarray(0, -3), Buffer.concat([message, Buffer.from("x")])];
    for (const body of [cut, longer]) {
      u64(body.length).copy(body, 1);
      expect(await put("refused", content.length, body)).toMatchObject(refused);
    }
    u64(message.length).copy(message, 1);
    expect(await put("refused", content.length + 1, message)).toMatchObject(refused);
    expect(await put("refused", content.length - 1, message)).toMatchObject(refused);
  });

  test.each([
    ["without its content's length", structured, "MissingRequiredHeader"],
    ["with a length that is none", { ...structured, "~structured-content-length": "a" }, "InvalidHeaderValue"],
    ["of another kind", { "~structured-body": "XSM/2.0", "~structured-content-length": "40000" }, "InvalidHeaderValue"],
  ])("is refused %s", async (_, headers, code) => {
    expect(await send("PUT", "refused", { ...block, ...headers }, message)).toMatchObject({ status: 400, code });
  });
});

describe("a download", () => {
  const content = randomBytes(2 * SEGMENT_BYTES + 5);
  beforeAll(() => send("PUT", "large", block, content));

  test.each([
    ["whole", "", 0, content.length],
    ["from a segment's end on", `bytes=5-${SEGMENT_BYTES + 4}`, 5, SEGMENT_BYTES + 5],
    ["of a few bytes", "bytes=100-102", 100, 103],
  ])("%s is a message with the bytes that were asked for", async (_, range, start, end) => {
    const expected = content.subarray(start, end);
    const answer = await send("GET", "large", { ...structured, ...(range === "" ? {} : { "~range": range }) });
    expect(answer.headers).toMatchObject({
      "content-length": String(answer.bytes.length),
      "x-store-structured-body": structured["~structured-body"],
      "x-store-structured-content-length": String(expected.length),
    });
    const segments = [0, 1, 2].map((index) => expected.subarray(index * SEGMENT_BYTES, (index + 1) * SEGMENT_BYTES));
    const message = messageOf(segments.filter(({ length }) => length > 0));
    expect(answer.bytes.equals(message)).toBe(true);
  });

  test.each([0, 7])("of a small blob of %i bytes, too, which others read as it is", async (length) => {
    const small = randomBytes(length);
    await send("PUT", "small", block, small);
    for (let round = 0; round < 2; round += 1) {
      expect((await send("GET", "small", structured)).bytes).toEqual(messageOf([small]));
      const plain = await send("GET", "small", {});
      expect([plain.bytes, plain.headers["x-store-structured-body"]]).toEqual([small, undefined]);
    }
  });

  test("of another kind is refused", async () => {
    const answer = await send("GET", "large", { "~structured-body": "XSM/1.0" });
    expect(answer).toMatchObject({ status: 400, code: "InvalidHeaderValue" });
  });
});

test("a blob with a key of the client's own goes up and down in segments", async () => {
  const [content, keyBytes] = [randomBytes(50_000), randomBytes(32)];
  const key = {
    "~encryption-key": keyBytes.toString("base64"),
    "~encryption-key-sha256": createHash("sha256").update(keyBytes).digest("base64"),
    "~encryption-algorithm": "AES256",
  };
  expect(await put("keyed", content.length, messageOf([content]), { ...block, ...key })).toMatchObject({ status: 201 });
  const answer = await send("GET", "keyed", { ...structured, ...key, "~range": "bytes=7-30006" });
  expect(answer.bytes.equals(messageOf([content.subarray(7, 30_007)]))).toBe(true);
});

test("is refused by operations without such a body", async () => {
  const answer = await send("PUT", "small?comp=metadata", structured);
  expect(answer).toMatchObject({ status: 400, code: "UnsupportedHeader" });
});
