import { request as startRequest } from "node:https";
import { afterAll, beforeAll, expect, test } from "vitest";
import { IdentityUnderTest } from "./identity-under-test.ts";
import { ObjectsUnderTest } from "./objects-under-test.ts";

/* Identity and objects meet over HTTP: a token of the one is believed by the other, by discovery alone. */

let identity: IdentityUnderTest;
let objects: ObjectsUnderTest;
let credentials: { readonly client_id: string; readonly client_secret: string };

beforeAll(async () => {
  identity = await IdentityUnderTest.start();
  objects = await ObjectsUnderTest.start({ "objects.identity.issuer": identity.url }, identity.directory);
  interface Registered {
    readonly id: string;
    readonly appId: string;
  }
  const register = (body: object): Promise<Registered> => identity.manage<Registered>("POST", "/applications", body);
  await register({ displayName: "storage", identifierUris: ["https://storage.azure.com"] });
  await register({ displayName: "other", identifierUris: ["https://other.example"] });
  const client = await register({ displayName: "client" });
  const { secretText } = await identity.manage<{ readonly secretText: string }>(
    "POST",
    `/applications/${client.id}/addPassword`,
    {},
  );
  credentials = { client_id: client.appId, client_secret: secretText };
});
afterAll(async () => {
  await objects?.close();
  await identity?.close();
});

async function tokenFor(resource: string): Promise<string> {
  const answer = await identity.token({ grant_type: "client_credentials", resource, ...credentials });
  return String(answer.json()["access_token"]);
}

function list(token: string): Promise<{ readonly status: number; readonly code: string | undefined }> {
  const url = `${objects.secureUrl}/${objects.credentials.account}/?comp=list`;
  const headers = { authorization: `Bearer ${token}`, "x-ms-version": "2021-12-02" };
  return new Promise((resolve, reject) => {
    const request = startRequest(url, { headers, ca: identity.certificateAuthorityPem, family: 4 }, (response) => {
      response.resume();
      const code = response.headers["x-ms-error-code"];
      resolve({ status: response.statusCode ?? 0, code: typeof code === "string" ? code : undefined });
    });
    request.on("error", reject);
    request.end();
  });
}

test("a token for storage is believed, and opens what its holder has a role for", async () => {
  // Believed, though without a role yet: another refusal than the one below.
  expect(await list(await tokenFor("https://storage.azure.com"))).toEqual({
    status: 403,
    code: "AuthorizationPermissionMismatch",
  });
});

test("a token for something else is not, nor one that was changed", async () => {
  const refused = { status: 403, code: "AuthenticationFailed" };
  expect(await list(await tokenFor("https://other.example"))).toEqual(refused);
  const [head, claims, signature = ""] = (await tokenFor("https://storage.azure.com")).split(".");
  expect(await list(`${head}.${claims}.${signature.split("").toReversed().join("")}`)).toEqual(refused);
});
