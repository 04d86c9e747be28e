import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { IdentityUnderTest } from "../conformance/interface/identity-under-test.ts";
import { createClientCertificate } from "./client-certificate.ts";

/*
 * Client libraries of the field, unmodified, each in a process of its own, over https with nothing trusted but the
 * installation's authority. What they do is in tests/interop/clients; here is what has to come out.
 */

let server: IdentityUnderTest;
let input: Record<string, unknown>;
const user = { username: "", password: "a password of some length" };
const redirectUri = "https://web.contoso.example/back";

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
  const certificate = await createClientCertificate();
  await server.manage("POST", `/applications/${web.id}/keyCredentials`, { key: certificate.certificatePem });
  user.username = `ada@${server.credentials.tenantDomain}`;
  await server.manage("POST", "/users", {
    userPrincipalName: user.username,
    displayName: "Ada",
    mail: "ada@mail.example",
    passwordProfile: { password: user.password },
  });
  input = {
    origin: server.url,
    tenantId: server.tenantId,
    authority: `${server.url}/${server.tenantId}`,
    web: { clientId: web.clientId, clientSecret: web.clientSecret },
    middle: { clientId: middle.clientId, clientSecret: middle.clientSecret },
    publicClient: { clientId: appId },
    certificate,
    resource: "api://things",
    scope: "api://things/Things.Read",
    middleScope: "api://middle/Things.Read",
    backScope: "api://back/Things.Read",
    redirectUri,
    user,
  };
});
afterAll(() => server?.close());

async function scopeIds(applicationId: string): Promise<readonly string[]> {
  interface Shown {
    readonly api: { readonly oauth2PermissionScopes: readonly { readonly id: string }[] };
  }
  const { api } = await server.manage<Shown>("GET", `/applications/${applicationId}`);
  return api.oauth2PermissionScopes.map(({ id }) => id);
}

/** Runs a program of `tests/interop/clients`; it gets and gives JSON. */
async function runClient<Result>(program: string, more: object = {}): Promise<Result> {
  const ca = path.join(server.directory, "ca-for-clients.pem");
  await writeFile(ca, server.certificateAuthorityPem);
  const child = execFile(process.execPath, [path.join(import.meta.dirname, "clients", program)], {
    env: { PATH: process.env["PATH"], NODE_EXTRA_CA_CERTS: ca, NODE_NO_WARNINGS: "1" },
    timeout: 50_000,
  });
  const output = { stdout: "", stderr: "" };
  child.stdout?.on("data", (chunk: string) => (output.stdout += chunk));
  child.stderr?.on("data", (chunk: string) => (output.stderr += chunk));
  child.stdin?.end(JSON.stringify({ ...input, ...more }));
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) {
    throw new Error(`${program} ended with ${String(code)}: ${output.stderr}`);
  }
  return JSON.parse(output.stdout) as Result;
}

test("@azure/msal-node: code with PKCE, silent refresh, device code, on behalf of", async () => {
  const byCode = { state: "the state", username: user.username, refreshed: true };
  expect(await runClient("identity-msal-node.mjs")).toMatchObject({
    codeConfidential: byCode,
    codePublic: byCode,
    device: user.username,
    onBehalfOf: { ver: "2.0", scp: "Things.Read", preferred_username: user.username },
  });
});

test("adal-node: secret, certificate, password, refresh, code, device code", async () => {
  expect(await runClient("identity-adal-node.mjs")).toEqual({
    bySecret: "Bearer",
    byCertificate: "Bearer",
    byPassword: user.username,
    refreshed: "Bearer",
    byCode: user.username,
    byDevice: user.username,
    wrong: expect.stringContaining("STS7000215") as string,
  });
});

test("openid-client: discovery, code, hybrid by form_post, refresh, client credentials, device code, userinfo, revocation", async () => {
  const claims = { iss: `${server.url}/${server.tenantId}/v2.0`, tid: server.tenantId };
  expect(await runClient("identity-openid-client.mjs")).toMatchObject({
    code: { ...claims, preferred_username: user.username, email: "ada@mail.example" },
    refreshed: "bearer",
    hybrid: claims,
    own: "bearer",
    ownV1: "bearer",
    device: claims,
    refused: { error: "invalid_resource", status: 400 },
    info: { sub: expect.any(String) as string, email: "ada@mail.example" },
    introspected: { active: true, token_type: "Bearer", username: user.username, scope: "Things.Read" },
    revoked: { active: false },
    ended: "invalid_grant",
  });
});

test("@azure/identity: secret, certificate with chain, password, device code", async () => {
  expect(await runClient("identity-azure-identity.mjs")).toEqual({
    secret: "api://things",
    certificate: "api://things",
    password: "api://things",
    device: "api://things",
    wrong: expect.stringContaining("STS7000215") as string,
  });
});
