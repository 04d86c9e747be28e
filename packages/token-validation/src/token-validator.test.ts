import { createHmac, generateKeyPairSync, type KeyObject } from "node:crypto";
import { ManualClock } from "@trefoil/base";
import { SignJWT } from "jose";
import { beforeEach, describe, expect, test } from "vitest";
import { bearerToken, createTokenValidator, ProviderUnavailableError, type TokenValidatorOptions } from "./index.ts";

const BASE = "https://login.example";
const TENANT = "11111111-2222-4333-8444-555555555555";
const OTHER_TENANT = "99999999-2222-4333-8444-555555555555";
const API = "aaaaaaaa-2222-4333-8444-555555555555";
const ours = generateKeyPairSync("rsa", { modulusLength: 2048 });
const theirs = generateKeyPairSync("rsa", { modulusLength: 2048 });

const clock = new ManualClock(Date.parse("2026-11-20T12:00:00Z"));
const nowSeconds = (): number => clock.now() / 1000;

/** A provider as far as a validator sees it. */
class Provider {
  requests: string[] = [];
  keys: { kid: string; key: KeyObject }[] = [{ kid: "one", key: ours.publicKey }];
  isDown = false;
  issuer = `${BASE}/{tenantid}/v2.0`;
  jwksUri = `${BASE}/keys`;

  readonly fetch = (url: string): Promise<unknown> => {
    this.requests.push(url);
    if (this.isDown) {
      return Promise.reject(new Error("down"));
    }
    return Promise.resolve(
      url === this.jwksUri
        ? { keys: this.keys.map(({ kid, key }) => ({ ...key.export({ format: "jwk" }), kid, use: "sig" })) }
        : { issuer: url.includes("common") ? this.issuer : `${BASE}/${TENANT}/v2.0`, jwks_uri: this.jwksUri },
    );
  };
}

let provider: Provider;
beforeEach(() => {
  provider = new Provider();
});

function validator(options: Partial<TokenValidatorOptions> = {}) {
  return createTokenValidator({ issuer: BASE, audience: API, clock, fetchJson: provider.fetch, ...options });
}

function claims(more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    iss: `${BASE}/${TENANT}/v2.0`,
    aud: API,
    iat: nowSeconds(),
    nbf: nowSeconds(),
    exp: nowSeconds() + 3600,
    azp: "client",
    oid: "object",
    sub: "subject",
    scp: "a b",
    tid: TENANT,
    ver: "2.0",
    ...more,
  };
}

function token(more: Record<string, unknown> = {}, header: Record<string, unknown> = {}, key = ours.privateKey) {
  return new SignJWT(claims(more)).setProtectedHeader({ alg: "RS256", kid: "one", ...header }).sign(key);
}

describe("what is believed", () => {
  test("an access token of version 2", async () => {
    expect(await validator().validate(await token({ roles: ["R"], preferred_username: "alice" }))).toMatchObject({
      version: 2,
      tenantId: TENANT,
      objectId: "object",
      subject: "subject",
      clientId: "client",
      isApplication: false,
      userName: "alice",
      scopes: ["a", "b"],
      roles: ["R"],
    });
  });

  test("one of version 1, without a user, by the tenant's issuer in either form", async () => {
    const v1 = { iss: `${BASE}/${TENANT}/`, azp: undefined, appid: "client", scp: undefined, ver: "1.0" };
    for (const issuer of [`${BASE}/${TENANT}/`, `${BASE}/${TENANT}/v2.0`, `${BASE}/${TENANT}`]) {
      const validated = await validator({ issuer }).validate(await token(v1));
      expect(validated).toMatchObject({ version: 1, clientId: "client", isApplication: true, scopes: [] });
    }
  });

  test.each([API, `spn:${API}`, `api://${API}`, API.toUpperCase()])("the audience spelt %s", async (aud) => {
    expect((await validator().validate(await token({ aud }))).tenantId).toBe(TENANT);
  });

  test("times within the tolerance", async () => {
    await validator().validate(await token({ exp: nowSeconds() - 299, nbf: nowSeconds() + 299 }));
  });
});

