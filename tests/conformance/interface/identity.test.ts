import { createSign, randomUUID } from "node:crypto";
import { createTokenValidator, bearerToken } from "@trefoil/token-validation";
import { createLocalJWKSet, jwtVerify } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClientCertificate } from "../../interop/client-certificate.ts";
import { type Answer, IdentityUnderTest } from "./identity-under-test.ts";

/*
 * The identity part of the interface document, sentence by sentence, against a server of our own on an empty folder,
 * over https with nothing trusted but its own authority. The client below is written from the document alone.
 */

let server: IdentityUnderTest;
let clientId: string;
let confidentialId: string;
let serviceId: string;
let certificate: { readonly certificatePem: string; readonly privateKeyPem: string };
let username: string;
const password = "a password of some length";
const resource = "https://service.contoso.example";

beforeAll(async () => {
  server = await IdentityUnderTest.start();
  interface Registered {
    readonly id: string;
    readonly appId: string;
  }
  const register = (body: object): Promise<Registered> => server.manage<Registered>("POST", "/applications", body);
  clientId = (await register({ displayName: "client", isFallbackPublicClient: true })).appId;
  serviceId = (await register({ displayName: "service", identifierUris: [resource] })).appId;
  const confidential = await register({ displayName: "confidential" });
  confidentialId = confidential.appId;
  certificate = await createClientCertificate();
  await server.manage("POST", `/applications/${confidential.id}/keyCredentials`, { key: certificate.certificatePem });
  username = `ada@${server.credentials.tenantDomain}`;
  await server.manage("POST", "/users", { userPrincipalName: username, passwordProfile: { password } });
});
afterAll(() => server?.close());

const oneLine = (pem: string): string => pem.replace(/-----[^-]+-----|\s/g, "");
const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A client assertion as §2 and §5.2 describe it: RS256, the certificate in `x5c`. */
function assertion(x5c: unknown = [oneLine(certificate.certificatePem)], claims: object = {}): string {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const text = `${base64url({ alg: "RS256", typ: "JWT", x5c })}.${base64url({
    aud: `${server.url}/${server.tenantId}/oauth2/token`,
    iss: confidentialId,
    sub: confidentialId,
    jti: randomUUID(),
    nbf: nowSeconds,
    exp: nowSeconds + 600,
    ...claims,
  })}`;
  return `${text}.${createSign("RSA-SHA256").update(text).sign(certificate.privateKeyPem, "base64url")}`;
}

const passwordGrant = (): Record<string, string> => ({
  grant_type: "password",
  username,
  password,
  resource,
  client_id: clientId,
});
const certificateGrant = (clientAssertion = assertion()): Record<string, string> => ({
  grant_type: "client_credentials",
  client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
  client_assertion: clientAssertion,
  resource,
});

const accessToken = (answer: Answer): string => String(answer.json()["access_token"]);
const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as Record<string, unknown>;

describe("identity §1", () => {
  test("an access token is a JWT that a resource server validates by itself: keys once, then no more questions", async () => {
    const token = accessToken(await server.token(passwordGrant()));
    const base = `/${server.tenantId}`;
    const metadata = (await server.send("GET", `${base}/.well-known/openid-configuration`)).json();
    const keys = await server.send("GET", String(metadata["jwks_uri"]).slice(server.url.length));
    const verified = await jwtVerify(token, createLocalJWKSet(keys.json() as never), {
      issuer: String(metadata["issuer"]),
      audience: resource,
      algorithms: ["RS256"],
    });
    expect(verified.payload["upn"]).toBe(username);

    const validator = createTokenValidator({
      issuer: server.url,
      audience: [resource, serviceId],
      certificateAuthorityPem: server.certificateAuthorityPem,
    });
    const validated = await validator.validate(token);
    expect(validated).toMatchObject({ clientId, userName: username, scopes: ["user_impersonation"] });
  });

  test("a client must be registered", async () => {
    const answer = await server.token({ ...passwordGrant(), client_id: randomUUID() });
    expect([answer.status, answer.json()["error"]]).toEqual([400, "unauthorized_client"]);
  });

  test("a protected service is a registration of its own: its identifier is the resource that is asked for", async () => {
    const token = accessToken(await server.token({ ...passwordGrant(), resource: serviceId }));
    expect(claimsOf(token)["aud"]).toBe(serviceId);
    const unknown = await server.token({ ...passwordGrant(), resource: randomUUID() });
    expect([unknown.status, unknown.json()["error"]]).toEqual([400, "invalid_resource"]);
  });

  test("a confidential client without a user authenticates with a registered certificate", async () => {
    const answer = await server.token(certificateGrant());
    expect(answer.status).toBe(200);
    expect(claimsOf(accessToken(answer))).toMatchObject({ appid: confidentialId, aud: resource });
  });
});

