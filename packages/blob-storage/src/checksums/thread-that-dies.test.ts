import { createHash, randomBytes } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { startTestService, type TestService } from "../testing/start-test-service.ts";
import { UnsyncedFileSystem } from "../testing/unsynced-file-system.ts";
import { type ChecksumMaker } from "./checksum-maker.ts";

// The thread is a built one: Node 20 loads no TypeScript into it.
const built = new URL("../../dist/checksums/thread-checksums.js", import.meta.url).href;
const { ThreadChecksums } = (await import(built)) as { ThreadChecksums: new () => ChecksumMaker };

const wanted = { md5: true, crc64: false };
const close: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(close.splice(0).map((each) => each()));
});

function startMaker(): ChecksumMaker {
  const maker = new ThreadChecksums();
  close.push(() => maker.close());
  return maker;
}

/** It throws over bytes that are none, as it would over a fault of its own. */
async function kill(maker: ChecksumMaker): Promise<void> {
  await expect(maker.begin(wanted, 1).update({} as Uint8Array)).rejects.toThrow();
}

test("what a thread was at when it died fails, and the next body gets another", async () => {
  const maker = startMaker();
  const running = maker.begin(wanted, 2);
  await running.update(Buffer.from("a"));
  await kill(maker);
  await expect(running.update(Buffer.from("b"))).rejects.toThrow();
  running.drop();
  const next = maker.begin(wanted, 2);
  await next.update(Buffer.from("ab"));
  expect(next.finish().md5).toBe(createHash("md5").update("ab").digest("base64"));
});

test("a body that is given up before its first byte starts no thread", async () => {
  let threads = 0;
  const count = (): unknown => threads++;
  process.on("worker", count);
  close.push(() => Promise.resolve(void process.off("worker", count)));
  const maker = startMaker();
  maker.begin(wanted, 2).drop();
  await new Promise(setImmediate);
  expect(threads).toBe(0);
  await maker.begin(wanted, 1).update(Buffer.from("a"));
  expect(threads).toBe(1);
});

test("an upload that is under way is answered by 500 and leaves nothing; the next one succeeds", async () => {
  const maker = startMaker();
  const fileSystem = new UnsyncedFileSystem();
  const service: TestService = await startTestService({ fileSystem, checksums: maker });
  close.push(() => service.close());
  await service.client.send("PUT", "/box?restype=container");
  const body = randomBytes(3_000_000);
  const headers = { "~blob-type": "BlockBlob" };
  const write = fileSystem.create.bind(fileSystem);
  // When the disk is asked for the first time, the thread has the first bytes.
  fileSystem.create = async (path) => {
    const file = await write(path);
    let writes = 0;
    return {
      write: async (blocks, position) => {
        if (writes++ === 0) {
          await kill(maker);
        }
        return file.write(blocks, position);
      },
      sync: () => file.sync(),
      close: () => file.close(),
    };
  };
  expect(await service.client.send("PUT", "/box/one", { headers, body })).toMatchObject({
    status: 500,
    code: "InternalError",
  });
  await expect.poll(() => fileSystem.fileNames).toEqual([]);
  fileSystem.create = write;
  expect(await service.client.send("PUT", "/box/one", { headers, body })).toMatchObject({ status: 201 });
  expect((await service.client.send("GET", "/box/one")).bytes.equals(body)).toBe(true);
});
