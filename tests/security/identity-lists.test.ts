import { readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type TestBrowser } from "../../packages/identity/src/testing/test-browser.ts";
import { PASSWORD, PUBLIC_URL } from "../../packages/identity/src/testing/test-provider.ts";
import { parametersOf, RelyingParty, REPLY_ADDRESS, RESOURCE } from "../conformance/openid/relying-party.ts";

/*
 * Rows of the OWASP sheets on authentication, sessions and storage, and of RFC 9700, 6819, 7009 and 7662, that
 * identity-attacks.test.ts doesn't have: who may use what, how sessions end, what is kept and how.
 */

let party: RelyingParty;
let browser: TestBrowser;
beforeAll(async () => {
  party = await RelyingParty.start();
});
afterAll(() => party.stop());
beforeEach(() => {
  browser = party.newBrowser();
});

const web = () => ({ client_id: party.web.appId, client_secret: "secret of web" });
const other = () => ({ client_id: party.other.appId, client_secret: "secret of other" });
const endpoint = (name: string): string => `/${party.provider.tenant.id}/oauth2/v2.0/${name}`;
const post = (target: string, fields: Readonly<Record<string, string>>) =>
  party.provider.post(target, new URLSearchParams(fields).toString());
const ownToken = async (): Promise<string> => {
  const fields = { grant_type: "client_credentials", ...web(), scope: `${RESOURCE}/.default` };
  return String((await party.provider.token(2, fields)).body["access_token"]);
};
const signedIn = async () =>
  (await party.redeem(await party.newCode({ scope: `openid offline_access ${RESOURCE}/user_impersonation` }))).body;
const errorOf = (location: string | undefined): string | null =>
  location === undefined ? null : parametersOf({ location, fields: {} } as never).get("error");

describe("who may use a token", () => {
  test("RFC 9700 §2.1.2 no token comes by the front channel unless the application says so", async () => {
    const plain = await party.provider.createConfidential("plain", {
      redirectUris: [{ uri: "https://plain.contoso.example/back", type: "web" }],
    });
    for (const responseType of ["token", "id_token", "id_token token"]) {
      const url = party.authorizeUrl({
        client_id: plain.appId,
        redirect_uri: "https://plain.contoso.example/back",
        response_type: responseType,
        scope: `openid ${RESOURCE}/user_impersonation`,
      });
      const answer = parametersOf(await browser.get(url));
      expect([answer.get("access_token"), answer.get("id_token")]).toEqual([null, null]);
      expect(answer.get("error")).toEqual(expect.any(String));
    }
  });

  test("RFC 6819 §5.2.2.2 a refresh token is its client's alone", async () => {
    const { refresh_token: token } = await signedIn();
    expect((await party.refresh(token, other())).body["error"]).toBe("invalid_grant");
    expect((await party.refresh(token, { client_id: party.web.appId })).status).not.toBe(200);
    expect((await party.refresh(token, web())).status).toBe(200);
  });

  test("RFC 9700 §4.15 an application's own token is nobody's at userinfo", async () => {
    expect([401, 403]).toContain((await party.userInfo(await ownToken())).status);
  });

  test("RFC 7009 §2.1 another client can't revoke, and learns nothing", async () => {
    const { access_token: access, refresh_token: refresh } = await signedIn();
    for (const token of [String(access), String(refresh), "unknown"]) {
      await post(endpoint("revoke"), { token, ...other() });
    }
    expect((await party.refresh(refresh, web())).status).toBe(200);
    const judged = await post(endpoint("introspect"), { token: String(access), ...web() });
    expect(judged.body["active"]).toBe(true);
  });

  test("RFC 7662 §4 nobody introspects without proving who he is; another's refresh token is nothing", async () => {
    const { access_token: access, refresh_token: refresh } = await signedIn();
    const token = String(access);
    expect((await post(endpoint("introspect"), { token })).status).toBeGreaterThanOrEqual(400);
    expect((await post(endpoint("introspect"), { token, client_id: party.web.appId })).status).toBeGreaterThanOrEqual(
      400,
    );
    const stranger = await post(endpoint("introspect"), { token: String(refresh), ...other() });
    expect(stranger.body).toEqual({ active: false });
  });

  test("pages of other sites may not read answers to their requests (OWASP HTML5, CORS)", async () => {
    const headers = { origin: "https://evil.example" };
    const fields = { grant_type: "client_credentials", ...web(), scope: `${RESOURCE}/.default` };
    const answer = await party.provider.token(2, fields, { headers });
    expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
    const page = await party.provider.app.inject({ url: party.authorizeUrl(), headers });
    expect(page.headers["access-control-allow-origin"]).toBeUndefined();
    expect(page.headers["access-control-allow-credentials"]).toBeUndefined();
  });

  test("OpenID Connect Core §6 no address is fetched, and no object believed, because a request says so (SSRF)", async () => {
    for (const name of ["request", "request_uri"]) {
      const view = await browser.get(party.authorizeUrl({ [name]: "https://internal.example/object" }));
      expect(errorOf(view.location)).toBe(`${name}_not_supported`);
    }
  });
});

