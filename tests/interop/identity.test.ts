import { createHash, X509Certificate } from "node:crypto";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { createLocalJWKSet, type JSONWebKeySet, type JWTPayload, jwtVerify } from "jose";
import { afterAll, beforeAll, expect, test, type TestContext } from "vitest";
import { IdentityUnderTest } from "../conformance/interface/identity-under-test.ts";
import { createClientCertificate } from "./client-certificate.ts";
import { type Installation, installFromNpm, installFromPyPi, installOrSkip } from "./install-for-a-while.ts";
import { type Cell, Matrix } from "./matrix.ts";
import { runProgram } from "../system/run-program.ts";

/*
 * Client libraries of the field, unmodified, each in a process of its own, over https with nothing trusted but the
 * installation's authority. What they do is in tests/interop/clients; here is what has to come out. At the end stands
 * the matrix of clients, flows and versions.
 */

let server: IdentityUnderTest;
let input: Record<string, unknown>;
let webClientId = "";
let hostedClientId = "";
const user = { username: "", password: "a password of some length" };
const redirectUri = "https://web.contoso.example/back";
const matrix = new Matrix();
const installations: Installation[] = [];

interface Registered {
  readonly id: string;
  readonly appId: string;
}

beforeAll(async () => {
  server = await IdentityUnderTest.start();
  const register = async (body: object): Promise<{ clientId: string; id: string; clientSecret: string }> => {
    const { id, appId } = await server.manage<Registered>("POST", "/applications", body);
    const secret = await server.manage<{ secretText: string }>("POST", `/applications/${id}/addPassword`, {});
    return { clientId: appId, id, clientSecret: secret.secretText };
  };
  const scopes = { oauth2PermissionScopes: [{ value: "Things.Read", type: "User" }] };
  await register({ displayName: "api", identifierUris: ["api://things"], api: scopes });
  const back = await register({
    displayName: "back",
    identifierUris: ["api://back"],
    api: { ...scopes, requestedAccessTokenVersion: 2 },
  });
  const web = await register({
    displayName: "web",
    web: { redirectUris: [redirectUri], implicitGrantSettings: { enableIdTokenIssuance: true } },
  });
  const middle = await register({ displayName: "middle", identifierUris: ["api://middle"], api: scopes });
  await server.manage("PATCH", `/applications/${back.id}`, {
    api: { preAuthorizedApplications: [{ appId: middle.clientId, delegatedPermissionIds: await scopeIds(back.id) }] },
  });
  const { appId } = await server.manage<Registered>("POST", "/applications", {
    displayName: "public",
    isFallbackPublicClient: true,
    publicClient: { redirectUris: ["http://localhost/"] },
  });
  const hosted = await server.manage<{ clientId: string; identityHeader: string }>("POST", "/managedIdentities", {
    name: "hosted",
    resources: ["api://things"],
  });
  hostedClientId = hosted.clientId;
  const certificate = await createClientCertificate();
  await server.manage("POST", `/applications/${web.id}/keyCredentials`, { key: certificate.certificatePem });
  user.username = `ada@${server.credentials.tenantDomain}`;
  await server.manage("POST", "/users", {
    userPrincipalName: user.username,
    displayName: "Ada",
    mail: "ada@mail.example",
    passwordProfile: { password: user.password },
  });
  const der = new X509Certificate(certificate.certificatePem).raw;
  const digest = (name: string, encoding: "hex" | "base64url"): string => createHash(name).update(der).digest(encoding);
  webClientId = web.clientId;
  input = {
    origin: server.url,
    tenantId: server.tenantId,
    authority: `${server.url}/${server.tenantId}`,
    web: { clientId: web.clientId, clientSecret: web.clientSecret },
    middle: { clientId: middle.clientId, clientSecret: middle.clientSecret },
    publicClient: { clientId: appId },
    certificate: {
      ...certificate,
      thumbprint: digest("sha1", "hex"),
      thumbprintSha256: digest("sha256", "hex"),
      x5t: digest("sha1", "base64url"),
      "x5t#S256": digest("sha256", "base64url"),
    },
    resource: "api://things",
    scope: "api://things/Things.Read",
    own: "api://things/.default",
    middleScope: "api://middle/Things.Read",
    backScope: "api://back/Things.Read",
    backClientId: back.clientId,
    redirectUri,
    managedIdentity: { IDENTITY_ENDPOINT: `${server.plainUrl}/msi/token`, IDENTITY_HEADER: hosted.identityHeader },
    user,
  };
});
afterAll(async () => {
  console.log(`Clients of the identity provider, with the versions of the endpoints they used:\n\n${matrix}`);
  await Promise.all(installations.map((each) => each.remove()));
  await server?.close();
});

