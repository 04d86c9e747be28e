import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { useTestBox } from "../testing/test-box.ts";
import { type TestAnswer } from "../testing/test-client.ts";

const box = useTestBox();
const { fileSystem, send, get: read } = box;

const page = 512;
const create = (name: string, pages: number): Promise<TestAnswer> =>
  send("PUT", name, { "~blob-type": "PageBlob", "~blob-content-length": String(pages * page) });
const write = (name: string, first: number, body: Buffer, more: Record<string, string> = {}): Promise<TestAnswer> =>
  send(
    "PUT",
    `${name}?comp=page`,
    { "~page-write": "update", "~range": `bytes=${first * page}-${first * page + body.length - 1}`, ...more },
    body,
  );
const clear = (name: string, first: number, count: number): Promise<TestAnswer> =>
  send("PUT", `${name}?comp=page`, {
    "~page-write": "clear",
    "~range": `bytes=${first * page}-${(first + count) * page - 1}`,
  });
const ranges = async (target: string, headers: Record<string, string> = {}): Promise<readonly string[]> => {
  const { text } = await read(target, headers);
  return [...text.matchAll(/<(Page|Clear)Range><Start>(\d+)<\/Start><End>(\d+)<\/End>/gu)].map(
    ([, kind, start, end]) => `${kind} ${Number(start) / page}-${(Number(end) + 1) / page}`,
  );
};