describe("identity §2", () => {
  test("the tenant in the address is the directory's identifier or one of its domain names", async () => {
    for (const tenant of [server.tenantId, server.credentials.tenantDomain]) {
      const answer = await server.token(passwordGrant(), `/${tenant}/oauth2/token`);
      expect(claimsOf(accessToken(answer))["tid"]).toBe(server.tenantId);
    }
    const unknown = await server.token(passwordGrant(), "/unknown.example/oauth2/token");
    expect([unknown.status, unknown.json()["error"]]).toEqual([400, "invalid_request"]);
  });

  test("an assertion's x5c is the base64 certificate without CR or LF", async () => {
    expect((await server.token(certificateGrant())).status).toBe(200);
    const wrapped = oneLine(certificate.certificatePem).replace(/.{64}/g, "$&\n");
    for (const x5c of [[wrapped], [wrapped.replaceAll("\n", "\r\n")], [wrapped.replaceAll("\n", "\r")]]) {
      expect((await server.token(certificateGrant(assertion(x5c)))).status).toBe(400);
    }
  });

  test("a token error is JSON with error and error_description", async () => {
    const answer = await server.token({ ...passwordGrant(), password: "wrong password" });
    expect(answer.headers["content-type"]).toMatch(/^application\/json/);
    expect(answer.json()).toMatchObject({
      error: "invalid_grant",
      error_description: expect.stringMatching(/^STS50126: /) as string,
    });
  });
});

describe("identity §4.1", () => {
  test("a form-encoded POST is answered with JSON, informational headers or not", async () => {
    const id = randomUUID();
    const headers = {
      "Content-Type": "application/x-www-form-urlencoded; charset=UTF-8",
      "client-request-id": id,
      "return-client-request-id": "true",
      "x-client-OS": "linux",
      "x-client-SKU": "Node",
      "x-client-CPU": "x64",
      "x-client-VER": "0.2.4",
    };
    const body = new URLSearchParams(passwordGrant()).toString();
    const answer = await server.send("POST", `/${server.tenantId}/oauth2/token`, headers, body);
    expect([answer.status, answer.headers["content-type"]]).toEqual([200, "application/json; charset=utf-8"]);
    expect(answer.headers["client-request-id"]).toBe(id);
    expect(answer.json()).toMatchObject({ token_type: "Bearer", resource });
  });

  test.each(["grant_type", "username", "password", "resource", "client_id"])(
    "the password grant needs %s, and says so",
    async (name) => {
      const fields = passwordGrant();
      delete fields[name];
      const answer = await server.token(fields);
      expect([answer.status, answer.json()["error"]]).toEqual([400, "invalid_request"]);
      expect(answer.json()["error_description"]).toContain(name);
    },
  );

  test.each(["grant_type", "client_assertion_type", "client_assertion", "resource"])(
    "the grant by certificate needs %s, and says so; no client_id is needed",
    async (name) => {
      const fields = certificateGrant();
      delete fields[name];
      const answer = await server.token(fields);
      expect([answer.status, answer.json()["error"]]).toEqual([400, "invalid_request"]);
      expect(answer.json()["error_description"]).toContain(name);
    },
  );

  test("the resource may be an identifier or a URL", async () => {
    for (const name of [resource, serviceId]) {
      expect((await server.token({ ...certificateGrant(), resource: name })).json()["resource"]).toBe(name);
    }
  });
});

