import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startTestService, type TestService } from "../testing/start-test-service.ts";
import { type TestAnswer } from "../testing/test-client.ts";

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
  await service.client.send("PUT", "/box?restype=container", { headers: { "~meta-color": "red" } });
  await service.client.send("PUT", "/box/blob", { headers: { "~blob-type": "BlockBlob" }, body: "kept" });
});
afterEach(() => service.close());

const day = 24 * 3_600_000;
const list = async (include: string): Promise<string> =>
  (await service.client.send("GET", `/?comp=list&include=${include}`)).text;
const remove = (): Promise<TestAnswer> => service.client.send("DELETE", "/box?restype=container");
const read = (target: string): Promise<TestAnswer> => service.client.send("GET", target);
const versionsOf = (text: string): string[] => [...text.matchAll(/<Version>([^<]+)</gu)].map(([, version]) => version!);

async function keepFor(days: number): Promise<void> {
  const body = `<StorageServiceProperties><DeleteRetentionPolicy><Enabled>true</Enabled><Days>${days}</Days></DeleteRetentionPolicy></StorageServiceProperties>`;
  await service.client.send("PUT", "/?restype=service&comp=properties", { body });
}

const restore = (name: string, version: string): Promise<TestAnswer> =>
  service.client.send("PUT", `/${name}?restype=container&comp=undelete`, {
    headers: { "~deleted-container-name": "box", "~deleted-container-version": version },
  });

describe("a deleted container", () => {
  test("is kept for the account's days and comes back with all it held", async () => {
    await keepFor(7);
    await remove();
    await service.parts.collector.collect();
    expect(await read("/box/blob")).toMatchObject({ status: 404, code: "ContainerNotFound" });
    expect(await list("")).not.toContain("<Name>box</Name>");
    const text = await list("deleted");
    expect(text).toContain("<Name>box</Name><Deleted>true</Deleted><Version>");
    expect(text).toContain("<RemainingRetentionDays>7</RemainingRetentionDays>");
    expect(await restore("box", versionsOf(text)[0]!)).toMatchObject({ status: 201 });
    expect(await read("/box/blob")).toMatchObject({ text: "kept" });
    expect((await read("/box?restype=container")).headers).toMatchObject({ "x-store-meta-color": "red" });
    expect(versionsOf(await list("deleted"))).toEqual([]);
  });

  test("leaves its name free, and comes back only where nothing is", async () => {
    await keepFor(7);
    await remove();
    expect(await service.client.send("PUT", "/box?restype=container")).toMatchObject({ status: 201 });
    const [version] = versionsOf(await list("deleted"));
    expect(await restore("box", version!)).toMatchObject({ status: 409, code: "ContainerAlreadyExists" });
    expect(await restore("other", "0123")).toMatchObject({ status: 404, code: "ContainerNotFound" });
    expect(await restore("other", version!)).toMatchObject({ status: 201 });
    expect(await read("/other/blob")).toMatchObject({ text: "kept" });
  });

  test("is gone after its days, or at once when the account keeps nothing", async () => {
    await keepFor(2);
    await remove();
    const [version] = versionsOf(await list("deleted"));
    service.clock.advance(2 * day);
    expect(versionsOf(await list("deleted"))).toEqual([]);
    expect(await restore("box", version!)).toMatchObject({ status: 404 });
    expect(await service.parts.collector.collect()).toMatchObject({ containers: 1 });
  });
});

describe("renaming a container", () => {
  const rename = (from: string, to: string, headers: Record<string, string> = {}): Promise<TestAnswer> =>
    service.client.send("PUT", `/${to}?restype=container&comp=rename`, {
      headers: { "~source-container-name": from, ...headers },
    });

  test("takes everything along and frees the old name", async () => {
    expect(await rename("box", "chest")).toMatchObject({ status: 200 });
    expect(await read("/chest/blob")).toMatchObject({ text: "kept" });
    expect(await read("/box/blob")).toMatchObject({ status: 404, code: "ContainerNotFound" });
  });

  test("is refused where a container is, without a source, and without the lease's id", async () => {
    await service.client.send("PUT", "/other?restype=container");
    expect(await rename("box", "other")).toMatchObject({ status: 409, code: "ContainerAlreadyExists" });
    expect(await rename("none", "chest")).toMatchObject({ status: 404, code: "ContainerNotFound" });
    expect(await service.client.send("PUT", "/chest?restype=container&comp=rename")).toMatchObject({
      status: 400,
      code: "MissingRequiredHeader",
    });
    const leased = await service.client.send("PUT", "/box?restype=container&comp=lease", {
      headers: { "~lease-action": "acquire", "~lease-duration": "-1" },
    });
    expect(await rename("box", "chest")).toMatchObject({ status: 412, code: "LeaseIdMissing" });
    const id = leased.headers["x-store-lease-id"] ?? "";
    expect(await rename("box", "chest", { "~source-lease-id": id })).toMatchObject({ status: 200 });
  });
});
