import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startTestService, testAccount, type TestService } from "./testing/start-test-service.ts";
import { UnsyncedFileSystem } from "./testing/unsynced-file-system.ts";

const IDLE_MS = 300;
const MIB = 1024 * 1024;

let service: TestService;
let fileSystem: UnsyncedFileSystem;

beforeEach(async () => {
  fileSystem = new UnsyncedFileSystem();
  service = await startTestService({ fileSystem, idleTimeoutMs: IDLE_MS });
  await service.client.send("PUT", "/box?restype=container", { headers: { "~blob-public-access": "blob" } });
});
afterEach(() => service.close());

function open(): Socket {
  return connect(Number(new URL(service.url).port), "127.0.0.1");
}

/** The head of an upload; its body is the caller's affair. */
function uploadHead(name: string, lengthBytes: number): string {
  const headers = {
    "content-length": String(lengthBytes),
    "x-store-blob-type": "BlockBlob",
    "x-store-date": new Date(service.clock.now()).toUTCString(),
    "x-store-version": "2026-10-06",
  };
  const target = `/${testAccount}/box/${name}`;
  const signature = service.client.sign("PUT", target, headers);
  const lines = Object.entries(headers).map(([header, value]) => `${header}: ${value}\r\n`);
  return `PUT ${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: SharedKey ${testAccount}:${signature}\r\n${lines.join("")}\r\n`;
}

async function names(): Promise<readonly string[]> {
  const { text } = await service.client.send("GET", "/box?restype=container&comp=list");
  return [...text.matchAll(/<Name>([^<]+)/gu)].map(([, name = ""]) => name);
}

describe("clients that stop", () => {
  test.each([1000, 500_000])("an upload that stands still is cut off and leaves nothing: %i bytes", async (sent) => {
    const socket = open();
    socket.on("error", () => undefined);
    const beganMs = performance.now();
    socket.write(Buffer.concat([Buffer.from(uploadHead("slow", 2 * sent)), randomBytes(sent)]));
    await once(socket, "close");
    expect(performance.now() - beganMs).toBeGreaterThan(IDLE_MS - 50);
    expect(await names()).toEqual([]);
    await expect.poll(() => fileSystem.fileNames).toEqual([]);
  });

  test("a download that nobody takes is not read to its end, and is cut off", async () => {
    const ids = Array.from({ length: 12 }, (_, index) => Buffer.from(`block ${index + 10}`).toString("base64"));
    for (const id of ids) {
      await service.client.send("PUT", `/box/large?comp=block&blockid=${encodeURIComponent(id)}`, {
        body: Buffer.alloc(2 * MIB),
      });
    }
    const list = `<BlockList>${ids.map((id) => `<Latest>${id}</Latest>`).join("")}</BlockList>`;
    expect((await service.client.send("PUT", "/box/large?comp=blocklist", { body: list })).status).toBe(201);
    const length = ids.length * 2 * MIB;
    const socket = open();
    socket.on("error", () => undefined);
    socket.pause();
    socket.write(`GET /${testAccount}/box/large HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    fileSystem.readBytes = 0;
    await wait(IDLE_MS / 2);
    const afterAWhile = fileSystem.readBytes;
    // A connection with bytes on their way is asked twice before it counts as idle.
    await wait(5 * IDLE_MS);
    expect(afterAWhile).toBeGreaterThan(0);
    // What the sockets of both ends hold, and two parts more.
    expect(fileSystem.readBytes).toBeLessThan(length);
    socket.resume();
    await once(socket, "close");
    expect(socket.bytesRead).toBeLessThan(length);
  }, 30_000);
});