describe("a page blob", () => {
  test(
    "is what a plain array of bytes would be, whatever is written, cleared, cut and snapshotted",
    { timeout: 30_000 },
    async () => {
      const pages = 200;
      const step = fc.oneof(
        fc.record({ kind: fc.constant("write" as const), first: fc.nat(150), count: fc.integer({ min: 1, max: 50 }) }),
        fc.record({ kind: fc.constant("clear" as const), first: fc.nat(150), count: fc.integer({ min: 1, max: 50 }) }),
        fc.record({ kind: fc.constant("snapshot" as const), first: fc.nat(), count: fc.nat() }),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
          await send("DELETE", "model", { "~delete-snapshots": "include" });
          await create("model", pages);
          const model = Buffer.alloc(pages * page);
          const kept: [string, Buffer][] = [];
          const statuses = new Set([201]);
          for (const { kind, first, count } of steps) {
            if (kind === "write") {
              const body = randomBytes(count * page);
              body.copy(model, first * page);
              statuses.add((await write("model", first, body)).status);
            } else if (kind === "clear") {
              model.fill(0, first * page, (first + count) * page);
              statuses.add((await clear("model", first, count)).status);
            } else {
              const { headers } = await send("PUT", "model?comp=snapshot");
              kept.push([encodeURIComponent(headers["x-store-snapshot"]!), Buffer.from(model)]);
            }
          }
          expect([...statuses]).toEqual([201]);
          expect((await read("model")).bytes.equals(model)).toBe(true);
          for (const [moment, bytes] of kept) {
            expect((await read(`model?snapshot=${moment}`)).bytes.equals(bytes)).toBe(true);
          }
        }),
        { numRuns: 25 },
      );
      await send("DELETE", "model", { "~delete-snapshots": "include" });
      await box.service.parts.collector.collect();
      expect(fileSystem.fileNames).toEqual([]);
    },
  );

  test("tells which pages it has, in a part of it as they were written, and what changed since a snapshot", async () => {
    await create("ranges", 100);
    await write("ranges", 0, randomBytes(page));
    await write("ranges", 1, randomBytes(page));
    await write("ranges", 50, randomBytes(40 * page));
    expect(await ranges("ranges?comp=pagelist")).toEqual(["Page 0-2", "Page 50-90"]);
    expect(await ranges("ranges?comp=pagelist", { "~range": "bytes=0-" })).toEqual([
      "Page 0-1",
      "Page 1-2",
      "Page 50-90",
    ]);
    const { headers } = await send("PUT", "ranges?comp=snapshot");
    const moment = encodeURIComponent(headers["x-store-snapshot"]!);
    await write("ranges", 60, randomBytes(page));
    await write("ranges", 95, randomBytes(page));
    await clear("ranges", 0, 1);
    expect(await ranges(`ranges?comp=pagelist&prevsnapshot=${moment}`)).toEqual([
      "Page 60-61",
      "Page 95-96",
      "Clear 0-1",
    ]);
    expect(await ranges(`ranges?comp=pagelist&snapshot=${moment}`)).toEqual(["Page 0-2", "Page 50-90"]);
    expect(await read(`ranges?comp=pagelist&prevsnapshot=2030-01-01T00:00:00.0000000Z`)).toMatchObject({
      status: 409,
      code: "PreviousSnapshotNotFound",
    });
  });

  test("shrinks and grows", async () => {
    await create("resized", 10);
    const body = randomBytes(10 * page);
    await write("resized", 0, body);
    const resize = (pages: number): Promise<TestAnswer> =>
      send("PUT", "resized?comp=properties", { "~blob-content-length": String(pages * page) });
    expect(await resize(4)).toMatchObject({ status: 200 });
    expect(await resize(6)).toMatchObject({ status: 200 });
    const expected = Buffer.concat([body.subarray(0, 4 * page), Buffer.alloc(2 * page)]);
    expect((await read("resized")).bytes.equals(expected)).toBe(true);
  });

  test("has a sequence number that writes may depend on", async () => {
    await create("numbered", 1);
    const number = (action: string, value?: string): Promise<TestAnswer> =>
      send("PUT", "numbered?comp=properties", {
        "~sequence-number-action": action,
        ...(value === undefined ? {} : { "~blob-sequence-number": value }),
      });
    expect((await number("update", "7")).headers).toMatchObject({ "x-store-blob-sequence-number": "7" });
    expect((await number("Max", "5")).headers).toMatchObject({ "x-store-blob-sequence-number": "7" });
    expect((await number("increment")).headers).toMatchObject({ "x-store-blob-sequence-number": "8" });
    const typed = { "~blob-content-type": "text/x" };
    expect((await send("PUT", "numbered?comp=properties", typed)).headers).toMatchObject({
      "x-store-blob-sequence-number": "8",
    });
    expect(await number("increment", "1")).toMatchObject({ status: 400 });
    expect(await number("update")).toMatchObject({ status: 400, code: "MissingRequiredHeader" });
    const body = randomBytes(page);
    expect(await write("numbered", 0, body, { "~if-sequence-number-lt": "8" })).toMatchObject({
      status: 412,
      code: "SequenceNumberConditionNotMet",
    });
    expect(
      await write("numbered", 0, body, { "~if-sequence-number-le": "8", "~if-sequence-number-eq": "8" }),
    ).toMatchObject({ status: 201 });
  });

  test.each([
    [
      "a length that is no whole number of pages",
      () => send("PUT", "bad", { "~blob-type": "PageBlob", "~blob-content-length": "100" }),
      400,
      "InvalidHeaderValue",
    ],
    ["no length", () => send("PUT", "bad", { "~blob-type": "PageBlob" }), 400, "MissingRequiredHeader"],
    ["a write beyond its end", () => write("small", 1, randomBytes(page)), 416, "InvalidPageRange"],
    [
      "a write beside the pages",
      () => write("small", 0, randomBytes(page), { "~range": "bytes=1-512" }),
      416,
      "InvalidPageRange",
    ],
    [
      "a body that is not its range",
      () => write("small", 0, randomBytes(page), { "~range": "bytes=0-1023" }),
      400,
      "InvalidHeaderValue",
    ],
    ["more than four MiB", () => write("small", 0, Buffer.alloc(4 * 1024 * 1024 + page)), 413, "RequestBodyTooLarge"],
  ] as const)("refuses %s", async (_what, send, status, code) => {
    await create("small", 1);
    expect(await send()).toMatchObject({ status, code });
  });
});
