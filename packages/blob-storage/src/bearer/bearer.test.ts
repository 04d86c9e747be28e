import { createHmac } from "node:crypto";
import { ProviderUnavailableError, TokenRefusedError, type ValidatedToken } from "@trefoil/token-validation";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Role } from "../metadata/tables.ts";
import { startTestService, testAccount, type TestService } from "../testing/start-test-service.ts";
import { createTestCertificate } from "../testing/test-certificate.ts";
import { type TestAnswer, type TestRequest } from "../testing/test-client.ts";

/* Tokens here are words: `ada`, or `ada:Storage.Reader` with a role of its own. The real ones are checked in
 * tests/conformance, where the identity provider signs them. */

let service: TestService;
let plain: TestService;

beforeAll(async () => {
  const certificate = await createTestCertificate();
  service = await startTestService({ certificate, validateToken: (token) => validate(token) });
  plain = await startTestService({ validateToken: (token) => validate(token) });
  await service.client.send("PUT", "/box?restype=container");
  await service.client.send("PUT", "/box/blob", { headers: { "~blob-type": "BlockBlob" }, body: "text" });
  await service.client.send("PUT", "/closed?restype=container");
});
afterAll(() => Promise.all([service.close(), plain.close()]));

function validate(token: string): Promise<ValidatedToken> {
  const [name = "", ...roles] = token.split(":");
  if (name === "nobody") {
    return Promise.reject(new TokenRefusedError("expired", "The token has expired"));
  }
  if (name === "later") {
    return Promise.reject(new ProviderUnavailableError("no keys", undefined));
  }
  return Promise.resolve({
    version: 1,
    tenantId: "tenant",
    objectId: name,
    subject: name,
    clientId: "client",
    isApplication: true,
    userName: undefined,
    scopes: [],
    roles,
    expiresAtSeconds: 0,
    claims: {},
  });
}

function send(token: string, method: string, target: string, more: TestRequest = {}): Promise<TestAnswer> {
  return service.client.send(method, target, { ...more, authorization: `Bearer ${token}` });
}

async function assign(principal: string, role: Role, container = ""): Promise<void> {
  const accountId = service.parts.accounts.get(testAccount).id;
  await service.metadata.write("addRoleAssignment", { account_id: accountId, principal, role, container });
}

const upload: TestRequest = { headers: { "~blob-type": "BlockBlob" }, body: "new" };

test("a source is read with a token of its own", async () => {
  const from = { "~copy-source": `${service.url}/${testAccount}/box/blob`, "~blob-type": "BlockBlob" };
  const query = await service.client.send("PUT", "/closed/copy", {
    headers: { ...from, "~copy-source-authorization": "Bearer reader:Storage.Reader" },
  });
  expect(query).toMatchObject({ status: 201 });
  for (const token of ["Bearer stranger", "Bearer nobody", "SharedKey a:b"]) {
    const headers = { ...from, "~copy-source-authorization": token };
    expect(await service.client.send("PUT", "/closed/copy", { headers })).toMatchObject({
      status: 403,
      code: "CannotVerifyCopySource",
    });
  }
});

describe("a bearer token", () => {
  test("opens nothing without a role", async () => {
    expect(await send("ada", "GET", "/box/blob")).toMatchObject({
      status: 403,
      code: "AuthorizationPermissionMismatch",
    });
  });

  test("opens what its own roles say, in the whole account", async () => {
    expect(await send("ada:Storage.Reader", "GET", "/box/blob")).toMatchObject({ status: 200 });
    expect(await send("ada:Storage.Reader", "GET", "/?comp=list")).toMatchObject({ status: 200 });
    expect(await send("ada:Storage.Reader", "PUT", "/box/new", upload)).toMatchObject({ status: 403 });
    expect(await send("ada:Storage.Contributor", "PUT", "/box/new", upload)).toMatchObject({ status: 201 });
    expect(await send("ada:Other.Role", "GET", "/box/blob")).toMatchObject({ status: 403 });
  });

  test("opens what was assigned to its holder, where it was assigned", async () => {
    await assign("bob", "Contributor", "box");
    expect(await send("bob", "PUT", "/box/new", upload)).toMatchObject({ status: 201 });
    expect(await send("bob", "PUT", "/closed/new", upload)).toMatchObject({ status: 403 });
    expect(await send("bob", "GET", "/?comp=list")).toMatchObject({ status: 403 });
    await assign("bob", "Reader");
    expect(await send("bob", "GET", "/?comp=list")).toMatchObject({ status: 200 });
  });

  test("of one container takes no other container's place", async () => {
    await assign("dora", "Contributor", "new");
    const rename: TestRequest = { headers: { "~source-container-name": "closed" } };
    const target = "/new?restype=container&comp=rename";
    expect(await send("dora", "PUT", target, rename)).toMatchObject({ status: 403 });
    const own: TestRequest = { headers: { "~source-container-name": "fresh" } };
    expect(await send("eve:Storage.Contributor", "PUT", "/fresh?restype=container")).toMatchObject({ status: 201 });
    expect(await send("eve:Storage.Contributor", "PUT", target, own)).toMatchObject({ status: 200 });
  });

  test("never opens a container's policies; its properties are the owner's", async () => {
    const owner = "eve:Storage.Owner";
    expect(await send(owner, "GET", "/box?restype=container&comp=acl")).toMatchObject({ status: 403 });
    expect(await send(owner, "PUT", "/box?restype=container&comp=acl")).toMatchObject({ status: 403 });
    const properties: TestRequest = { body: "<StorageServiceProperties/>" };
    const target = "/?restype=service&comp=properties";
    expect(await send("ada:Storage.Contributor", "PUT", target, properties)).toMatchObject({ status: 403 });
    expect(await send(owner, "PUT", target, properties)).toMatchObject({ status: 202 });
  });

  test.each([
    ["that has expired", "nobody", 403, "AuthenticationFailed"],
    ["while the provider is away", "later", 503, "ServerBusy"],
  ])("%s is refused", async (_what, token, status, code) => {
    expect(await send(token, "GET", "/box/blob")).toMatchObject({ status, code });
  });

  test("needs https and a version that knows it", async () => {
    const overHttp = await plain.client.send("GET", "/box/blob", { authorization: "Bearer ada:Storage.Owner" });
    expect(overHttp).toMatchObject({ status: 403, code: "AuthenticationFailed" });
    expect(overHttp.text).toContain("Authentication scheme Bearer is not allowed with HTTP.");
    const old = await send("ada:Storage.Owner", "GET", "/box/blob", { headers: { "~version": "2015-02-21" } });
    expect(old.text).toContain("Authentication scheme Bearer is not supported in this version.");
  });

  test("that is no token at all is a bad request", async () => {
    const answer = await service.client.send("GET", "/box/blob", { authorization: "Bearer" });
    expect(answer).toMatchObject({ status: 400, code: "InvalidAuthenticationInfo" });
  });

  test("copies what its holder may read", async () => {
    await assign("carl", "Contributor", "closed");
    const headers = { "~copy-source": `${service.url}/${testAccount}/box/blob` };
    expect(await send("carl", "PUT", "/closed/copy", { headers })).toMatchObject({
      status: 403,
      code: "CannotVerifyCopySource",
    });
    await assign("carl", "Reader", "box");
    expect(await send("carl", "PUT", "/closed/copy", { headers })).toMatchObject({ status: 202 });
  });
});

