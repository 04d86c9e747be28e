import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { useTestBox } from "../testing/test-box.ts";
import { type TestAnswer } from "../testing/test-client.ts";

const box = useTestBox();
const { fileSystem, send, put, get: read } = box;

const create = (name: string): Promise<TestAnswer> => send("PUT", name, { "~blob-type": "AppendBlob" });
const append = (name: string, body: Buffer | string, headers: Record<string, string> = {}): Promise<TestAnswer> =>
  send("PUT", `${name}?comp=appendblock`, headers, body);

describe("an append blob", () => {
  test("grows at its end", async () => {
    await create("log");
    expect((await append("log", "one,")).headers).toMatchObject({
      "x-store-blob-append-offset": "0",
      "x-store-blob-committed-block-count": "1",
    });
    const large = randomBytes(50_000);
    expect((await append("log", large)).headers).toMatchObject({ "x-store-blob-append-offset": "4" });
    const answer = await read("log");
    expect(answer.bytes.equals(Buffer.concat([Buffer.from("one,"), large]))).toBe(true);
    expect(answer.headers).toMatchObject({
      "x-store-blob-type": "AppendBlob",
      "x-store-blob-committed-block-count": "2",
    });
  });

  test("takes appends at the same time, each whole", async () => {
    await create("parallel");
    const lines = Array.from({ length: 60 }, (_, index) => `${String(index).repeat(50)}\n`);
    const answers = await Promise.all(lines.map((line) => append("parallel", line)));
    expect(answers.every(({ status }) => status === 201)).toBe(true);
    const { text } = await read("parallel");
    expect(text.split("\n").slice(0, -1).toSorted()).toEqual(lines.map((line) => line.trim()).toSorted());
    for (const [index, { headers }] of answers.entries()) {
      const offset = Number(headers["x-store-blob-append-offset"]);
      expect(text.slice(offset, offset + lines[index]!.length)).toBe(lines[index]);
    }
  });

  test("is judged by position and size", async () => {
    await create("conditions");
    await append("conditions", "12345");
    expect(await append("conditions", "6", { "~blob-condition-appendpos": "4" })).toMatchObject({
      status: 412,
      code: "AppendPositionConditionNotMet",
    });
    expect(await append("conditions", "6", { "~blob-condition-maxsize": "5" })).toMatchObject({
      status: 412,
      code: "MaxBlobSizeConditionNotMet",
    });
    expect(
      await append("conditions", "6", { "~blob-condition-appendpos": "5", "~blob-condition-maxsize": "6" }),
    ).toMatchObject({ status: 201 });
  });

  test("that is sealed takes no more", async () => {
    await create("sealed");
    await append("sealed", "x");
    expect(await send("PUT", "sealed?comp=seal")).toMatchObject({
      status: 200,
      headers: { "x-store-blob-sealed": "true" },
    });
    expect(await send("PUT", "sealed?comp=seal")).toMatchObject({ status: 200 });
    expect(await append("sealed", "y")).toMatchObject({ status: 409, code: "BlobIsSealed" });
  });

  test.each([
    ["nothing", "", {}, 400, "InvalidHeaderValue"],
    ["a position that is none", "x", { "~blob-condition-appendpos": "-1" }, 400, "InvalidHeaderValue"],
  ] as const)("refuses %s", async (_what, body, headers, status, code) => {
    await create("bad");
    expect(await append("bad", body, headers)).toMatchObject({ status, code });
  });

  test("is the only type that is appended to", async () => {
    await put("block", "x");
    expect(await append("block", "y")).toMatchObject({ status: 409, code: "InvalidBlobType" });
    expect(await append("none", "y")).toMatchObject({ status: 404, code: "BlobNotFound" });
    expect(await send("PUT", "bad2", { "~blob-type": "AppendBlob" }, "x")).toMatchObject({ status: 400 });
  });
});

