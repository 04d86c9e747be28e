import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { plainSecrets } from "../testing/plain-secrets.ts";
import { startTestService, testAccount, testKey, type TestService } from "../testing/start-test-service.ts";
import { AccountDirectory } from "./account-directory.ts";
import { DEVELOPMENT_ACCOUNT } from "./development-account.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

describe("keys", () => {
  test("one can be replaced while the other stays valid", async () => {
    const { accounts } = service.parts;
    await accounts.create("rotating", ["Zmlyc3Q=", "c2Vjb25k"]);
    const client = (key: string): typeof service.client => service.client.with({ account: "rotating", key });
    const { keys } = await accounts.replaceKey("rotating", 1);
    expect(keys[0].reveal()).not.toBe("Zmlyc3Q=");
    expect(keys[1].reveal()).toBe("c2Vjb25k");
    expect(await client("Zmlyc3Q=").send("GET", "/?comp=list")).toMatchObject({ status: 403 });
    expect(await client("c2Vjb25k").send("GET", "/?comp=list")).toMatchObject({ status: 200 });
    expect(await client(keys[0].reveal()).send("GET", "/?comp=list")).toMatchObject({ status: 200 });
    await accounts.replaceKey("rotating", 2, "YnJvdWdodA==");
    expect(await client("YnJvdWdodA==").send("GET", "/?comp=list")).toMatchObject({ status: 200 });
    await expect(accounts.replaceKey("rotating", 2, "!")).rejects.toMatchObject({ code: "InvalidInput" });
    await expect(accounts.replaceKey("nobody", 1)).rejects.toMatchObject({ code: "ResourceNotFound" });
  });

  test("one that is replaced while all are sealed anew stays replaced", async () => {
    const { accounts } = service.parts;
    await accounts.create("zlast", ["b2xk", "b2xk"]);
    const sealing = accounts.sealAnew();
    await accounts.replaceKey("zlast", 1, "bmV3");
    await sealing;
    accounts.refresh();
    expect(accounts.get("zlast").keys.map((key) => key.reveal())).toEqual(["bmV3", "b2xk"]);
  });

  test("may be brought along though they are no canonical base64", async () => {
    await service.parts.accounts.create("brought", ["testing_key"]);
    const client = service.client.with({ account: "brought", key: "testing_key" });
    expect(await client.send("GET", "/?comp=list")).toMatchObject({ status: 200 });
  });
});

test("new accounts have the quota that is configured, unless another or none is asked for", async () => {
  const { metadata } = service;
  const accounts = new AccountDirectory(metadata, plainSecrets, { accountQuotaBytes: 1000 });
  expect(await accounts.create("usual")).toMatchObject({ quotaBytes: 1000 });
  expect(await accounts.create("larger", [], { quotaBytes: 2000 })).toMatchObject({ quotaBytes: 2000 });
  expect(await accounts.create("unlimited", [], { quotaBytes: null })).toMatchObject({ quotaBytes: undefined });
});

describe("the development account", () => {
  test("answers to the well-known key only while the setting is on", async () => {
    const { metadata } = service;
    await service.parts.accounts.replaceKey(DEVELOPMENT_ACCOUNT, 1);
    const keysOf = (developmentAccount: boolean): string[] =>
      new AccountDirectory(metadata, plainSecrets, { developmentAccount })
        .get(DEVELOPMENT_ACCOUNT)
        .keys.map((key) => key.reveal());
    expect(keysOf(true)[0]).toBe(testKey);
    expect(keysOf(true)[1]).toBe(keysOf(false)[0]);
    expect(keysOf(false)).not.toContain(testKey);
  });

  test("exists for this machine only", async () => {
    const open = await startTestService({ developmentAccount: true });
    try {
      await open.client.send("PUT", "/box?restype=container", { headers: { "~blob-public-access": "blob" } });
      expect(await open.client.send("GET", "/?comp=list")).toMatchObject({ status: 200 });
      const forwarded = { headers: { "x-forwarded-for": "192.0.2.1" } };
      expect(await open.client.send("GET", "/?comp=list", forwarded)).toMatchObject({ status: 404 });
      const site = await open.client.send("GET", "/", { host: `${testAccount}.web.localhost`, ...forwarded });
      expect(site).toMatchObject({ code: "ResourceNotFound" });
      await open.parts.accounts.create("other", ["a2V5"]);
      const other = open.client.with({ account: "other", key: "a2V5" });
      await other.send("PUT", "/box?restype=container");
      const source = `${open.url}/${testAccount}/box/none`;
      const copy = (headers: object): Promise<{ status: number }> =>
        other.send("PUT", "/box/copy", { headers: { "~copy-source": source, ...headers } });
      expect(await copy(forwarded.headers)).toMatchObject({ status: 404, code: "CannotVerifyCopySource" });
    } finally {
      await open.close();
    }
  });
});
