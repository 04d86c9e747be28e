import { ManualClock } from "@trefoil/base";
import { afterEach, describe, expect, test } from "vitest";
import { startTestService, type TestService } from "../testing/start-test-service.ts";
import { FreeSpace } from "./free-space.ts";

let service: TestService | undefined;
afterEach(async () => {
  await service?.close();
  service = undefined;
});

describe("free space", () => {
  test("is kept: an upload that would take it is refused, everything else goes on", async () => {
    let freeBytes = 100_000;
    const { client, clock } = (service = await startTestService({
      freeSpace: { minimumBytes: 50_000, measure: () => Promise.resolve(freeBytes) },
    }));
    const put = (bytes: number) =>
      client.send("PUT", "/box/blob", { headers: { "~blob-type": "BlockBlob" }, body: Buffer.alloc(bytes) });
    await client.send("PUT", "/box?restype=container");
    expect(await put(60_000)).toMatchObject({ status: 507, code: "InsufficientStorage" });
    expect(await put(50_000)).toMatchObject({ status: 201 });
    freeBytes = 50_000;
    clock.advance(1000);
    expect(await put(1)).toMatchObject({ status: 507, code: "InsufficientStorage" });
    expect(await client.send("GET", "/box/blob")).toMatchObject({ status: 200 });
    expect(await client.send("DELETE", "/box/blob")).toMatchObject({ status: 202 });
    freeBytes = 100_000;
    clock.advance(1000);
    expect(await put(1)).toMatchObject({ status: 201 });
  });

  test("counts uploads that are running, and those that ended since it was measured", async () => {
    const clock = new ManualClock(0);
    let measured = 0;
    const measure = (): Promise<number> => {
      measured += 1;
      return Promise.resolve(100);
    };
    const space = new FreeSpace({ clock, measure, minimumBytes: 20 });
    const full = { code: "InsufficientStorage" };
    const release = await space.reserve(60);
    await expect(space.reserve(21)).rejects.toMatchObject(full);
    release();
    await expect(space.reserve(21)).rejects.toMatchObject(full);
    expect(measured).toBe(1);
    clock.advance(500);
    (await space.reserve(80))();
    expect(measured).toBe(2);
  });

  test("is believed to be there when the system doesn't say", async () => {
    const measure = (): Promise<number> => Promise.reject(new Error("no statfs here"));
    const space = new FreeSpace({ clock: new ManualClock(0), measure, minimumBytes: 20 });
    (await space.reserve(1_000_000))();
  });
});