async function scopeIds(applicationId: string): Promise<readonly string[]> {
  interface Shown {
    readonly api: { readonly oauth2PermissionScopes: readonly { readonly id: string }[] };
  }
  const { api } = await server.manage<Shown>("GET", `/applications/${applicationId}`);
  return api.oauth2PermissionScopes.map(({ id }) => id);
}

/** Runs a program of `tests/interop/clients` with nothing trusted but the installation's authority. */
async function runClient(program: string, interpreter = process.execPath, more: object = {}): Promise<readonly Cell[]> {
  const authority = path.join(server.directory, "ca-for-clients.pem");
  await writeFile(authority, server.certificateAuthorityPem);
  const environment = {
    NODE_EXTRA_CA_CERTS: authority,
    NODE_NO_WARNINGS: "1",
    REQUESTS_CA_BUNDLE: authority,
    PYTHONDONTWRITEBYTECODE: "1",
  };
  const words = [path.join(import.meta.dirname, "clients", program)];
  return JSON.parse(await runProgram(interpreter, words, { input: { ...input, ...more }, environment })) as Cell[];
}

type Versions = readonly (1 | 2)[];
const v1: Versions = [1];
const v2: Versions = [2];
const both: Versions = [1, 2];

const introspected = { active: true, scope: expect.stringContaining("Things.Read") as string };

/** What comes out of flows that don't end in a token. */
const facts: Readonly<Record<string, unknown>> = {
  userinfo: { sub: expect.any(String) as string, email: "ada@mail.example" },
  introspection: introspected,
  revocation: { active: false, refresh: "invalid_grant" },
  refusal: { error: "invalid_client", number: 7_000_215 },
  "refusal of line breaks in a chain": { error: "unauthorized_client", number: true },
  "implicit id token": { audience: true },
  "validation refuses a changed token": "ERR_JWS_SIGNATURE_VERIFICATION_FAILED",
  "bearer strategy refuses another audience": true,
};

/** Compares what a client did with what it should have; each token is validated here as well. */
async function judge(client: string, cells: readonly Cell[], flows: Readonly<Record<string, Versions>>): Promise<void> {
  matrix.record(client, cells);
  expect(cells.filter(({ failure }) => failure !== undefined)).toEqual([]);
  const wanted = Object.entries(flows).flatMap(([flow, versions]) => versions.map((version) => `${flow}, v${version}`));
  expect(cells.map(({ flow, version }) => `${flow}, v${version}`).toSorted()).toEqual(wanted.toSorted());
  const keys = (await server.send("GET", `/${server.tenantId}/discovery/keys`)).json() as unknown as JSONWebKeySet;
  const validate = async (token: string) => (await jwtVerify(token, createLocalJWKSet(keys))).payload;
  for (const { flow, version, token, fact } of cells) {
    const outcome = token === undefined ? { fact } : { who: partyOf(flow, await validate(token)) };
    expect(outcome, `${client}, ${flow}, v${version}`).toMatchObject(outcomeOf(flow));
  }
}

function isOwn(flow: string): boolean {
  return flow.startsWith("client credentials") || flow.startsWith("bearer strategy");
}

function partyOf(flow: string, claims: JWTPayload): unknown {
  return isOwn(flow) || flow === "managed identity"
    ? (claims["appid"] ?? claims["azp"])
    : (claims["upn"] ?? claims["preferred_username"]);
}

function outcomeOf(flow: string): object {
  if (flow in facts) {
    return { fact: flow === "introspection" ? { ...introspected, username: user.username } : facts[flow] };
  }
  if (flow.startsWith("openid strategy")) {
    return { fact: { user: user.username } };
  }
  return { who: flow === "managed identity" ? hostedClientId : isOwn(flow) ? webClientId : user.username };
}

test("@azure/msal-node", async () => {
  await judge("msal-node", await runClient("identity-msal-node.mjs"), {
    "client credentials, secret": v2,
    "client credentials, certificate": v2,
    "client credentials, certificate with chain": v2,
    "code with PKCE": v2,
    "code with PKCE, public client": v2,
    refresh: v2,
    "refresh, public client": v2,
    "device code": v2,
    password: v2,
    "on behalf of": v2,
    refusal: v2,
  });
});

