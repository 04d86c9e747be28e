import { X509Certificate } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { postgresServer } from "../testing/test-database.ts";
import { DOMAIN, PUBLIC_URL, TestProvider } from "../testing/test-provider.ts";

let provider: TestProvider;
let tid: string;
beforeAll(async () => {
  provider = await TestProvider.start();
  tid = provider.tenant.id;
});
afterAll(() => provider.stop());

describe("discovery", () => {
  test.each([
    ["v1", "", "/oauth2", (t: string) => `${PUBLIC_URL}/${t}/`, "/discovery/keys"],
    ["v2", "/v2.0", "/oauth2/v2.0", (t: string) => `${PUBLIC_URL}/${t}/v2.0`, "/discovery/v2.0/keys"],
  ])("%s by GUID, domain, common and organizations", async (_version, infix, oauth2, issuer, keys) => {
    const document = async (segment: string) => {
      const answer = await provider.get(`/${segment}${infix}/.well-known/openid-configuration`);
      expect(answer.status).toBe(200);
      expect(answer.headers["access-control-allow-origin"]).toBe("*");
      expect(answer.headers["cache-control"]).toBe("max-age=86400, private");
      return answer.body;
    };
    const byId = await document(tid);
    expect(byId).toMatchObject({
      issuer: issuer(tid),
      authorization_endpoint: `${PUBLIC_URL}/${tid}${oauth2}/authorize`,
      token_endpoint: `${PUBLIC_URL}/${tid}${oauth2}/token`,
      jwks_uri: `${PUBLIC_URL}/${tid}${keys}`,
      token_endpoint_auth_methods_supported: ["client_secret_post", "private_key_jwt", "client_secret_basic"],
      id_token_signing_alg_values_supported: ["RS256"],
      subject_types_supported: ["pairwise"],
    });
    expect(await document(DOMAIN)).toEqual(byId);
    expect(await document(tid.toUpperCase())).toEqual(byId);
    for (const segment of ["common", "organizations"]) {
      expect(await document(segment)).toMatchObject({
        issuer: issuer("{tenantid}"),
        token_endpoint: `${PUBLIC_URL}/${segment}${oauth2}/token`,
      });
    }
  });

  test("never follows the Host header", async () => {
    const { body } = await provider.get(`/${tid}/v2.0/.well-known/openid-configuration`, { host: "evil.example" });
    expect(JSON.stringify(body)).not.toContain("evil.example");
  });

  test("an unknown tenant is an invalid_tenant", async () => {
    for (const path of ["/.well-known/openid-configuration", "/discovery/v2.0/keys"]) {
      const { status, body } = await provider.get(`/nowhere.example${path}`);
      expect([status, body["error"], body["error_codes"]]).toEqual([400, "invalid_tenant", [90002]]);
    }
  });

  test("is open to pages of every origin, which may ask first and read refusals", async () => {
    const url = `/${tid}/v2.0/.well-known/openid-configuration`;
    const preflight = { origin: "https://app.example", "access-control-request-method": "GET" };
    const headers = { ...preflight, "access-control-request-headers": "x-client-sku" };
    const allowed = await provider.app.inject({ method: "OPTIONS", url, headers });
    expect([allowed.statusCode, allowed.headers]).toMatchObject([
      204,
      { "access-control-allow-origin": "*", "access-control-allow-headers": "x-client-sku" },
    ]);
    const refused = await provider.get("/nowhere.example/discovery/keys", { origin: "https://app.example" });
    expect(refused.headers["access-control-allow-origin"]).toBe("*");
  });

  test("every advertised address but the authorize endpoint is served", async () => {
    const { body } = await provider.get(`/${tid}/v2.0/.well-known/openid-configuration`);
    for (const name of ["jwks_uri", "token_endpoint"]) {
      const { status } = await provider.get(String(body[name]).slice(PUBLIC_URL.length));
      expect(status, name).not.toBe(404);
    }
  });
});

