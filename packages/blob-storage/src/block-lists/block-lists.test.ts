import { createHash, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { crc64Of } from "../checksums/crc64.ts";
import { useTestBox } from "../testing/test-box.ts";
import { type TestAnswer } from "../testing/test-client.ts";

const box = useTestBox();
const { fileSystem, send, put, get: read } = box;

const id = (number: number): string => Buffer.from(String(number).padStart(4, "0")).toString("base64");

function stage(
  name: string,
  blockId: string,
  body: Buffer | string,
  headers: Record<string, string> = {},
): Promise<TestAnswer> {
  return send("PUT", `${name}?comp=block&blockid=${encodeURIComponent(blockId)}`, headers, body);
}

function commit(
  name: string,
  entries: readonly (readonly [string, string])[],
  headers: Record<string, string> = {},
): Promise<TestAnswer> {
  const list = entries.map(([source, blockId]) => `<${source}>${blockId}</${source}>`).join("");
  const body = `<?xml version="1.0" encoding="utf-8"?><BlockList>${list}</BlockList>`;
  return send("PUT", `${name}?comp=blocklist`, headers, body);
}

async function blocks(name: string, type: string): Promise<readonly (readonly string[])[]> {
  const { text } = await read(`${name}?comp=blocklist&blocklisttype=${type}`);
  return [...text.matchAll(/<Block><Name>([^<]+)<\/Name><Size>(\d+)<\/Size><\/Block>/gu)].map(([, block, size]) => [
    block!,
    size!,
  ]);
}

describe("a block list", () => {
  test("makes a blob of small and large blocks in its order, and takes no byte twice", async () => {
    const parts = [randomBytes(10), randomBytes(50_000), randomBytes(16_385), randomBytes(3)];
    for (const [index, part] of parts.entries()) {
      expect(await stage("parts", id(index), part)).toMatchObject({ status: 201 });
    }
    expect(await read("parts")).toMatchObject({ status: 404, code: "BlobNotFound" });
    expect(await blocks("parts", "uncommitted")).toEqual(parts.map((part, index) => [id(index), String(part.length)]));
    const files = fileSystem.fileNames.length;
    const answer = await commit(
      "parts",
      [2, 0, 1, 3, 2].map((number) => ["Latest", id(number)]),
    );
    expect(answer).toMatchObject({ status: 201 });
    expect(fileSystem.fileNames).toHaveLength(files);
    const whole = Buffer.concat([2, 0, 1, 3, 2].map((number) => parts[number]!));
    const get = await read("parts");
    expect(get.bytes.equals(whole)).toBe(true);
    expect(get.headers["content-md5"]).toBeUndefined();
    for (const [start, end] of [
      [16_380, 16_400],
      [0, 1],
      [60_000, whole.length],
    ] as const) {
      const range = { "~range": `bytes=${start}-${end - 1}` };
      expect((await read("parts", range)).bytes.equals(whole.subarray(start, end))).toBe(true);
    }
    expect(await blocks("parts", "committed")).toEqual(
      [2, 0, 1, 3, 2].map((number) => [id(number), String(parts[number]!.length)]),
    );
    expect(await blocks("parts", "all")).toHaveLength(5);
  });

  test("takes blocks of the blob that is there, and new ones beside them", async () => {
    await stage("edit", id(1), "one,");
    await stage("edit", id(2), "two,");
    await commit("edit", [
      ["Latest", id(1)],
      ["Latest", id(2)],
    ]);
    await stage("edit", id(2), "TWO,");
    await stage("edit", id(3), "three");
    await stage("edit", id(4), "never used");
    const entries = [
      ["Committed", id(2)],
      ["Uncommitted", id(2)],
      ["Latest", id(2)],
      ["Latest", id(1)],
      ["Latest", id(3)],
    ] as const;
    expect(await commit("edit", entries)).toMatchObject({ status: 201 });
    expect(await read("edit")).toMatchObject({ text: "two,TWO,TWO,one,three" });
    expect(await blocks("edit", "uncommitted")).toEqual([]);
  });

  test("is refused whole when a block is missing, and changes nothing", async () => {
    await stage("missing", id(1), "one");
    expect(
      await commit("missing", [
        ["Latest", id(1)],
        ["Latest", id(2)],
      ]),
    ).toMatchObject({ status: 400, code: "InvalidBlockList" });
    expect(await commit("missing", [["Committed", id(1)]])).toMatchObject({ code: "InvalidBlockList" });
    expect(await blocks("missing", "uncommitted")).toEqual([[id(1), "3"]]);
    expect(await read("missing")).toMatchObject({ status: 404 });
  });

  test("that is empty makes an empty blob", async () => {
    expect(await commit("empty", [])).toMatchObject({ status: 201 });
    expect(await read("empty")).toMatchObject({ status: 200, text: "" });
  });

  test("is judged by its conditions", async () => {
    await stage("once", id(1), "1");
    expect(await commit("once", [["Latest", id(1)]], { "if-none-match": "*" })).toMatchObject({ status: 201 });
    await stage("once", id(1), "2");
    expect(await commit("once", [["Latest", id(1)]], { "if-none-match": "*" })).toMatchObject({
      status: 409,
      code: "BlobAlreadyExists",
    });
  });

  test("goes when the blob is uploaded whole", async () => {
    await stage("whole", id(1), "1");
    await put("whole", "whole");
    expect(await blocks("whole", "uncommitted")).toEqual([]);
  });

  test("answers the checksums of its own body", async () => {
    const { headers } = await commit("sums", []);
    const body = Buffer.from(`<?xml version="1.0" encoding="utf-8"?><BlockList></BlockList>`);
    expect(headers).toMatchObject({
      "content-md5": createHash("md5").update(body).digest("base64"),
      "x-store-content-crc64": crc64Of(body),
    });
  });
});

describe("a block", () => {
  test("answers the checksum that the client sent, or the CRC-64", async () => {
    const body = Buffer.from("block");
    const md5 = createHash("md5").update(body).digest("base64");
    expect((await stage("sum", id(1), body)).headers["x-store-content-crc64"]).toBe(crc64Of(body));
    const withMd5 = await stage("sum", id(1), body, { "content-md5": md5 });
    expect(withMd5.headers).toMatchObject({ "content-md5": md5 });
    expect(withMd5.headers["x-store-content-crc64"]).toBeUndefined();
  });

  const md5 = createHash("md5").update("other").digest("base64");
  test.each([
    ["an id that is no base64", "!", "x", {}, 400, "InvalidQueryParameterValue"],
    ["an id that is too long", Buffer.alloc(65).toString("base64"), "x", {}, 400, "OutOfRangeInput"],
    ["no id", "", "x", {}, 400, "MissingRequiredQueryParameter"],
    ["no bytes", id(1), "", {}, 400, "InvalidHeaderValue"],
    ["another MD5", id(1), "x", { "content-md5": md5 }, 400, "Md5Mismatch"],
    ["another CRC-64", id(1), "x", { "~content-crc64": crc64Of(Buffer.from("y")) }, 400, "Crc64Mismatch"],
    ["a CRC-64 that is too short", id(1), "x", { "~content-crc64": "AAAA" }, 400, "InvalidHeaderValue"],
    [
      "both checksums",
      id(1),
      "x",
      { "content-md5": md5, "~content-crc64": "AAAAAAAAAAA=" },
      400,
      "BothCrc64AndMd5HeaderPresent",
    ],
  ] as const)("is refused for %s", async (_what, blockId, body, headers, status, code) => {
    expect(await stage("bad", blockId, body, headers)).toMatchObject({ status, code });
  });

  test("has an id as long as the others", async () => {
    await stage("lengths", id(1), "1");
    expect(await stage("lengths", Buffer.from("much longer").toString("base64"), "2")).toMatchObject({
      status: 400,
      code: "InvalidBlobOrBlock",
    });
  });

  test("that was staged again is replaced", async () => {
    await stage("again", id(1), randomBytes(20_000));
    await stage("again", id(1), "second");
    await commit("again", [["Latest", id(1)]]);
    expect(await read("again")).toMatchObject({ text: "second" });
  });

  test("is listed with include=uncommittedblobs, once, flat and by folder", async () => {
    await stage("folder/only-staged", id(1), "1");
    const names = async (more: string): Promise<readonly (string | undefined)[]> => {
      const { text } = await box.service.client.send("GET", `/box?restype=container&comp=list&prefix=folder/${more}`);
      return [...text.matchAll(/<Name>([^<]+)<\/Name>/gu)].map(([, name]) => name);
    };
    expect(await names("")).toEqual([]);
    expect(await names("&include=uncommittedblobs")).toEqual(["folder/only-staged"]);
    expect(await names("&include=uncommittedblobs&delimiter=/")).toEqual(["folder/only-staged"]);
  });
});

describe("collection", () => {
  test("removes blocks after a week, and files that no blob uses", async () => {
    await box.service.client.send("DELETE", "/box?restype=container");
    await box.service.client.send("PUT", "/box?restype=container");
    await box.service.parts.collector.collect();
    expect(fileSystem.fileNames).toEqual([]);
    await stage("old", id(1), randomBytes(20_000));
    await stage("kept", id(1), randomBytes(20_000));
    await commit("kept", [
      ["Latest", id(1)],
      ["Latest", id(1)],
    ]);
    box.service.clock.advance(8 * 24 * 3_600_000);
    await box.service.parts.collector.collect();
    expect(fileSystem.fileNames).toHaveLength(1);
    expect((await read("kept")).bytes).toHaveLength(40_000);
    await send("DELETE", "kept");
    await box.service.parts.collector.collect();
    expect(fileSystem.fileNames).toEqual([]);
  });
});