test("adal-node", async () => {
  await judge("adal-node", await runClient("identity-adal-node.mjs"), {
    "client credentials, secret": v1,
    "client credentials, certificate": v1,
    code: v1,
    refresh: v1,
    "refresh, public client": v1,
    "device code": v1,
    password: v1,
    refusal: v1,
  });
});

test("@azure/identity", async () => {
  await judge("azure-identity", await runClient("identity-azure-identity.mjs"), {
    "client credentials, secret": v2,
    "client credentials, certificate": v2,
    "client credentials, certificate with chain": v2,
    code: v2,
    "device code": v2,
    password: v2,
    "on behalf of": v2,
    refusal: v2,
  });
});

// Like oauth4webapi it reads the device answer of RFC 8628; that of v1 has the names of its own time.
test("openid-client", async () => {
  await judge("openid-client", await runClient("identity-openid-client.mjs"), {
    "client credentials, secret": both,
    "client credentials, secret by Basic": both,
    "client credentials, certificate": both,
    "code with PKCE": both,
    "hybrid by form_post": both,
    "implicit id token": both,
    refresh: both,
    "device code": v2,
    password: both,
    "on behalf of": both,
    userinfo: both,
    introspection: both,
    revocation: both,
    refusal: both,
  });
});

test("oauth4webapi", async () => {
  await judge("oauth4webapi", await runClient("identity-oauth4webapi.mjs"), {
    "client credentials, secret": both,
    "client credentials, secret by Basic": both,
    "client credentials, certificate": both,
    "client credentials, certificate, PS256": both,
    "code with PKCE": both,
    "hybrid by form_post": both,
    refresh: both,
    "device code": v2,
    userinfo: both,
    introspection: both,
    revocation: both,
    refusal: both,
  });
});

test("jose", async () => {
  await judge("jose", await runClient("identity-jose.mjs"), {
    "client credentials, certificate, RS256": both,
    "client credentials, certificate, PS256": both,
    "validation of a user's token": both,
    "validation refuses a changed token": both,
  });
});

test("passport-azure-ad", { timeout: 150_000 }, async (context) => {
  const installed = await available(context, "passport", () => installFromNpm(["passport-azure-ad@4.3.5"]));
  const cells = await runClient("identity-passport-azure-ad.mjs", process.execPath, { folder: installed.folder });
  await judge("passport", cells, {
    "bearer strategy": both,
    "bearer strategy refuses another audience": both,
    "openid strategy, code, query": both,
    "openid strategy, code, form_post": both,
    "openid strategy, id_token, form_post": both,
    "openid strategy, code id_token, form_post": both,
    "openid strategy, code, certificate": both,
    "openid strategy, code with resource": v1,
  });
});

test("msal for Python", { timeout: 150_000 }, async (context) => {
  const { folder } = await available(context, "msal (Python)", () => installFromPyPi(["msal==1.39.0"]));
  await judge("msal (Python)", await runClient("identity_msal.py", path.join(folder, "bin/python")), {
    "client credentials, secret": v2,
    "client credentials, certificate": v2,
    "client credentials, certificate, PS256": v2,
    "client credentials, assertion made before": v2,
    "refusal of line breaks in a chain": v2,
    code: v2,
    "code with PKCE": v2,
    "code with PKCE, public client": v2,
    "code with PKCE, interactive": v2,
    refresh: v2,
    "refresh, public client": v2,
    "refresh, token of another library": v2,
    password: v2,
    "device code": v2,
    "on behalf of": v2,
    "managed identity": v1,
    refusal: v2,
  });
});

test("adal for Python", { timeout: 150_000 }, async (context) => {
  const { folder } = await available(context, "adal (Python)", () => installFromPyPi(["adal==1.2.7"]));
  await judge("adal (Python)", await runClient("identity_adal.py", path.join(folder, "bin/python")), {
    "client credentials, secret": v1,
    "client credentials, certificate": v1,
    "refusal of line breaks in a chain": v1,
    code: v1,
    refresh: v1,
    "refresh, public client": v1,
    "device code": v1,
    password: v1,
    refusal: v1,
  });
});

/** Installs a client; where that can't be done, the test is skipped and the matrix says why. */
async function available(
  context: TestContext,
  client: string,
  install: () => Promise<Installation>,
): Promise<Installation> {
  const installation = await installOrSkip(context, install, (reason) => matrix.skip(client, reason));
  installations.push(installation);
  return installation;
}