describe("keys", () => {
  const keysOf = async (path: string) =>
    (await provider.get(path)).body["keys"] as (Record<string, string> & { x5c: string[] })[];

  test("are RSA of 2048 bits with their certificate; kid is x5t", async () => {
    const [key, ...more] = await keysOf(`/${tid}/discovery/keys`);
    expect(more).toEqual([]);
    expect(key).toMatchObject({ kty: "RSA", use: "sig", e: "AQAB", kid: key?.["x5t"] });
    const certificate = new X509Certificate(Buffer.from(key?.x5c[0] ?? "", "base64"));
    expect(certificate.publicKey.asymmetricKeyDetails?.modulusLength).toBe(2048);
    const fingerprint = Buffer.from(certificate.fingerprint.replaceAll(":", ""), "hex").toString("base64url");
    expect(fingerprint).toBe(key?.["x5t"]);
    expect(certificate.publicKey.export({ format: "jwk" })["n"]).toBe(key?.["n"]);
  });

  test("of v2 name their issuer", async () => {
    expect((await keysOf(`/${tid}/discovery/v2.0/keys`))[0]?.["issuer"]).toBe(`${PUBLIC_URL}/${tid}/v2.0`);
    expect((await keysOf("/common/discovery/v2.0/keys"))[0]?.["issuer"]).toBe(`${PUBLIC_URL}/{tenantid}/v2.0`);
  });

  test("of tomorrow are published today, those of yesterday for a while", async () => {
    const other = await TestProvider.start();
    const ring = other.services.keys;
    const first = ring.current().kid;
    const path = `/${other.tenant.id}/discovery/keys`;
    const kids = async () => ((await other.get(path)).body["keys"] as { kid: string }[]).map((key) => key.kid);
    expect(await kids()).toEqual([first]);
    const second = await ring.add(other.clock.now() + 60_000);
    expect(await kids()).toEqual([first, second]);
    expect(ring.current().kid).toBe(first);
    other.clock.advance(60_000);
    expect(ring.current().kid).toBe(second);
    other.clock.advance(24 * 3_600_000);
    expect(await kids()).toEqual([first, second]);
    other.clock.advance(48 * 3_600_000);
    expect(await kids()).toEqual([second]);
    await other.stop();
  });
});

// Read in the embedded file.
test.skipIf(postgresServer !== undefined)("the private key is sealed in the database", async () => {
  const { readFileSync } = await import("node:fs");
  const files = ["identity.db", "identity.db-wal"].map((name) => readFileSync(`${provider.folder}/${name}`));
  const text = Buffer.concat(files).toString("latin1");
  expect(text).toContain("sealed:identity/signing-key:");
  expect(text).toContain("sealed:identity/tenant-subject-key:");
});

describe("user realm", () => {
  test.each([
    [`alice@${DOMAIN}`, "Managed"],
    [`nobody@${DOMAIN.toUpperCase()}`, "Managed"],
    ["alice@elsewhere.example", "Unknown"],
    ["alice", "Unknown"],
  ])("%s is %s", async (user, type) => {
    for (const path of ["/common/UserRealm/", "/common/userrealm/"]) {
      const { status, body } = await provider.get(`${path}${encodeURIComponent(user)}?api-version=1.0`);
      expect([status, body["ver"], body["account_type"]]).toEqual([200, "1.0", type]);
    }
  });
});

describe("instance discovery", () => {
  const ask = (endpoint?: string, version = "1.1") =>
    provider.get(
      `/common/discovery/instance?api-version=${version}` +
        (endpoint === undefined ? "" : `&authorization_endpoint=${encodeURIComponent(endpoint)}`),
    );

  test("knows our own host with its port", async () => {
    const { status, body } = await ask(`${PUBLIC_URL}/${tid}/oauth2/v2.0/authorize`);
    expect(status).toBe(200);
    expect(body).toEqual({
      tenant_discovery_endpoint: `${PUBLIC_URL}/${tid}/v2.0/.well-known/openid-configuration`,
      "api-version": "1.1",
      metadata: [
        { preferred_network: "localhost:8443", preferred_cache: "localhost:8443", aliases: ["localhost:8443"] },
      ],
    });
  });

  test("knows no other", async () => {
    const { status, body } = await ask("https://login.example/common/oauth2/authorize");
    expect([status, body["error"], body["error_codes"]]).toEqual([400, "invalid_instance", [50049]]);
    expect((await ask()).body["error_codes"]).toEqual([50050]);
    expect((await ask(PUBLIC_URL, "7")).body["error_codes"]).toEqual([50050]);
  });
});
