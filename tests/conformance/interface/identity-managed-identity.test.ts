import { ManagedIdentityApplication } from "@azure/msal-node";
import { createTokenValidator } from "@trefoil/token-validation";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { IdentityUnderTest } from "./identity-under-test.ts";

/*
 * identity §4.4: a hosted application with a managed identity gets a token for a protected application by that one's
 * client id. The document leaves address and shape open; here they are those that unmodified clients use.
 */

interface ManagedIdentity {
  readonly clientId: string;
  readonly principalId: string;
  readonly identityHeader: string;
}

let server: IdentityUnderTest;
let protectedId: string;
let identity: ManagedIdentity;

beforeAll(async () => {
  server = await IdentityUnderTest.start({
    "identity.metadata_endpoint.enabled": "true",
    "identity.metadata_endpoint.identity": "hosted",
  });
  protectedId = (await server.manage<{ appId: string }>("POST", "/applications", { displayName: "protected" })).appId;
  identity = await server.manage("POST", "/managedIdentities", { name: "hosted", resources: [protectedId] });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await server?.close();
});

/** What the protected application does with the token: validates it by itself, by the published keys. */
async function validate(accessToken: string): Promise<Readonly<Record<string, unknown>>> {
  const validator = createTokenValidator({
    issuer: `${server.url}/${server.tenantId}/`,
    audience: protectedId,
    certificateAuthorityPem: server.certificateAuthorityPem,
  });
  return (await validator.validate(accessToken)).claims;
}

test("identity §4.4: the token endpoint of hosted applications takes a `resource` that is a client id", async () => {
  const target = `/msi/token?api-version=2019-08-01&resource=${protectedId}`;
  const answer = await server.send("GET", target, { "X-IDENTITY-HEADER": identity.identityHeader });
  expect(answer.status).toBe(200);
  expect(answer.json()).toMatchObject({ resource: protectedId, client_id: identity.clientId, token_type: "Bearer" });
  expect(await validate(String(answer.json()["access_token"]))).toMatchObject({
    aud: protectedId,
    appid: identity.clientId,
    oid: identity.principalId,
  });
  expect((await server.send("GET", target)).status).toBe(401);
});

describe("identity §4.4: an unmodified client gets its token", () => {
  test.each([
    [
      "as a hosted web application",
      () => ({ IDENTITY_ENDPOINT: `${server.plainUrl}/msi/token`, IDENTITY_HEADER: identity.identityHeader }),
    ],
    ["on a machine", () => ({ AZURE_POD_IDENTITY_AUTHORITY_HOST: server.plainUrl })],
  ])("%s", async (_where, environment) => {
    for (const [name, value] of Object.entries(environment())) {
      vi.stubEnv(name, value);
    }
    const client = new ManagedIdentityApplication({ system: { disableInternalRetries: true } });
    const token = await client.acquireToken({ resource: protectedId, forceRefresh: true });
    vi.unstubAllEnvs();
    expect(await validate(token.accessToken)).toMatchObject({ aud: protectedId, oid: identity.principalId });
  });
});
