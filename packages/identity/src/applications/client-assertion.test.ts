import { createHmac, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ClientIdentity, createClientIdentity, signAssertion, x5t } from "../testing/client-certificates.ts";
import { type Answer, claimsOf, DOMAIN, PUBLIC_URL, TestProvider } from "../testing/test-provider.ts";
import { readCertificate } from "./client-certificate.ts";

let provider: TestProvider;
let identity: ClientIdentity;
let second: ClientIdentity;
let stranger: ClientIdentity;
let expired: ClientIdentity;
let clientId: string;
let lenientId: string;
let emptyId: string;
const RESOURCE = "https://api.contoso.example";

beforeAll(async () => {
  provider = await TestProvider.start();
  const nowMs = provider.clock.now();
  const days = (count: number): Date => new Date(nowMs + count * 86_400_000);
  [identity, second, stranger, expired] = await Promise.all([
    createClientIdentity(days(-1), days(300)),
    createClientIdentity(days(-1), days(300)),
    createClientIdentity(days(-1), days(300)),
    createClientIdentity(days(-10), days(-1)),
  ]);
  await provider.createApplication("api", {}, [RESOURCE]);
  const client = await provider.createApplication("client");
  const lenient = await provider.createApplication("lenient", { toleratesLineBreaksInX5c: true });
  for (const [application, certificates] of [
    [client, [second, identity, expired]],
    [lenient, [identity]],
  ] as const) {
    for (const each of certificates) {
      await provider.services.applications.addCertificate(application.id, readCertificate(each.pem), "");
    }
  }
  clientId = client.appId;
  lenientId = lenient.appId;
  emptyId = (await provider.createApplication("empty")).appId;
});
afterAll(() => provider.stop());

const seconds = (): number => provider.clock.now() / 1000;

function claims(more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    aud: `${PUBLIC_URL}/${provider.tenant.id}/oauth2/token`,
    iss: clientId,
    sub: clientId,
    jti: crypto.randomUUID(),
    exp: seconds() + 600,
    ...more,
  };
}

function send(assertion: string, fields: Record<string, string> = {}, version: 1 | 2 = 1): Promise<Answer> {
  return provider.token(version, {
    grant_type: "client_credentials",
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: assertion,
    ...(version === 1 ? { resource: RESOURCE } : { scope: `${RESOURCE}/.default` }),
    ...fields,
  });
}

const rs256 = (header: object = {}, more: Record<string, unknown> = {}): string =>
  signAssertion({ alg: "RS256", typ: "JWT", x5t: x5t(identity), ...header }, claims(more), identity.privateKey);
const oneLine = (certificate: ClientIdentity): string => certificate.der.toString("base64");

