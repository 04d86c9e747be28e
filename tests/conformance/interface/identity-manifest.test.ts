import { createSign, randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClientCertificate } from "../../interop/client-certificate.ts";
import { IdentityUnderTest } from "./identity-under-test.ts";

/* identity §2: the manifest of an application, against a server of our own on an empty folder. */

interface Manifest {
  readonly appId: string;
  readonly keyCredentials: readonly { readonly keyId: string; readonly value: string | null }[];
}

let server: IdentityUnderTest;
let id: string;
let byCommand: { readonly certificatePem: string; readonly privateKeyPem: string };

beforeAll(async () => {
  server = await IdentityUnderTest.start();
  id = (await server.manage<{ id: string }>("POST", "/applications", { displayName: "confidential" })).id;
  byCommand = await createClientCertificate();
  await server.manage("POST", `/applications/${id}/keyCredentials`, { key: byCommand.certificatePem });
});
afterAll(() => server?.close());

const oneLine = (pem: string): string => pem.replace(/-----[^-]+-----|\s/g, "");
const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const download = (): Promise<Manifest> => server.manage("GET", `/applications/${id}/manifest`);
const upload = (manifest: object): Promise<Manifest> => server.manage("PUT", `/applications/${id}/manifest`, manifest);

/** Whether the certificate still gets a token, by an assertion as §2 describes it. */
async function authenticates({ certificatePem, privateKeyPem }: typeof byCommand): Promise<boolean> {
  const { appId } = await download();
  const expiresAtSeconds = Math.floor(Date.now() / 1000) + 600;
  const text = `${encoded({ alg: "RS256", typ: "JWT", x5c: [oneLine(certificatePem)] })}.${encoded({
    aud: `${server.url}/${server.tenantId}/oauth2/token`,
    iss: appId,
    sub: appId,
    jti: randomUUID(),
    exp: expiresAtSeconds,
  })}`;
  const { status } = await server.token({
    grant_type: "client_credentials",
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: `${text}.${createSign("RSA-SHA256").update(text).sign(privateKeyPem, "base64url")}`,
    resource: appId,
  });
  return status === 200;
}

test("identity §2: a downloaded manifest shows `keyCredentials[].value` as null, and the certificate still authenticates", async () => {
  const manifest = await download();
  expect(manifest.keyCredentials).toMatchObject([{ value: null }]);
  expect(JSON.stringify(manifest)).not.toContain(oneLine(byCommand.certificatePem));
  expect(await authenticates(byCommand)).toBe(true);
});

test("identity §2: the manifest goes up again as it came down, and nothing is lost", async () => {
  const manifest = await download();
  expect(await upload(manifest)).toEqual(manifest);
  expect(await authenticates(byCommand)).toBe(true);
});

test("identity §2: a certificate registered in the manifest authenticates beside one added by command", async () => {
  const byManifest = await createClientCertificate();
  const manifest = await download();
  const value = oneLine(byManifest.certificatePem);
  const changed = await upload({ ...manifest, keyCredentials: [...manifest.keyCredentials, { value }] });
  expect(changed.keyCredentials).toMatchObject([{ value: null }, { value: null }]);
  expect([await authenticates(byCommand), await authenticates(byManifest)]).toEqual([true, true]);
  const kept = changed.keyCredentials.filter((each) => each.keyId !== manifest.keyCredentials[0]?.keyId);
  await upload({ ...changed, keyCredentials: kept });
  expect([await authenticates(byCommand), await authenticates(byManifest)]).toEqual([false, true]);
});
