import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Application } from "../applications/application.ts";
import { readCertificate } from "../applications/client-certificate.ts";
import { type ClientIdentity, createClientIdentity, signAssertion, x5t } from "../testing/client-certificates.ts";
import { TestProvider } from "../testing/test-provider.ts";

const DIRECTORY = "00000002-0000-0000-c000-000000000000";
let provider: TestProvider;
let first: ClientIdentity;
let second: ClientIdentity;
let client: Application;
let firstId: string;
let token: string;
let counter = 0;

beforeAll(async () => {
  provider = await TestProvider.start();
  const days = (count: number): Date => new Date(provider.clock.now() + count * 86_400_000);
  [first, second] = await Promise.all([
    createClientIdentity(days(-1), days(300)),
    createClientIdentity(days(-1), days(300)),
  ]);
});
afterAll(() => provider.stop());
beforeEach(async () => {
  counter += 1;
  client = await provider.createConfidential(`client${counter}`);
  firstId = await provider.services.applications.addCertificate(client.id, readCertificate(first.pem), "first");
  token = await tokenOf(client, `client${counter}`);
});

const tokenOf = async ({ appId }: Application, name: string): Promise<string> => {
  const { body } = await provider.token(1, {
    grant_type: "client_credentials",
    client_id: appId,
    client_secret: `secret of ${name}`,
    resource: "https://graph.microsoft.com",
  });
  return String(body["access_token"]);
};
const proof = (more: Record<string, unknown> = {}, identity = first): string => {
  const nowSeconds = Math.floor(provider.clock.now() / 1000);
  const claims = { iss: client.id, aud: DIRECTORY, nbf: nowSeconds, exp: nowSeconds + 600, ...more };
  return signAssertion({ alg: "RS256", x5t: x5t(identity) }, claims, identity.privateKey);
};
const ask = async (action: string, body: object, bearer = token) => {
  const response = await provider.app.inject({
    method: "POST",
    url: `/v1.0/applications/${client.id}/${action}`,
    headers: { authorization: `Bearer ${bearer}` },
    payload: body,
  });
  return { status: response.statusCode, body: response.body };
};
const keyCredential = () => ({ type: "AsymmetricX509Cert", usage: "Verify", key: second.der.toString("base64") });
const certificates = async () =>
  ((await provider.services.applications.findByAppId(client.appId))?.certificates ?? []).map(({ id }) => id);

test("an application adds a key and removes the old one, with proofs by keys in force", async () => {
  const added = await ask("addKey", { keyCredential: keyCredential(), passwordCredential: null, proof: proof() });
  expect(added.status, added.body).toBe(200);
  expect(await certificates()).toHaveLength(2);
  const removed = await ask("removeKey", { keyId: firstId, proof: proof({}, second) });
  expect(removed.status, removed.body).toBe(204);
  expect(await certificates()).not.toContain(firstId);
});

test("a secret may come with it", async () => {
  const passwordCredential = { displayName: "rolled" };
  const { body } = await ask("addKey", { keyCredential: keyCredential(), passwordCredential, proof: proof() });
  expect(JSON.parse(body)).toMatchObject({
    passwordCredential: { displayName: "rolled", secretText: expect.any(String) },
  });
});

describe("refused", () => {
  test.each<[string, () => string]>([
    ["no certificate of the application", () => proof({}, second)],
    ["the client id as issuer", () => proof({ iss: client.appId })],
    ["another audience", () => proof({ aud: "https://localhost:8443" })],
    ["a life of an hour", () => proof({ exp: Math.floor(provider.clock.now() / 1000) + 3600 })],
    ["no nbf", () => proof({ nbf: undefined })],
    ["an expired one", () => proof({ nbf: 0, exp: 600 })],
    ["no JWT", () => "x"],
  ])("a proof with %s", async (_name, text) => {
    expect((await ask("addKey", { keyCredential: keyCredential(), proof: text() })).status).toBe(403);
    expect(await certificates()).toEqual([firstId]);
  });

  test("no proof at all", async () => {
    expect((await ask("addKey", { keyCredential: keyCredential() })).status).toBe(400);
  });

  test("another application's token", async () => {
    const other = await provider.createConfidential(`other${counter}`);
    const stranger = await tokenOf(other, `other${counter}`);
    expect((await ask("addKey", { keyCredential: keyCredential(), proof: proof() }, stranger)).status).toBe(403);
    expect((await ask("removeKey", { keyId: firstId, proof: proof() }, stranger)).status).toBe(403);
  });

  test("its own token opens nothing else", async () => {
    expect((await ask("addPassword", {})).status).toBe(403);
  });
});