describe("a user delegation key", () => {
  const info = (expiry: string): TestRequest => ({
    body: `<KeyInfo><Start>2026-11-20T11:00:00Z</Start><Expiry>${expiry}</Expiry></KeyInfo>`,
  });
  const target = "/?restype=service&comp=userdelegationkey";

  async function sas(token: string, sp: string): Promise<string> {
    const { text } = await send(token, "POST", target, info("2026-11-21T00:00:00Z"));
    const field = (name: string): string => new RegExp(`<${name}>([^<]*)<`, "u").exec(text)?.[1] ?? "";
    const parameters: Record<string, string> = {
      sp,
      se: "2026-11-20T18:00:00Z",
      skoid: field("SignedOid"),
      sktid: field("SignedTid"),
      skt: field("SignedStart"),
      ske: field("SignedExpiry"),
      sks: field("SignedService"),
      skv: field("SignedVersion"),
      sv: "2020-12-06",
      sr: "c",
    };
    const value = (name: string): string => parameters[name] ?? "";
    const lines = [
      ...["sp", "st", "se"].map(value),
      `/blob/${testAccount}/box`,
      ...["skoid", "sktid", "skt", "ske", "sks", "skv", "saoid", "suoid", "scid", "sip", "spr", "sv", "sr"].map(value),
      "",
      ...["ses", "rscc", "rscd", "rsce", "rscl", "rsct"].map(value),
    ];
    const key = Buffer.from(field("Value"), "base64");
    const sig = createHmac("sha256", key).update(lines.join("\n")).digest("base64");
    return new URLSearchParams({ ...parameters, sig }).toString();
  }

  const use = (query: string, method: string, more: TestRequest = {}): Promise<TestAnswer> =>
    service.client.send(method, `/box/blob?${query}`, { anonymous: true, ...more });

  test("signs for others what its holder may do, and no more", async () => {
    const reader = await sas("dora:Storage.Reader", "rw");
    expect(await use(reader, "GET")).toMatchObject({ status: 200, text: "text" });
    const body: TestRequest = { headers: { "x-ms-blob-type": "BlockBlob" }, body: "text" };
    expect(await use(reader, "PUT", body)).toMatchObject({ status: 403, code: "AuthorizationPermissionMismatch" });
    expect(await use(await sas("dora:Storage.Contributor", "r"), "PUT", body)).toMatchObject({ status: 403 });
    expect(await use(await sas("dora:Storage.Contributor", "rw"), "PUT", body)).toMatchObject({ status: 201 });
  });

  test("is worth nothing once its holder's assignment has gone", async () => {
    await assign("finn", "Reader");
    const query = await sas("finn", "r");
    expect(await use(query, "GET")).toMatchObject({ status: 200 });
    const accountId = service.parts.accounts.get(testAccount).id;
    await service.metadata.write("removeRoleAssignment", {
      account_id: accountId,
      principal: "finn",
      role: "Reader",
      container: "",
    });
    expect(await use(query, "GET")).toMatchObject({ status: 403 });
  });

  test("cannot be claimed for somebody else", async () => {
    const parameters = new URLSearchParams(await sas("dora:Storage.Reader", "r"));
    parameters.set("skoid", "ada");
    expect(await use(parameters.toString(), "GET")).toMatchObject({ status: 403, code: "AuthenticationFailed" });
  });

  test("is given to holders of a token only, for seven days at most", async () => {
    expect(await service.client.send("POST", target, info("2026-11-21T00:00:00Z"))).toMatchObject({
      status: 403,
      code: "AuthenticationFailed",
    });
    for (const expiry of ["2026-11-28T00:00:00Z", "2026-11-20T10:00:00Z", "soon"]) {
      expect(await send("ada:Storage.Reader", "POST", target, info(expiry))).toMatchObject({
        status: 400,
        code: "InvalidXmlNodeValue",
      });
    }
  });
});
