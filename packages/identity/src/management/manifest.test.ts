import { beforeAll, afterAll, describe, expect, test } from "vitest";
import { createClientIdentity as createIdentity } from "../testing/client-certificates.ts";
import { TestProvider } from "../testing/test-provider.ts";

let provider: TestProvider;
beforeAll(async () => {
  provider = await TestProvider.start();
});
afterAll(() => provider.stop());

interface Manifest extends Record<string, unknown> {
  keyCredentials: { keyId: string; value: string | null; displayName: string; customKeyIdentifier: string }[];
  passwordCredentials: { keyId: string; value: string | null }[];
}

const createClientIdentity = () => createIdentity(new Date("2026-01-01"), new Date("2030-01-01"));
const path = (id: string) => `/applications/${id}/manifest`;
const download = async (id: string) => (await provider.manage("GET", path(id))).body as Manifest;
const upload = (id: string, manifest: object) => provider.manage("PUT", path(id), manifest);
const codeOf = (body: Readonly<Record<string, unknown>>) => (body["error"] as { message: string }).message;

async function applicationWithCertificate(name: string) {
  const application = await provider.createApplication(name);
  const certificate = await createClientIdentity();
  const added = await provider.manage("POST", `/applications/${application.id}/keyCredentials`, {
    key: certificate.pem,
    displayName: "by command",
  });
  return { application, certificate, keyId: String(added.body["keyId"]) };
}

describe("certificates", () => {
  test("come down without their value and stay when that goes up again", async () => {
    const { application, keyId } = await applicationWithCertificate("round trip");
    const before = (await provider.services.applications.findById(application.id))?.certificates[0];
    const manifest = await download(application.id);
    expect(manifest.keyCredentials).toMatchObject([
      { keyId, value: null, type: "AsymmetricX509Cert", usage: "Verify", displayName: "by command" },
    ]);
    const { status, body } = await upload(application.id, manifest);
    expect([status, body]).toEqual([200, manifest]);
    const after = (await provider.services.applications.findById(application.id))?.certificates[0];
    expect(after?.der).toEqual(before?.der);
  });

  test("of commands and of the manifest are one list", async () => {
    const { application, keyId } = await applicationWithCertificate("one list");
    const second = await createClientIdentity();
    const manifest = await download(application.id);
    const value = second.pem.replaceAll(/-----[^-]+-----|\s/g, "");
    const uploaded = await upload(application.id, {
      ...manifest,
      keyCredentials: [...manifest.keyCredentials, { value, displayName: "by manifest" }],
    });
    const entries = (uploaded.body as Manifest).keyCredentials;
    expect(entries.map((each) => [each.displayName, each.value])).toEqual(
      expect.arrayContaining([
        ["by command", null],
        ["by manifest", null],
      ]),
    );
    const added = entries.find((each) => each.displayName === "by manifest");
    expect(added?.customKeyIdentifier).toMatch(/^[\w+/]{27}=$/);
    const { body } = await provider.manage("GET", `/applications/${application.id}`);
    expect((body["keyCredentials"] as object[]).length).toBe(2);
    await provider.manage("DELETE", `/applications/${application.id}/keyCredentials/${keyId}`);
    expect((await download(application.id)).keyCredentials.map((each) => each.keyId)).toEqual([added?.keyId]);
  });

  test("left out of the list are gone; without the list all stay", async () => {
    const { application } = await applicationWithCertificate("left out");
    await upload(application.id, { name: "renamed" });
    expect(await download(application.id)).toMatchObject({ name: "renamed", keyCredentials: [{ value: null }] });
    await upload(application.id, { keyCredentials: [] });
    expect((await download(application.id)).keyCredentials).toEqual([]);
  });

  test("uploaded again with their value are the same; with the id of another they replace it", async () => {
    const { application, certificate, keyId } = await applicationWithCertificate("again");
    const same = await upload(application.id, { keyCredentials: [{ value: certificate.pem }] });
    expect((same.body as Manifest).keyCredentials.map((each) => each.keyId)).toEqual([keyId]);
    const other = await createClientIdentity();
    const replaced = await upload(application.id, { keyCredentials: [{ keyId, value: other.pem }] });
    const [entry] = (replaced.body as Manifest).keyCredentials;
    expect(entry?.keyId).toBe(keyId);
    const der = (await provider.services.applications.findById(application.id))?.certificates[0]?.der;
    expect(Buffer.from(der ?? []).toString("base64")).toBe(other.pem.replaceAll(/-----[^-]+-----|\s/g, ""));
  });

  test.each([
    ["an unknown id without value", [{ keyId: "11111111-1111-4111-8111-111111111111", value: null }]],
    ["nothing at all", [{}]],
    ["what is no certificate", [{ value: "bm90aGluZw==" }]],
    ["a malformed id", [{ keyId: "x", value: null }]],
    ["another kind of list", "none"],
  ])("%s is refused and changes nothing", async (_what, keyCredentials) => {
    const { application } = await applicationWithCertificate(`refused ${_what}`);
    const before = await download(application.id);
    expect((await upload(application.id, { name: "changed", keyCredentials })).status).toBe(400);
    expect(await download(application.id)).toEqual(before);
  });

  test("twice the same id is refused", async () => {
    const { application, keyId } = await applicationWithCertificate("twice");
    const answer = await upload(application.id, { keyCredentials: [{ keyId }, { keyId }] });
    expect(codeOf(answer.body)).toContain("twice");
  });
});