describe("what is refused", () => {
  const b64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const pem = ours.publicKey.export({ type: "spki", format: "pem" });

  const refused: readonly (readonly [string, string, () => string | Promise<string>])[] = [
    ["no token", "malformed", () => "abc"],
    ["a token that is too long", "malformed", () => `${"a".repeat(40_000)}.b.c`],
    ["alg none", "algorithm", () => `${b64({ alg: "none", kid: "one" })}.${b64(claims())}.`],
    [
      "HS256 with the public key as its secret",
      "algorithm",
      () => {
        const text = `${b64({ alg: "HS256", kid: "one" })}.${b64(claims())}`;
        return `${text}.${createHmac("sha256", pem).update(text).digest("base64url")}`;
      },
    ],
    ["PS256", "algorithm", () => token({}, { alg: "PS256" })],
    ["an unknown key", "unknown_key", () => token({}, { kid: "two" })],
    ["no key named", "unknown_key", () => token({}, { kid: undefined })],
    ["another's key under our kid", "signature", () => token({}, {}, theirs.privateKey)],
    [
      "a key brought along in the header",
      "signature",
      () => token({}, { jwk: theirs.publicKey.export({ format: "jwk" }) }, theirs.privateKey),
    ],
    ["keys from elsewhere", "signature", () => token({}, { jku: "https://evil.example/keys" }, theirs.privateKey)],
    ["an unknown critical extension", "malformed", () => token({}, { crit: ["x"], x: 1 }).catch(() => unsignable())],
    ["another issuer", "issuer", () => token({ iss: "https://evil.example/x/v2.0" })],
    ["an issuer of another tenant than tid", "issuer", () => token({ tid: OTHER_TENANT })],
    ["no tenant", "issuer", () => token({ tid: undefined })],
    ["another audience", "audience", () => token({ aud: "other" })],
    ["no audience", "malformed", () => token({ aud: undefined })],
    ["expired", "expired", () => token({ exp: nowSeconds() - 301 })],
    ["no expiry", "malformed", () => token({ exp: undefined })],
    ["not yet", "not_yet_valid", () => token({ nbf: nowSeconds() + 301 })],
    ["an id token", "not_an_access_token", () => token({ azp: undefined, scp: undefined })],
  ];
  const unsignable = (): string => {
    const header = b64({ alg: "RS256", kid: "one", crit: ["x"], x: 1 });
    return `${header}.${b64(claims())}.AAAA`;
  };

  test.each(refused)("%s: %s", async (_what, code, make) => {
    await expect(validator().validate(await make())).rejects.toMatchObject({ name: "TokenRefusedError", code });
  });

  test("a changed payload", async () => {
    const [header, , signature] = (await token()).split(".");
    const changed = `${header}.${b64(claims({ scp: "admin" }))}.${signature}`;
    await expect(validator().validate(changed)).rejects.toMatchObject({ code: "signature" });
  });

  test("a tenant that isn't admitted, and another one than the issuer's", async () => {
    const other = await token({ tid: OTHER_TENANT, iss: `${BASE}/${OTHER_TENANT}/v2.0` });
    await validator().validate(other);
    await expect(validator({ tenants: [TENANT] }).validate(other)).rejects.toMatchObject({ code: "tenant" });
    const issuer = `${BASE}/${TENANT}/v2.0`;
    await expect(validator({ issuer }).validate(other)).rejects.toMatchObject({ code: "issuer" });
  });
});

describe("keys", () => {
  test("are read once, and again for an unknown kid, at most twice a minute", async () => {
    const validate = validator();
    await Promise.all([validate.validate(await token()), validate.validate(await token())]);
    expect(provider.requests).toEqual([`${BASE}/common/v2.0/.well-known/openid-configuration`, `${BASE}/keys`]);
    provider.keys.push({ kid: "two", key: theirs.publicKey });
    clock.advance(31_000);
    await validate.validate(await token({}, { kid: "two" }, theirs.privateKey));
    expect(provider.requests).toHaveLength(4);
    for (let index = 0; index < 20; index++) {
      await expect(validate.validate(await token({}, { kid: `no ${index}` }))).rejects.toThrow();
    }
    expect(provider.requests).toHaveLength(4);
  });

  test("a retired key is forgotten after a day; while the provider is down the old keys go on", async () => {
    const validate = validator();
    await validate.validate(await token());
    provider.isDown = true;
    clock.advance(25 * 3_600_000);
    await validate.validate(await token());
    provider.isDown = false;
    provider.keys = [{ kid: "two", key: theirs.publicKey }];
    clock.advance(60_000);
    await expect(validate.validate(await token())).rejects.toMatchObject({ code: "unknown_key" });
  });

  test("a provider that never answered is not the token's fault", async () => {
    const validate = validator();
    provider.isDown = true;
    await expect(validate.validate(await token())).rejects.toThrow(ProviderUnavailableError);
    provider.isDown = false;
    await validate.validate(await token());
  });

  test.each([
    ["metadata of another issuer", { issuer: "https://evil.example/{tenantid}/v2.0" }],
    ["keys at another origin", { jwksUri: "https://evil.example/keys" }],
  ])("%s are not used", async (_what, change) => {
    Object.assign(provider, change);
    await expect(validator().validate(await token())).rejects.toThrow(ProviderUnavailableError);
  });
});

test.each(["http://login.example", "login.example", "ftp://login.example", "https://login.example/?x"])(
  "the issuer %s is refused",
  (issuer) => {
    expect(() => validator({ issuer })).toThrow(TypeError);
  },
);

test.each([
  ["Bearer abc.def.ghi", "abc.def.ghi"],
  ["bearer  abc", "abc"],
  ["Basic abc", undefined],
  ["Bearer", undefined],
  ["Bearer a b", undefined],
  [undefined, undefined],
])("the token of the header %s", (header, expected) => {
  expect(bearerToken(header)).toBe(expected);
});