describe("a snapshot", () => {
  const snapshot = async (name: string, headers: Record<string, string> = {}): Promise<string> => {
    const answer = await send("PUT", `${name}?comp=snapshot`, headers);
    expect(answer.status).toBe(201);
    return encodeURIComponent(answer.headers["x-store-snapshot"]!);
  };

  test("keeps what the blob was: small, large and appended", async () => {
    const large = randomBytes(40_000);
    for (const [name, body] of [
      ["small", Buffer.from("before")],
      ["large", large],
    ] as const) {
      await put(name, body, { "~meta-a": "1" });
      const moment = await snapshot(name);
      await put(`${name}`, "after");
      expect(await read(name)).toMatchObject({ text: "after" });
      const kept = await read(`${name}?snapshot=${moment}`);
      expect(kept.bytes.equals(body)).toBe(true);
      expect(kept.headers).toMatchObject({ "x-store-meta-a": "1" });
    }
    await create("grown");
    await append("grown", "one");
    const moment = await snapshot("grown", { "~meta-b": "2" });
    await append("grown", "two");
    expect(await read(`grown?snapshot=${moment}`)).toMatchObject({ text: "one", headers: { "x-store-meta-b": "2" } });
    expect(await read("grown")).toMatchObject({ text: "onetwo" });
  });

  test("is listed before its blob, and its time is its own", async () => {
    await put("listed/blob", "x");
    const moments = [await snapshot("listed/blob"), await snapshot("listed/blob"), await snapshot("listed/blob")];
    expect(new Set(moments).size).toBe(3);
    const names = async (more: string): Promise<number> => {
      const { text } = await box.service.client.send("GET", `/box?restype=container&comp=list&prefix=listed/${more}`);
      return text.split("<Blob>").length - 1;
    };
    expect(await names("")).toBe(1);
    expect(await names("&include=snapshots")).toBe(4);
    const { text } = await box.service.client.send(
      "GET",
      "/box?restype=container&comp=list&prefix=listed/&include=snapshots&maxresults=2",
    );
    const marker = /<NextMarker>([^<]+)</u.exec(text)![1]!;
    const rest = await box.service.client.send(
      "GET",
      `/box?restype=container&comp=list&prefix=listed/&include=snapshots&marker=${marker}`,
    );
    const seen = [...(text + rest.text).matchAll(/<Snapshot>([^<]+)</gu)].map(([, moment]) =>
      encodeURIComponent(moment!),
    );
    expect(seen).toEqual(moments);
  });

  test("holds its blob back from being deleted alone, and keeps its bytes until it goes itself", async () => {
    await put("held", randomBytes(30_000));
    const moment = await snapshot("held");
    const remove = (more: string, headers: Record<string, string> = {}): Promise<TestAnswer> =>
      send("DELETE", `held${more}`, headers);
    expect(await remove("")).toMatchObject({ status: 409, code: "SnapshotsPresent" });
    expect(await remove(`?snapshot=${moment}`, { "~delete-snapshots": "include" })).toMatchObject({ status: 400 });
    expect(await remove("", { "~delete-snapshots": "only" })).toMatchObject({ status: 202 });
    expect(await read("held")).toMatchObject({ status: 200 });
    const second = await snapshot("held");
    expect(await remove(`?snapshot=${second}`)).toMatchObject({ status: 202 });
    await snapshot("held");
    expect(await remove("", { "~delete-snapshots": "include" })).toMatchObject({ status: 202 });
    expect(await read(`held?snapshot=${second}`)).toMatchObject({ status: 404 });
  });

  test("is not written to", async () => {
    await put("frozen", "x");
    const moment = await snapshot("frozen");
    for (const target of [`frozen?comp=metadata&snapshot=${moment}`, `frozen?comp=lease&snapshot=${moment}`]) {
      const answer = await send("PUT", `${target}`, { "~lease-action": "break" });
      expect(answer).toMatchObject({ status: 400, code: "InvalidOperation" });
    }
  });

  test("leaves nothing behind", async () => {
    await box.service.client.send("DELETE", "/box?restype=container");
    await box.service.parts.collector.collect();
    expect(fileSystem.fileNames).toEqual([]);
  });
});