test("secrets stay by id, go when left out, and may come with a value of one's own", async () => {
  const application = await provider.createConfidential("secrets");
  const manifest = await download(application.id);
  expect(manifest.passwordCredentials).toMatchObject([{ value: null, hint: "sec" }]);
  expect((await upload(application.id, manifest)).body).toEqual(manifest);
  const own = { passwordCredentials: [{ value: "chosen by its owner" }] };
  const changed = (await upload(application.id, own)).body as Manifest;
  expect((await upload(application.id, own)).body).toEqual(changed);
  const grant = (secret: string) =>
    provider.token(1, {
      grant_type: "client_credentials",
      client_id: application.appId,
      client_secret: secret,
      resource: application.appId,
    });
  expect((await grant("chosen by its owner")).status).toBe(200);
  expect((await grant("secret of secrets")).status).toBe(401);
  expect((await upload(application.id, { passwordCredentials: [{ value: "short" }] })).status).toBe(400);
});

test("each generation's names are understood, and what means nothing here is given back", async () => {
  const { id } = await provider.createApplication("classic");
  const scope = { id: "6f0bb5ba-9b5c-4c5f-8f2f-0d8f5f4c9c11", value: "Orders.Read", type: "Admin" };
  const classic = {
    displayName: "classic 2",
    availableToOtherTenants: true,
    publicClient: true,
    replyUrls: ["https://a.example/back"],
    homepage: "https://a.example",
    oauth2AllowImplicitFlow: true,
    oauth2Permissions: [scope],
    accessTokenAcceptedVersion: 2,
    groupMembershipClaims: "SecurityGroup",
    optionalClaims: { idToken: [{ name: "email" }] },
    samlMetadataUrl: "https://a.example/saml",
    tags: ["one", "two"],
    orgRestrictions: [],
  };
  expect((await upload(id, classic)).status).toBe(200);
  const first = await download(id);
  expect(first).toMatchObject({
    name: "classic 2",
    signInAudience: "AzureADMultipleOrgs",
    allowPublicClient: true,
    replyUrlsWithType: [{ url: "https://a.example/back", type: "InstalledClient" }],
    signInUrl: "https://a.example",
    oauth2AllowImplicitFlow: true,
    oauth2AllowIdTokenImplicitFlow: false,
    oauth2Permissions: [scope],
    accessTokenAcceptedVersion: 2,
    groupMembershipClaims: "SecurityGroup",
    samlMetadataUrl: "https://a.example/saml",
    tags: ["one", "two"],
  });
  await upload(id, {
    ...first,
    accessTokenAcceptedVersion: null,
    allowPublicClient: null,
    groupMembershipClaims: null,
    optionalClaims: null,
    signInUrl: null,
    replyUrlsWithType: [
      { url: "https://b.example/back", type: "Web" },
      { url: "https://b.example/spa", type: "Spa" },
    ],
  });
  const graph = (await provider.manage("GET", `/applications/${id}`)).body;
  expect(graph).toMatchObject({
    groupMembershipClaims: null,
    optionalClaims: { idToken: [] },
    api: { requestedAccessTokenVersion: 1, oauth2PermissionScopes: [scope] },
    web: {
      homePageUrl: null,
      redirectUris: ["https://b.example/back"],
      implicitGrantSettings: { enableAccessTokenIssuance: true },
    },
    spa: { redirectUris: ["https://b.example/spa"] },
    publicClient: { redirectUris: [] },
  });
  const second = await download(id);
  expect((await upload(id, graph)).status).toBe(200);
  expect(await download(id)).toEqual(second);
});

test.each([
  [{ appId: "11111111-1111-4111-8111-111111111111" }, "appId"],
  [{ id: "11111111-1111-4111-8111-111111111111" }, "id"],
  [{ replyUrls: ["http://insecure.example/"] }, "secure scheme"],
  [{ replyUrlsWithType: "x" }, "list"],
  [{ oauth2Permissions: [{ value: "A" }, { value: "a" }] }, "twice"],
  [{ appRoles: [{ value: "R", allowedMemberTypes: ["user"] }] }, "allowedMemberTypes"],
  [{ name: "" }, "displayName"],
  [{ groupMembershipClaims: "Some" }, "one of"],
  [{ accessTokenAcceptedVersion: 3 }, "one of"],
  [{ requiredResourceAccess: [{ resourceAppId: "x" }] }, "GUID"],
])("%j is refused", async (manifest, reason) => {
  const { id } = await provider.createApplication("refusing");
  const { status, body } = await upload(id, manifest);
  expect([status, codeOf(body)]).toEqual([400, expect.stringContaining(reason)]);
  await provider.services.applications.delete(id);
});
