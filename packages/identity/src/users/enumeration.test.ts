import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, type MockInstance, test, vi } from "vitest";
import { type Application } from "../applications/application.ts";
import { TestBrowser } from "../testing/test-browser.ts";
import { DOMAIN, PASSWORD, TestProvider } from "../testing/test-provider.ts";
import { PasswordHashing } from "./password-hashing.ts";

/**
 * One answer and one amount of work, whatever is wrong: hashes are counted instead of time, which is noise on a busy
 * machine.
 */
let provider: TestProvider;
let web: Application;
let verify: MockInstance<PasswordHashing["verify"]>;
let lookUp: MockInstance;
let failures: MockInstance;

beforeAll(async () => {
  provider = await TestProvider.start();
  web = await provider.createApplication("web", {
    isPublic: true,
    redirectUris: [{ uri: "https://web.contoso.example/back", type: "web" }],
  });
  await provider.createUser("alice");
  await provider.createUser("fresh", true);
  for (const [name, members] of [
    ["disabled", { isEnabled: false, password: PASSWORD }],
    ["keyless", {}],
  ] as const) {
    const userPrincipalName = `${name}@${DOMAIN}`;
    await provider.services.users.create(provider.tenant, { userPrincipalName, displayName: name, ...members });
  }
});
afterAll(() => provider.stop());
beforeEach(() => {
  verify = vi.spyOn(provider.services.passwords, "verify");
  lookUp = vi.spyOn(provider.services.users, "findByName");
  failures = vi.spyOn(provider.services.lockout, "recordFailure");
});
afterEach(() => vi.restoreAllMocks());

const wrong = ["alice", "nobody", "disabled", "keyless", "fresh"];

describe.each(wrong)("a wrong password of %s", (name) => {
  test("costs one hash, one look and one count at the token endpoint", async () => {
    const { status, body } = await provider.token(1, {
      grant_type: "password",
      username: `${name}@${DOMAIN}`,
      password: "not the password",
      resource: web.appId,
      client_id: web.appId,
    });
    expect([status, body["error"], body["error_codes"]]).toEqual([400, "invalid_grant", [50126]]);
    expect([verify.mock.calls.length, lookUp.mock.calls.length, failures.mock.calls.length]).toEqual([1, 1, 1]);
  });

  test("costs the same on the page, which says the same", async () => {
    const browser = new TestBrowser(provider);
    const query = new URLSearchParams({ client_id: web.appId, response_type: "code" });
    const page = await browser.get(`/common/oauth2/authorize?${query.toString()}`);
    const answer = await browser.submit(page, { username: `${name}@${DOMAIN}`, password: "not the password either" });
    expect(/role="alert">([^<]*)/.exec(answer.text)?.[1]).toBe("The user name or the password is wrong.");
    expect([verify.mock.calls.length, failures.mock.calls.length]).toEqual([1, 1]);
  });
});

test("a locked name costs no hash, whether a user has it or not", async () => {
  for (const name of ["alice", "nobody"]) {
    vi.spyOn(provider.services.lockout, "isLocked").mockResolvedValue(true);
    const { body } = await provider.token(1, {
      grant_type: "password",
      username: `${name}@${DOMAIN}`,
      password: "anything",
      resource: web.appId,
      client_id: web.appId,
    });
    expect(body["error_codes"]).toEqual([50053]);
  }
  expect(verify).not.toHaveBeenCalled();
});

test("what stands in for a hash that isn't there costs as much as a real one", async () => {
  const hashing = new PasswordHashing({ memoryKib: 64, iterations: 3 });
  const real = await hashing.hash("x");
  const decoy = await hashing.decoy();
  const parametersOf = (hash: string): string => hash.split("$").slice(0, 4).join("$");
  expect(parametersOf(decoy)).toBe(parametersOf(real));
  expect(parametersOf(real)).toBe("$argon2id$v=19$m=64,t=3,p=1");
  expect(await hashing.verify(undefined, "x")).toBe(false);
});