describe("passwords (OWASP Authentication, NIST SP 800-63B)", () => {
  const trySignIn = async (username: string, password: string): Promise<boolean> => {
    const again = party.newBrowser();
    const view = await again.agree(await again.submit(await again.get(party.authorizeUrl()), { username, password }));
    return view.location !== undefined && parametersOf(view).get("code") !== null;
  };
  const withPassword = async (name: string, password: string): Promise<string> => {
    const userPrincipalName = await party.provider.createUser(name);
    const answer = await party.provider.manage("PATCH", `/users/${userPrincipalName}`, {
      passwordProfile: { password, forceChangePasswordNextSignIn: false },
    });
    expect(answer.status).toBeLessThan(300);
    return userPrincipalName;
  };

  test("brute force: after ten wrong ones the right one doesn't help either, and others are not affected", async () => {
    const user = await party.provider.createUser("target");
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect(await trySignIn(user, `wrong ${attempt}`)).toBe(false);
    }
    expect(await trySignIn(user, PASSWORD)).toBe(false);
    expect(await trySignIn(party.alice, PASSWORD)).toBe(true);
  });

  test("all of a long one counts, and every script may be used", async () => {
    const long = `${"pässwörd 密码 🔑 ".repeat(8)}end`;
    const user = await withPassword("long", long);
    expect(await trySignIn(user, `${long.slice(0, -1)}x`)).toBe(false);
    expect(await trySignIn(user, long)).toBe(true);
  });

  test.each(["short", "x".repeat(10_000)])("one of the wrong length is refused", async (password) => {
    const answer = await party.provider.manage("PATCH", `/users/${party.bob}`, { passwordProfile: { password } });
    expect(answer.status).toBe(400);
  });

  test("a changed one ends what was signed in with the old one", async () => {
    const user = await withPassword("changing", PASSWORD);
    const view = await browser.signIn(party.authorizeUrl({ scope: "openid offline_access" }), user);
    const { body } = await party.redeem(parametersOf(view).get("code") ?? "");
    party.provider.clock.advance(2_000);
    await party.provider.manage("PATCH", `/users/${user}`, {
      passwordProfile: { password: "another long password", forceChangePasswordNextSignIn: false },
    });
    expect((await party.refresh(body["refresh_token"], web())).body["error"]).toBe("invalid_grant");
    expect(errorOf((await browser.get(party.authorizeUrl({ prompt: "none" }))).location)).toBe("login_required");
  });
});

describe("what is kept (OWASP Cryptographic Storage)", () => {
  test("no secret is in the database as it was given, and keys are sealed", async () => {
    const { refresh_token: refreshToken } = await signedIn();
    await party.signIn({}, browser);
    const secrets = [
      PASSWORD,
      "secret of web",
      String(refreshToken),
      browser.cookies.get("__Host-session") ?? "",
      browser.cookies.get("__Host-form") ?? "",
    ];
    const files = ["identity.db", "identity.db-wal"].map((name) => readFileSync(`${party.provider.folder}/${name}`));
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(8);
      expect(files.some((bytes) => bytes.includes(secret))).toBe(false);
    }
    expect(files.some((bytes) => bytes.includes("$argon2id$"))).toBe(true);
    expect(files.some((bytes) => bytes.includes("sealed:identity/signing-key:"))).toBe(true);
    expect(files.some((bytes) => bytes.includes("-----BEGIN"))).toBe(false);
  });
});

