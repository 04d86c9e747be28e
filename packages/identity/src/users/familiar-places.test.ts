import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Application } from "../applications/application.ts";
import { PASSWORD, TestProvider } from "../testing/test-provider.ts";
import { networkOf } from "./familiar-places.ts";

const HOME = "203.0.113.7";
const STRANGER = "198.51.100.9";
let provider: TestProvider;
let client: Application;
let user: string;
let counter = 0;

beforeAll(async () => {
  provider = await TestProvider.start();
  client = await provider.createApplication("client", { isPublic: true });
});
afterAll(() => provider.stop());
beforeEach(async () => {
  counter += 1;
  user = await provider.createUser(`user${counter}`);
});

/** @returns the number of the refusal, undefined for tokens */
const signIn = async (remoteAddress: string, password: string, username = user): Promise<number | undefined> => {
  const response = await provider.app.inject({
    method: "POST",
    url: `/${provider.tenant.id}/oauth2/token`,
    remoteAddress,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: new URLSearchParams({
      grant_type: "password",
      username,
      password,
      resource: client.appId,
      client_id: client.appId,
    }).toString(),
  });
  return response.json<{ error_codes?: number[] }>().error_codes?.[0];
};
const fail = async (remoteAddress: string, times: number, username = user): Promise<void> => {
  for (let attempt = 0; attempt < times; attempt += 1) {
    await signIn(remoteAddress, `wrong ${crypto.randomUUID()}`, username);
  }
};

test("a stranger who tries passwords locks out strangers, not the user where he has been", async () => {
  expect(await signIn(HOME, PASSWORD)).toBeUndefined();
  await fail(STRANGER, 10);
  expect(await signIn(STRANGER, PASSWORD)).toBe(50053);
  expect(await signIn(HOME, PASSWORD)).toBeUndefined();
  expect(await signIn(STRANGER, PASSWORD)).toBe(50053);
});

test("familiar places are locked by their own failures", async () => {
  expect(await signIn(HOME, PASSWORD)).toBeUndefined();
  await fail(HOME, 10);
  expect(await signIn(HOME, PASSWORD)).toBe(50053);
  provider.clock.advance(60_001);
  expect(await signIn(HOME, PASSWORD)).toBeUndefined();
});

test("an administrator unlocks both", async () => {
  await signIn(HOME, PASSWORD);
  await fail(HOME, 10);
  await fail(STRANGER, 10);
  expect((await provider.manage("POST", `/users/${user}/unlock`)).status).toBe(204);
  expect(await signIn(STRANGER, PASSWORD)).toBeUndefined();
  expect(await signIn(HOME, PASSWORD)).toBeUndefined();
});

test("a name that nobody has is locked like one that somebody has", async () => {
  await fail(STRANGER, 10, "nobody@contoso.example");
  expect(await signIn(STRANGER, "x", "nobody@contoso.example")).toBe(50053);
});

test("places are forgotten after a season, and kept as digests only", async () => {
  await signIn(HOME, PASSWORD);
  const { database } = provider.provider;
  const rows = await database.selectFrom("familiar_places").selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(HOME);
  provider.clock.advance(91 * 24 * 3_600_000);
  await fail(STRANGER, 10);
  expect(await signIn(HOME, PASSWORD)).toBe(50053);
  await provider.services.places.sweep();
  expect(await database.selectFrom("familiar_places").selectAll().execute()).toEqual([]);
});

describe("networks", () => {
  test.each([
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["2001:db8::1", "2001:db8:0:0"],
    ["::1", "0:0:0:0"],
    ["fe80::1%eth0", "fe80:0:0:0"],
  ])("%s is of %s", (address, network) => expect(networkOf(address)).toBe(network));
});
