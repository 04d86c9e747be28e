import { createServer, type Server } from "node:http";
import { type AddressInfo } from "node:net";
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Application } from "../applications/application.ts";
import { claimsOf, PUBLIC_URL, TestProvider } from "../testing/test-provider.ts";
import { fetchDocument } from "./fetch-document.ts";
import { findAddresses, isFetchable } from "./outside-address.ts";

const AUDIENCE = "api://AzureADTokenExchange";
const SUBJECT = "repo:contoso/shop:ref:refs/heads/main";

let provider: TestProvider;
let platform: Server;
let issuer: string;
let client: Application;
let api: Application;
let key: CryptoKey;
let published: JWK[];
let asked: string[] = [];
let discovery: Record<string, unknown> = {};

beforeAll(async () => {
  provider = await TestProvider.start();
  platform = createServer((request, response) => {
    asked.push(request.url ?? "");
    const body = request.url === "/keys" ? { keys: published } : discovery;
    response.setHeader("content-type", "application/json").end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => platform.listen(0, "127.0.0.1", resolve));
  issuer = `http://127.0.0.1:${(platform.address() as AddressInfo).port}`;
  api = await provider.createApplication("api");
});
afterAll(async () => {
  platform.close();
  await provider.stop();
});
beforeEach(async () => {
  const pair = await generateKeyPair("RS256");
  key = pair.privateKey;
  published = [{ ...(await exportJWK(pair.publicKey)), kid: "first", use: "sig" }];
  discovery = { issuer, jwks_uri: `${issuer}/keys` };
  asked = [];
  client = await provider.createApplication("workload");
  // Each test begins with keys that must be read anew.
  provider.clock.advance(26 * 3_600_000);
});

const trust = (credential: object = {}) =>
  provider.manage("POST", `/applications/${client.id}/federatedIdentityCredentials`, {
    name: "main-branch",
    issuer,
    subject: SUBJECT,
    audiences: [AUDIENCE],
    ...credential,
  });

interface Terms {
  readonly iss?: string;
  readonly sub?: string;
  readonly aud?: string | string[];
  readonly kid?: string;
  readonly seconds?: number;
  readonly key?: CryptoKey;
}

const assertion = (terms: Terms = {}) => {
  const nowSeconds = Math.floor(provider.clock.now() / 1000);
  return new SignJWT({})
    .setProtectedHeader({ alg: "RS256", kid: terms.kid ?? "first" })
    .setIssuer(terms.iss ?? issuer)
    .setSubject(terms.sub ?? SUBJECT)
    .setAudience(terms.aud ?? AUDIENCE)
    .setIssuedAt(nowSeconds)
    .setExpirationTime(nowSeconds + (terms.seconds ?? 600))
    .sign(terms.key ?? key);
};

const askFor = (version: 1 | 2, text: string, more: Record<string, string> = {}) =>
  provider.token(version, {
    grant_type: "client_credentials",
    client_id: client.appId,
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: text,
    ...(version === 1 ? { resource: api.appId } : { scope: `${api.appId}/.default` }),
    ...more,
  });

test.each([1, 2] as const)("a token of the trusted issuer authenticates the client (v%s)", async (version) => {
  expect((await trust()).status).toBe(201);
  const answer = await askFor(version, await assertion());
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  expect(claimsOf(answer.body["access_token"])).toMatchObject({ appid: client.appId, appidacr: "2" });
  expect(asked).toEqual(["/.well-known/openid-configuration", "/keys"]);
  await askFor(version, await assertion());
  expect(asked).toHaveLength(2);
});

test.each<{ name: string; terms: Terms; code: number }>([
  { name: "another issuer", terms: { iss: "https://elsewhere.example" }, code: 700211 },
  { name: "another subject", terms: { sub: "repo:mallory/shop" }, code: 700213 },
  { name: "another audience", terms: { aud: "api://other" }, code: 700212 },
  { name: "an expired token", terms: { seconds: -301 }, code: 700024 },
  { name: "an unknown key", terms: { kid: "second" }, code: 700027 },
])("$name is refused as $code", async ({ terms, code }) => {
  await trust();
  const answer = await askFor(2, await assertion(terms));
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({ error: "unauthorized_client", error_codes: [70002, 50064, code] });
});

test("another key under the same name is refused", async () => {
  await trust();
  const { privateKey } = await generateKeyPair("RS256");
  const answer = await askFor(2, await assertion({ key: privateKey }));
  expect(answer.body).toMatchObject({ error_codes: [70002, 50064, 700027] });
});

test("a key that comes later is found, but not more often than every half minute", async () => {
  await trust();
  expect((await askFor(2, await assertion())).status).toBe(200);
  const next = await generateKeyPair("ES256");
  published.push({ ...(await exportJWK(next.publicKey)), kid: "next" });
  const nowSeconds = Math.floor(provider.clock.now() / 1000);
  const text = await new SignJWT({ iss: issuer, sub: SUBJECT, aud: AUDIENCE, exp: nowSeconds + 900 })
    .setProtectedHeader({ alg: "ES256", kid: "next" })
    .sign(next.privateKey);
  expect((await askFor(2, text)).status).toBe(400);
  provider.clock.advance(31_000);
  expect((await askFor(2, text)).status).toBe(200);
});

test("keys that can't be renewed count for a day", async () => {
  await trust();
  expect((await askFor(2, await assertion())).status).toBe(200);
  discovery = { issuer: "https://somebody.else", jwks_uri: `${issuer}/keys` };
  provider.clock.advance(3 * 3_600_000);
  expect((await askFor(2, await assertion())).status).toBe(200);
  provider.clock.advance(24 * 3_600_000);
  expect((await askFor(2, await assertion())).body).toMatchObject({ error_codes: [70002, 50064, 50166] });
});

test("without client_id the request says so", async () => {
  await trust();
  const answer = await askFor(2, await assertion(), { client_id: "" });
  expect(answer.body).toMatchObject({ error: "invalid_request", error_codes: [900144] });
});

test("an application that trusts nobody takes its own certificates only", async () => {
  const answer = await askFor(2, await assertion());
  expect(answer.body).toMatchObject({ error_codes: [70002, 50064, 700027] });
  expect(asked).toEqual([]);
});

test("our own tokens count like those of any issuer", async () => {
  const worker = await provider.createConfidential("worker");
  const exchange = await provider.createApplication("exchange", {}, [AUDIENCE]);
  const principalId = worker.servicePrincipals.get(provider.tenant.id) ?? "";
  await trust({ issuer: `${PUBLIC_URL}/${provider.tenant.id}/`, subject: principalId, audiences: [AUDIENCE] });
  const token = await provider.token(1, {
    grant_type: "client_credentials",
    client_id: worker.appId,
    client_secret: "secret of worker",
    resource: AUDIENCE,
  });
  const answer = await askFor(1, String(token.body["access_token"]));
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  expect(asked).toEqual([]);
  await provider.services.applications.delete(exchange.id);
});

describe("management", () => {
  const path = () => `/applications/${client.id}/federatedIdentityCredentials`;

  test("credentials are listed, read by name and id, changed and removed", async () => {
    const { body } = await trust({ description: "builds" });
    expect(body).toMatchObject({ name: "main-branch", issuer, subject: SUBJECT, audiences: [AUDIENCE] });
    expect((await provider.manage("GET", path())).body["value"]).toEqual([body]);
    expect((await provider.manage("GET", `${path()}/main-branch`)).body).toEqual(body);
    expect((await provider.manage("PATCH", `${path()}/${String(body["id"])}`, { subject: "other" })).status).toBe(204);
    expect((await askFor(2, await assertion({ sub: "other" }))).status).toBe(200);
    expect((await provider.manage("DELETE", `${path()}/main-branch`)).status).toBe(204);
    expect((await askFor(2, await assertion({ sub: "other" }))).status).toBe(400);
  });

  test("the audience of clients of the interface is the default", async () => {
    expect((await trust({ audiences: null })).body).toMatchObject({ audiences: [AUDIENCE] });
  });

  test.each<[string, object, number]>([
    ["a name twice", { subject: "other" }, 409],
    ["issuer and subject twice", { name: "second" }, 409],
    ["no subject", { name: "second", subject: "" }, 400],
    ["an issuer without TLS", { name: "second", issuer: "http://issuer.example" }, 400],
    ["an issuer with a query", { name: "second", issuer: "https://issuer.example/?a" }, 400],
    ["no audience", { name: "second", subject: "x", audiences: [] }, 400],
    ["a name with blanks", { name: "a b c", subject: "x" }, 400],
  ])("%s is refused", async (_name, credential, status) => {
    await trust();
    expect((await trust(credential)).status).toBe(status);
  });

  test("at most twenty", async () => {
    for (let index = 0; index < 20; index += 1) {
      expect((await trust({ name: `name-${index}`, subject: `s${index}` })).status).toBe(201);
    }
    expect((await trust({ name: "one-more", subject: "s" })).status).toBe(400);
  });
});

describe("where documents are read", () => {
  test.each(["https://issuer.example/", "http://localhost:1/", "http://127.0.0.1/", "http://[::1]/"])(
    "%s may be asked",
    (url) => expect(isFetchable(new URL(url))).toBe(true),
  );
  test.each(["http://issuer.example/", "ftp://localhost/", "file:///etc/passwd", "https://a:b@issuer.example/"])(
    "%s may not",
    (url) => expect(isFetchable(new URL(url))).toBe(false),
  );
  test.each(["10.0.0.1", "169.254.169.254", "192.168.1.1", "172.16.5.4", "[fd00::1]", "[::ffff:10.0.0.1]", "0.0.0.0"])(
    "the address %s is not of the public network",
    async (host) => {
      await expect(findAddresses(host, new Set())).rejects.toThrow("not of the public network");
    },
  );
  test("what the configuration lists may be anywhere", async () => {
    expect(await findAddresses("10.0.0.1", new Set(["10.0.0.1"]))).toEqual([{ address: "10.0.0.1", family: 4 }]);
  });
  test("a discovery document of the outside can't send us to this machine", async () => {
    await trust({ issuer: "https://issuer.example", name: "outside" });
    const answer = await askFor(2, await assertion({ iss: "https://issuer.example" }));
    expect(answer.body).toMatchObject({ error_codes: [70002, 50064, 50166] });
    expect(asked).toEqual([]);
  });
  test("redirects are not followed, long documents not read", async () => {
    const server = createServer((request, response) => {
      if (request.url === "/moved") {
        response.writeHead(302, { location: "/" }).end();
      } else {
        response.end(JSON.stringify({ text: "x".repeat(300_000) }));
      }
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await expect(fetchDocument(new URL(`${base}/moved`), new Set())).rejects.toThrow("status 302");
    await expect(fetchDocument(new URL(`${base}/long`), new Set())).rejects.toThrow("longer");
    server.close();
  });
});