describe("accepted", () => {
  const shapes: readonly (readonly [string, () => string])[] = [
    ["x5t alone", () => rs256()],
    ["x5t and x5c", () => rs256({ x5c: [oneLine(identity)] })],
    ["x5c alone", () => rs256({ x5t: undefined, x5c: [oneLine(identity)] })],
    ["x5c as a plain string", () => rs256({ x5t: undefined, x5c: oneLine(identity) })],
    [
      "PS256 with x5t#S256 and x5c",
      () =>
        signAssertion(
          { alg: "PS256", "x5t#S256": x5t(identity, "sha256"), x5c: [oneLine(identity)] },
          claims(),
          identity.privateKey,
          "PS256",
        ),
    ],
    ["RS256 with x5t#S256", () => rs256({ x5t: undefined, "x5t#S256": x5t(identity, "sha256") })],
    ["a padded x5t", () => rs256({ x5t: `${x5t(identity)}=` })],
    ["x5t in the standard alphabet", () => rs256({ x5t: Buffer.from(x5t(identity), "base64url").toString("base64") })],
    ["kid as the thumbprint in hex", () => rs256({ x5t: undefined, kid: hexThumbprint() })],
    ["kid as the thumbprint", () => rs256({ x5t: undefined, kid: x5t(identity) })],
    ["nothing named", () => rs256({ x5t: undefined })],
    [
      "another of several certificates",
      () => signAssertion({ alg: "RS256", x5t: x5t(second) }, claims(), second.privateKey),
    ],
    ["times with fractions", () => rs256({}, { exp: seconds() + 10.5, iat: seconds() + 0.25 })],
    ["times within the tolerance", () => rs256({}, { exp: seconds() - 299, nbf: seconds() + 299 })],
    ["several audiences", () => rs256({}, { aud: ["x", `${PUBLIC_URL}/${provider.tenant.id}/oauth2/token`] })],
    ["the client id in upper case", () => rs256({}, { iss: clientId.toUpperCase(), sub: clientId.toUpperCase() })],
  ];
  const hexThumbprint = (): string => Buffer.from(x5t(identity), "base64url").toString("hex").toUpperCase();

  test.each(shapes)("%s", async (_what, make) => {
    const { status, body } = await send(make());
    expect(body["error_description"]).toBeUndefined();
    expect(status).toBe(200);
    expect(claimsOf(body["access_token"])).toMatchObject({ appid: clientId, appidacr: "2" });
  });

  const audiences = [
    "/{tid}/oauth2/token",
    "/{tid}/oauth2/v2.0/token",
    "/{tid}/oauth2/token/",
    "/{tid}/oauth2/token?api-version=1.0",
    "/{domain}/oauth2/token",
    "/{tid}/OAuth2/Token",
    "/common/oauth2/token",
    "/{tid}/",
    "/{tid}",
    "/{tid}/v2.0",
  ];
  test.each(audiences)("the audience %s, on both endpoints", async (path) => {
    const aud = PUBLIC_URL + path.replace("{tid}", provider.tenant.id).replace("{domain}", DOMAIN);
    for (const version of [1, 2] as const) {
      expect((await send(rs256({}, { aud }), {}, version)).status).toBe(200);
    }
    const elsewhere = aud.replace(PUBLIC_URL, "http://localhost:8400").replace("localhost", "LOCALHOST");
    expect((await send(rs256({}, { aud: elsewhere }))).status).toBe(200);
  });

  test("the same jti again and again", async () => {
    const assertion = rs256();
    expect((await send(assertion)).status).toBe(200);
    expect((await send(assertion)).status).toBe(200);
  });

  test("a matching client_id beside it", async () => {
    expect((await send(rs256(), { client_id: clientId })).status).toBe(200);
  });

  test("line breaks in x5c where the application's switch tolerates them", async () => {
    const broken = oneLine(identity).replace(/.{64}/g, "$&\n");
    const assertion = rs256({ x5c: [broken] }, { iss: lenientId, sub: lenientId });
    expect((await send(assertion)).status).toBe(200);
  });

  test("line breaks in x5c of any application where the tenant's switch tolerates them", async () => {
    const assertion = (): string => rs256({ x5c: [`${oneLine(identity)}\n`] });
    const path = `/tenants/${provider.tenant.id}`;
    expect((await provider.manage("PATCH", path, { toleratesLineBreaksInX5c: true })).status).toBe(204);
    expect((await send(assertion())).status).toBe(200);
    await provider.manage("PATCH", path, { toleratesLineBreaksInX5c: false });
    expect((await send(assertion())).status).toBe(400);
  });
});

describe("an application whose assertions count once", () => {
  const terms = (more: object = {}) => ({ iss: lenientId, sub: lenientId, ...more });
  beforeAll(async () => {
    const { status } = await provider.manage("PATCH", `/applications/${lenientId}`, { usesAssertionsOnce: true });
    expect(status).toBe(204);
  });

  test("takes each jti once, also of two requests at the same time", async () => {
    const assertion = rs256({}, terms());
    const answers = await Promise.all([send(assertion), send(assertion), send(assertion)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400]);
    expect((await send(assertion)).body).toMatchObject({ error_codes: [70002, 50064, 700029] });
    expect((await send(rs256({}, terms()))).status).toBe(200);
  });

  test("needs a jti", async () => {
    const { body } = await send(rs256({}, terms({ jti: undefined })));
    expect(body).toMatchObject({ error_codes: [70002, 50064, 700029] });
  });
});