describe("requests that claim to be for somebody else", () => {
  test("the Host header and its relatives never reach an address that we tell", async () => {
    for (const headers of [
      { host: "evil.example" },
      { "x-forwarded-host": "evil.example", forwarded: "host=evil.example" },
    ]) {
      const answer = await party.provider.get(
        `/${party.provider.tenant.id}/v2.0/.well-known/openid-configuration`,
        headers,
      );
      expect(String(answer.body["issuer"])).toContain(PUBLIC_URL);
      expect(JSON.stringify(answer.body)).not.toContain("evil.example");
      const view = await party.provider.app.inject({ url: party.authorizeUrl(), headers });
      expect(view.body).not.toContain("evil.example");
    }
  });

  test.each(["TRACE", "PUT", "DELETE", "PATCH"] as const)("%s is no way to ask for a token", async (method) => {
    const answer = await party.provider.app.inject({ method: method as "PUT", url: endpoint("token") });
    expect([404, 405]).toContain(answer.statusCode);
    expect(answer.body).not.toContain("access_token");
  });

  test("no answer lets its type be guessed, refusals included", async () => {
    const urls = [
      party.authorizeUrl(),
      party.authorizeUrl({ client_id: "x" }),
      endpoint("token"),
      "/account",
      "/device",
    ];
    for (const url of urls) {
      const answer = await party.provider.app.inject({ url });
      expect(answer.headers["x-content-type-options"], url).toBe("nosniff");
      expect(answer.headers["referrer-policy"], url).toBe("no-referrer");
    }
  });

  test("what goes back to a client goes to its own address alone", async () => {
    const answer = await browser.signIn(party.authorizeUrl(), party.alice);
    expect(answer.location?.startsWith(`${REPLY_ADDRESS}?`)).toBe(true);
  });
});

// Last: its clock runs past the end of the clients' secrets.
describe("how sessions end (OWASP Session Management)", () => {
  const stillSignedIn = async (key: string | undefined): Promise<boolean> => {
    const again = party.newBrowser();
    again.cookies.set("__Host-session", key ?? "");
    return errorOf((await again.get(party.authorizeUrl({ prompt: "none" }))).location) !== "login_required";
  };

  test("sign-out ends it on the server, not in the browser alone", async () => {
    await party.signIn({}, browser);
    const key = browser.cookies.get("__Host-session");
    expect(await stillSignedIn(key)).toBe(true);
    await browser.get(`/${party.provider.tenant.id}/oauth2/v2.0/logout`);
    expect(browser.cookies.get("__Host-session")).toBeUndefined();
    expect(await stillSignedIn(key)).toBe(false);
  });

  test("a key that was changed, or made up, opens nothing", async () => {
    await party.signIn({}, browser);
    const key = browser.cookies.get("__Host-session") ?? "";
    const last = key.endsWith("A") ? "B" : "A";
    expect(await stillSignedIn(key.slice(0, -1) + last)).toBe(false);
    expect(await stillSignedIn("")).toBe(false);
    expect(await stillSignedIn("..".repeat(100))).toBe(false);
  });

  test("keys have 256 bits, none comes twice", async () => {
    const keys = new Set<string>();
    for (let round = 0; round < 5; round += 1) {
      const each = party.newBrowser();
      await party.signIn({}, each);
      keys.add(each.cookies.get("__Host-session") ?? "");
    }
    expect(keys.size).toBe(5);
    expect([...keys].map((key) => Buffer.from(key, "base64url").length)).toEqual([32, 32, 32, 32, 32]);
  });

  test("a day after the sign-in it is over, however often it was used", async () => {
    await party.signIn({}, browser);
    const key = browser.cookies.get("__Host-session");
    party.provider.clock.advance(23 * 3_600_000);
    expect(await stillSignedIn(key)).toBe(true);
    party.provider.clock.advance(2 * 3_600_000);
    expect(await stillSignedIn(key)).toBe(false);
  });
});
