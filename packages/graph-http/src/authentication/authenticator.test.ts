import { ManualClock } from "@trefoil/base";
import { beforeEach, describe, expect, it } from "vitest";
import { type AccountStorage, AccountStore } from "./account-store.ts";
import { Authenticator } from "./authenticator.ts";

let kept: string | undefined;
const clock = new ManualClock(0);
const storage: AccountStorage = {
  name: "accounts",
  read: () => Promise.resolve(kept),
  replace: (text) => {
    kept = text;
    return Promise.resolve();
  },
};

beforeEach(() => {
  kept = undefined;
});

const basic = (name: string, password: string): string =>
  `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`;

async function setUp(initialPassword?: string): Promise<{ accounts: AccountStore; authenticator: Authenticator }> {
  const accounts = await AccountStore.open(storage, initialPassword);
  return { accounts, authenticator: new Authenticator(accounts, clock, undefined) };
}

describe("first account", () => {
  it("has the well-known password and must change it", async () => {
    const { authenticator } = await setUp();
    const { account } = await authenticator.authenticate(basic("neo4j", "neo4j"));
    expect(account).toMatchObject({ name: "neo4j", passwordChangeRequired: true });
  });

  it("needs no change when the password was set, and the well-known one is wrong", async () => {
    const { authenticator } = await setUp("chosen");
    expect((await authenticator.authenticate(basic("neo4j", "chosen"))).account?.passwordChangeRequired).toBe(false);
    expect((await authenticator.authenticate(basic("neo4j", "neo4j"))).refusal?.status).toBe(401);
  });
});

describe("password change", () => {
  it("takes effect at once, is durable, and keeps no password in the file", async () => {
    const { accounts, authenticator } = await setUp();
    await authenticator.authenticate(basic("neo4j", "neo4j"));
    await accounts.changePassword("neo4j", "a:new:one");
    expect((await authenticator.authenticate(basic("neo4j", "neo4j"))).refusal?.status).toBe(401);
    expect((await authenticator.authenticate(basic("neo4j", "a:new:one"))).account?.passwordChangeRequired).toBe(false);
    const reopened = new Authenticator(await AccountStore.open(storage, undefined), clock, undefined);
    expect((await reopened.authenticate(basic("neo4j", "a:new:one"))).account?.name).toBe("neo4j");
    expect(kept).not.toContain("a:new:one");
  });

  it("refuses to start on what it did not write", async () => {
    for (const text of ["nonsense", "{}", '{"version":2,"accounts":[]}']) {
      kept = text;
      await expect(setUp()).rejects.toMatchObject({ code: "store" });
    }
  });
});

describe("refusals (graph-http §3)", () => {
  it.each([
    [undefined, 401, "No authorization header supplied."],
    ["", 401, "No authorization header supplied."],
    ["  ", 401, "No authorization header supplied."],
    ["Basic !!!", 400, "Invalid Authorization header."],
    [`Basic ${Buffer.from("nocolon").toString("base64")}`, 400, "Invalid Authorization header."],
    [basic("nobody", "x"), 401, "Invalid username or password."],
    [basic("neo4j", "wrong"), 401, "Invalid username or password."],
    ["Bearer a.b.c", 401, "This server does not accept bearer tokens: graph.identity.issuer is not configured."],
  ])("%j is answered with %d", async (header, status, message) => {
    const { authenticator } = await setUp();
    expect((await authenticator.authenticate(header)).refusal).toMatchObject({ status, message });
  });

  it("ignores the scheme word", async () => {
    const { authenticator } = await setUp();
    const { account } = await authenticator.authenticate(basic("neo4j", "neo4j").replace("Basic", "Foo"));
    expect(account?.name).toBe("neo4j");
  });
});

describe("rate limit", () => {
  it("locks a name after three failures until five seconds after the last, and at once after one more", async () => {
    const { authenticator } = await setUp("right");
    const attempt = async (password: string): Promise<number> =>
      (await authenticator.authenticate(basic("neo4j", password))).refusal?.status ?? 200;
    expect([await attempt("x"), await attempt("x"), await attempt("x")]).toEqual([401, 401, 401]);
    clock.advance(4_000);
    expect([await attempt("right"), await attempt("x")]).toEqual([429, 429]);
    clock.advance(1_000);
    expect([await attempt("x"), await attempt("right")]).toEqual([401, 429]);
    clock.advance(5_000);
    expect([await attempt("right"), await attempt("x"), await attempt("right")]).toEqual([200, 401, 200]);
  });

  it("never limits names that do not exist", async () => {
    const { authenticator } = await setUp();
    for (let count = 0; count < 4; count++) {
      expect((await authenticator.authenticate(basic("nobody", "x"))).refusal?.status).toBe(401);
    }
  });
});