describe("refused", () => {
  const b64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const hmac = (secret: string | Buffer): string => {
    const text = `${b64({ alg: "HS256", x5t: x5t(identity) })}.${b64(claims())}`;
    return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
  };
  const unnamed = (header: object): string => signAssertion({ alg: "RS256", ...header }, claims(), stranger.privateKey);

  const refused: readonly (readonly [string, number, () => string])[] = [
    ["x5c with line feeds", 50027, () => rs256({ x5c: [oneLine(identity).replace(/.{64}/g, "$&\n")] })],
    ["x5c with carriage returns", 50027, () => rs256({ x5c: [`${oneLine(identity)}\r`] })],
    ["x5c as a string with line feeds", 50027, () => rs256({ x5c: `${oneLine(identity)}\n` })],
    ["a line feed in the second certificate", 50027, () => rs256({ x5c: [oneLine(identity), `${oneLine(second)}\n`] })],
    ["x5c of something else than text", 50027, () => rs256({ x5c: [42] })],
    ["x5c that is not base64", 50027, () => rs256({ x5c: ["-----BEGIN CERTIFICATE-----"] })],
    ["two parts", 50027, () => rs256().split(".").slice(0, 2).join(".")],
    ["four parts", 50027, () => `${rs256()}.x`],
    ["a header that is not JSON", 50027, () => `bm8.${b64(claims())}.AAAA`],
    ["claims that are a list", 50027, () => `${b64({ alg: "RS256" })}.${b64([])}.AAAA`],
    ["characters outside base64url", 50027, () => rs256().replace(".", "!.")],
    ["an unknown critical extension", 50027, () => rs256({ crit: ["exp"], exp: 1 })],
    ["alg none", 700027, () => `${b64({ alg: "none", x5t: x5t(identity) })}.${b64(claims())}.AAAA`],
    ["HS256 keyed with the certificate", 700027, () => hmac(identity.der)],
    ["HS256 keyed with its PEM", 700027, () => hmac(identity.pem)],
    [
      "RS512",
      700027,
      () => signAssertion({ alg: "RS512", x5t: x5t(identity) }, claims(), identity.privateKey, "RS512"),
    ],
    ["an algorithm from the prototype", 700027, () => rs256({ alg: "constructor" })],
    ["PS256 in name only", 700027, () => rs256({ alg: "PS256" })],
    ["another's key behind our thumbprint", 700027, () => unnamed({ x5t: x5t(identity) })],
    ["another's certificate", 700027, () => unnamed({ x5t: x5t(stranger), x5c: [oneLine(stranger)] })],
    ["another's key, nothing named", 700027, () => unnamed({})],
    ["a key in the header", 700027, () => unnamed({ jwk: { kty: "RSA" }, x5t: x5t(identity) })],
    ["keys from elsewhere", 700027, () => unnamed({ jku: "https://evil.example/keys", kid: "x" })],
    ["a kid that names nothing", 700027, () => rs256({ x5t: undefined, kid: "nothing" })],
    [
      "an expired certificate",
      700027,
      () => signAssertion({ alg: "RS256", x5t: x5t(expired) }, claims(), expired.privateKey),
    ],
    ["expired", 700024, () => rs256({}, { exp: seconds() - 300 })],
    ["without expiry", 700024, () => rs256({}, { exp: undefined })],
    ["an expiry in words", 700024, () => rs256({}, { exp: "tomorrow" })],
    ["not valid yet", 700024, () => rs256({}, { nbf: seconds() + 301 })],
    ["issued in the future", 700024, () => rs256({}, { iat: seconds() + 301 })],
    ["another audience", 700023, () => rs256({}, { aud: "https://login.example/x/oauth2/token" })],
    ["another tenant's audience", 700023, () => rs256({}, { aud: `${PUBLIC_URL}/fabrikam.example/oauth2/token` })],
    ["an audience with a fragment", 700023, () => rs256({}, { aud: `${String(claims()["aud"])}#x` })],
    ["no audience", 700023, () => rs256({}, { aud: undefined })],
    ["another issuer", 700021, () => rs256({}, { iss: lenientId })],
    ["no issuer", 700021, () => rs256({}, { iss: undefined })],
  ];

  test.each(refused)("%s: 70002, 50064 and %i", async (_what, code, make) => {
    for (const version of [1, 2] as const) {
      const { status, body, headers } = await send(make(), { client_id: clientId }, version);
      expect([status, body["error"], body["error_codes"]]).toEqual([400, "unauthorized_client", [70002, 50064, code]]);
      expect(body["error_description"]).toMatch(/^STS70002: .* STS50064: .* STS\d+: /);
      expect(headers["www-authenticate"]).toBeUndefined();
    }
  });

  test.each([
    ["nobody", 700021, {}],
    ["numbers", 700021, { iss: 7, sub: 7 }],
    ["an unknown client", 700016, { iss: randomUUID(), sub: randomUUID() }],
  ])("one that names %s, where nothing else names the client", async (_what, code, named) => {
    const { status, body } = await send(rs256({}, { iss: undefined, sub: undefined, ...named }));
    expect([status, body["error"], body["error_codes"]]).toEqual([400, "unauthorized_client", [70002, 50064, code]]);
  });

  test("a changed payload", async () => {
    const [header, , signature] = rs256().split(".");
    const { body } = await send(`${header}.${b64(claims({ jti: "other" }))}.${signature}`);
    expect(body["error_codes"]).toEqual([70002, 50064, 700027]);
  });

  test("a client without certificates", async () => {
    const { body } = await send(rs256({}, { iss: emptyId, sub: emptyId }));
    expect(body["error_codes"]).toEqual([70002, 50064, 700027]);
  });

  test("a client_id that isn't the assertion's", async () => {
    const { body } = await send(rs256(), { client_id: lenientId });
    expect(body["error_codes"]).toEqual([70002, 50064, 700021]);
  });

  test.each([
    ["missing type", { client_assertion_type: "" }, 900144],
    ["wrong type", { client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:saml2-bearer" }, 90014],
    ["missing assertion", { client_assertion: "" }, 900144],
    ["a secret as well", { client_secret: "x" }, 9002313],
  ])("%s is an invalid request", async (_what, fields, code) => {
    const { status, body } = await send(rs256(), fields);
    expect([status, body["error"], body["error_codes"]]).toEqual([400, "invalid_request", [code]]);
  });

  test("a removed certificate, at once", async () => {
    const application = await provider.createApplication("passing");
    const id = await provider.services.applications.addCertificate(application.id, readCertificate(identity.pem), "");
    const assertion = rs256({}, { iss: application.appId, sub: application.appId });
    expect((await send(assertion)).status).toBe(200);
    await provider.services.applications.removeCertificate(application.id, id);
    expect((await send(assertion)).status).toBe(400);
  });
});

test("registration takes PEM and base64 and refuses what can't verify", async () => {
  const short = await createClientIdentity(new Date(), new Date(Date.now() + 1000), 1024);
  for (const text of [identity.pem, oneLine(identity), oneLine(identity).replace(/.{64}/g, "$&\r\n")]) {
    expect(readCertificate(text).der.equals(identity.der)).toBe(true);
  }
  for (const text of [short.pem, "not a certificate", "", identity.pem.slice(0, 200)]) {
    expect(() => readCertificate(text)).toThrow();
  }
});