/** What a browser does with the pages of ours: their forms' fields and their cookies, and a click on "Accept". */
async function signIn(target: string): Promise<Answer> {
  const cookies = new Map<string, string>();
  const seen = (answer: Answer): Answer => {
    for (const cookie of [answer.headers["set-cookie"] ?? []].flat()) {
      const [name = "", value = ""] = cookie.split(";", 1)[0]?.split("=") ?? [];
      cookies.set(name, value);
    }
    return answer;
  };
  const submit = async (page: Answer, filled: Record<string, string>): Promise<Answer> => {
    const headers = {
      "content-type": "application/x-www-form-urlencoded",
      cookie: [...cookies].map((cookie) => cookie.join("=")).join("; "),
      origin: server.url,
    };
    const action = /<form[^>]* action="([^"]+)"/.exec(page.text)?.[1] ?? "";
    return seen(
      await server.send("POST", action, headers, new URLSearchParams({ ...fieldsOf(page), ...filled }).toString()),
    );
  };
  const page = seen(await server.send("GET", target));
  expect([page.status, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
  const answer = await submit(page, { username, password });
  return answer.text.includes('name="consent"') ? submit(answer, { consent: "accept" }) : answer;
}

function fieldsOf(page: Answer): Record<string, string> {
  const attribute = (tag: string, name: string): string => new RegExp(`${name}="([^"]*)"`).exec(tag)?.[1] ?? "";
  return Object.fromEntries(
    [...page.text.matchAll(/<input[^>]*>/g)].map(([tag]) => [attribute(tag, "name"), attribute(tag, "value")]),
  );
}

const replyAddress = "https://web.contoso.example/back";
let webId = "";
let webSecret = "";
async function registerWeb(): Promise<void> {
  const { id, appId } = await server.manage<{ id: string; appId: string }>("POST", "/applications", {
    displayName: "web",
    web: { redirectUris: [replyAddress], implicitGrantSettings: { enableIdTokenIssuance: true } },
  });
  const secret = await server.manage<{ secretText: string }>("POST", `/applications/${id}/addPassword`, {});
  webId = appId;
  webSecret = secret.secretText;
}

describe("identity §4.2 and §4.3: the authorize endpoints", () => {
  beforeAll(registerWeb);

  const hybrid = (state: string, nonce: string, more: Record<string, string> = {}): string =>
    `/common/oauth2/v2.0/authorize?${new URLSearchParams({
      client_id: webId,
      redirect_uri: replyAddress,
      response_type: "code id_token",
      scope: `openid offline_access profile ${resource}/user_impersonation`,
      state,
      nonce,
      response_mode: "form_post",
      ...more,
    }).toString()}`;

  test("identity §4.2: the browser is sent to the login page; code, id_token and state are posted to redirect_uri", async () => {
    const [state, nonce] = [randomUUID(), randomUUID()];
    const answer = await signIn(hybrid(state, nonce));
    expect(answer.text).toContain(`action="${replyAddress}"`);
    const fields = fieldsOf(answer);
    expect(fields["state"]).toBe(state);
    const keys = await server.send("GET", "/common/discovery/v2.0/keys");
    const { payload } = await jwtVerify(fields["id_token"] ?? "", createLocalJWKSet(keys.json() as never), {
      issuer: server.credentials.issuerV2,
      audience: webId,
    });
    expect(payload["nonce"]).toBe(nonce);
    const tokens = await server.token(
      {
        grant_type: "authorization_code",
        code: fields["code"] ?? "",
        redirect_uri: replyAddress,
        client_id: webId,
        client_secret: webSecret,
      },
      "/common/oauth2/v2.0/token",
    );
    expect(tokens.status).toBe(200);
    expect(claimsOf(accessToken(tokens))["aud"]).toBe(resource);
  });

  test("identity §4.2: plain http is for localhost alone", async () => {
    const { appId } = await server.manage<{ appId: string }>("POST", "/applications", {
      displayName: "local",
      web: {
        redirectUris: ["http://localhost:3000/back"],
        implicitGrantSettings: { enableIdTokenIssuance: true },
      },
    });
    const local = { client_id: appId, redirect_uri: "http://localhost:3000/back" };
    expect((await signIn(hybrid(randomUUID(), randomUUID(), local))).text).toContain(
      'action="http://localhost:3000/back"',
    );
  });

  test("identity §4.3: response_type, client_id and redirect_uri are enough for a code on v1", async () => {
    const query = new URLSearchParams({ response_type: "code", client_id: webId, redirect_uri: replyAddress });
    const answer = await signIn(`/common/oauth2/authorize?${query.toString()}`);
    expect(answer.status).toBe(302);
    expect(String(answer.headers["location"])).toMatch(/^https:\/\/web\.contoso\.example\/back\?code=[\w-]+/);
  });

  test("identity §5.5: the state comes back as it was sent, also with an error", async () => {
    const state = randomUUID();
    const refused = await server.send("GET", hybrid(state, randomUUID(), { prompt: "none" }));
    expect(fieldsOf(refused)).toMatchObject({ state, error: "login_required" });
  });

  test("identity §7: a redirect_uri that is neither https nor localhost is refused on the spot", async () => {
    for (const uri of ["http://web.contoso.example/back", "http://evil.example/", "http://localhost.evil.example/"]) {
      const answer = await server.send("GET", hybrid(randomUUID(), randomUUID(), { redirect_uri: uri }));
      expect([answer.status, answer.headers["location"]]).toEqual([400, undefined]);
      expect(answer.text).toContain("does not use a secure scheme");
    }
  });

  test("identity §1: only the provider's own page takes the password, and no other site can frame or post it", async () => {
    const page = await server.send("GET", hybrid(randomUUID(), randomUUID()));
    expect(page.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
    const headers = { "content-type": "application/x-www-form-urlencoded", origin: "https://evil.example" };
    const body = new URLSearchParams({ ...fieldsOf(page), username, password }).toString();
    const foreign = await server.send("POST", "/signin", headers, body);
    expect([foreign.status, foreign.headers["location"]]).toEqual([400, undefined]);
  });
});

describe("identity §5", () => {
  test("identity §5.1: user name, password and client_id are enough", async () => {
    expect((await server.token(passwordGrant())).status).toBe(200);
    const upper = { ...passwordGrant(), username: username.toUpperCase() };
    expect((await server.token(upper)).status).toBe(200);
  });

  test("identity §5.2: the certificate that signs must be registered", async () => {
    const registered = certificate;
    certificate = await createClientCertificate();
    const answer = await server.token(certificateGrant(assertion()));
    certificate = registered;
    expect([answer.status, answer.json()["error"]]).toEqual([400, "unauthorized_client"]);
  });

  test("identity §5.4: a back end is called with the token as bearer and validates it itself", async () => {
    const header = `Bearer ${accessToken(await server.token(certificateGrant()))}`;
    const validator = createTokenValidator({
      issuer: server.credentials.issuerV2,
      audience: resource,
      certificateAuthorityPem: server.certificateAuthorityPem,
    });
    const validated = await validator.validate(bearerToken(header) ?? "");
    expect(validated).toMatchObject({ isApplication: true, clientId: confidentialId, tenantId: server.tenantId });
  });
});

describe("identity §7", () => {
  test.each([
    ["line breaks in x5c", () => assertion([oneLine(certificate.certificatePem).replace(/.{64}/g, "$&\n")])],
    ["an assertion that has expired", () => assertion(undefined, { exp: 1 })],
    ["another audience", () => assertion(undefined, { aud: "https://elsewhere.example" })],
    ["a signature that is not its own", () => assertion().replace(/[^.]+$/, "A".repeat(342))],
    ["no JWT at all", () => "nonsense"],
  ])("%s: unauthorized_client with both codes", async (_what, make) => {
    const answer = await server.token({ ...certificateGrant(make()), client_id: confidentialId });
    expect(answer.status).toBe(400);
    const { error, error_description: description } = answer.json();
    expect(error).toBe("unauthorized_client");
    expect(description).toContain("STS70002");
    expect(description).toContain("STS50064");
  });
});

describe("identity §9", () => {
  test("the token endpoint exists without a version and with the segment v2.0", async () => {
    const v1 = await server.token(passwordGrant());
    expect(typeof v1.json()["expires_in"]).toBe("string");
    const { resource: _resource, ...fields } = passwordGrant();
    const scope = `${resource}/.default openid offline_access`;
    const v2 = await server.token({ ...fields, scope }, `/${server.tenantId}/oauth2/v2.0/token`);
    expect(v2.status).toBe(200);
    expect(typeof v2.json()["expires_in"]).toBe("number");
  });

  test("both have their metadata and keys", async () => {
    for (const infix of ["", "/v2.0"]) {
      const answer = await server.send("GET", `/${server.tenantId}${infix}/.well-known/openid-configuration`);
      const metadata = answer.json();
      expect(metadata["issuer"]).toBe(`${server.url}/${server.tenantId}${infix === "" ? "/" : infix}`);
      const keys = await server.send("GET", String(metadata["jwks_uri"]).slice(server.url.length));
      expect(keys.json()["keys"]).toHaveLength(1);
    }
  });
});
