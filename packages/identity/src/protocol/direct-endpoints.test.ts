import { createHttpServer, type HttpServer } from "@trefoil/http";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AuditRecord } from "../audit/audit-event.ts";
import { PASSWORD, TestProvider } from "../testing/test-provider.ts";

const RESOURCE = "api://things";
const CORRELATION = "8d9bbd6e-ea32-4f0e-8e6f-5a4b4a6f2d11";

let provider: TestProvider;
let http: HttpServer;
let url: string;
let tenant: string;
let client: { client_id: string; client_secret: string };
let userToken: string;
let resourceAppId: string;
/** Templates of the routes that requests took past the router. */
const taken: string[] = [];

beforeAll(async () => {
  provider = await TestProvider.start();
  tenant = `/${provider.tenant.id}`;
  const logger = pino({ level: "silent" });
  const direct = provider.provider.direct(logger);
  http = createHttpServer({
    name: "identity",
    logger,
    http: { addresses: ["127.0.0.1"], port: 0 },
    fastifyOptions: provider.provider.fastifyOptions,
    direct: {
      find: (request) => {
        const route = direct.find(request);
        taken.push(...(route === undefined ? [] : [route.template]));
        return route;
      },
    },
  });
  provider.provider.register(http.app, { isAdministrator: () => false, isSecure: () => true });
  const [address] = await http.listen();
  url = `http://127.0.0.1:${address?.port}`;
  resourceAppId = (await provider.createApplication("Things", {}, [RESOURCE])).appId;
  const { appId } = await provider.createConfidential("Client", {
    redirectUris: [{ type: "spa", uri: "https://spa.example/" }],
  });
  client = { client_id: appId, client_secret: "secret of Client" };
  const user = { username: await provider.createUser("ada"), password: PASSWORD };
  const { body } = await provider.token(1, { grant_type: "password", resource: RESOURCE, ...client, ...user });
  userToken = String(body["access_token"]);
});
afterAll(async () => {
  await http.close();
  await provider.stop();
});

interface Question {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly form?: Record<string, string>;
  readonly text?: string;
}

async function ask({ method, path, headers = {}, form, text }: Question): Promise<Response> {
  const body = form === undefined ? text : new URLSearchParams(form).toString();
  const type = form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" };
  return fetch(url + path, {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers: { ...type, ...headers },
    // As bytes: for text fetch would name a type.
    ...(body === undefined ? {} : { body: Buffer.from(body) }),
  });
}

/** What of an answer must not depend on the way it took: everything but ids, tokens and connection. */
async function outline(response: Response): Promise<object> {
  const ids = ["x-request-id", "x-ms-request-id", "date", "connection", "keep-alive", "content-length"];
  const headers = [...response.headers]
    .filter(([name]) => !ids.includes(name))
    .toSorted(([left], [right]) => left.localeCompare(right));
  const text = (await response.text())
    .replaceAll(/ey[\w-]+\.[\w-]+\.[\w-]+/g, "<token>")
    .replaceAll(/"refresh_token":"[\w-]+"/g, '"refresh_token":"…"');
  const own = new RegExp(`(?!${provider.tenant.id}|${CORRELATION})[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}`, "g");
  return { status: response.status, headers, text: text.replaceAll(own, "<id>") };
}

const token = { grant_type: "client_credentials", scope: `${RESOURCE}/.default` };
const questions: readonly (readonly [string, () => Question])[] = [
  ["a token", () => ({ path: `${tenant}/oauth2/v2.0/token`, form: { ...client, ...token } })],
  ["a token of v1", () => ({ path: `${tenant}/oauth2/token`, form: { ...client, ...token, resource: RESOURCE } })],
  [
    "a correlation id of one's own",
    () => ({
      path: `${tenant}/oauth2/token`,
      form: { grant_type: "none" },
      headers: { "client-request-id": CORRELATION },
    }),
  ],
  [
    "a correlation id in the form",
    () => ({ path: `${tenant}/oauth2/token`, form: { grant_type: "none", "client-request-id": CORRELATION } }),
  ],
  [
    "a wrong secret",
    () => ({ path: `${tenant}/oauth2/v2.0/token`, form: { ...client, ...token, client_secret: "no" } }),
  ],
  [
    "a wrong secret by Basic",
    () => ({
      path: `${tenant}/oauth2/v2.0/token`,
      form: token,
      headers: { authorization: `Basic ${Buffer.from(`${client.client_id}:no`).toString("base64")}` },
    }),
  ],
  [
    "a page of the client's own",
    () => ({
      path: `${tenant}/oauth2/v2.0/token`,
      form: { ...client, ...token },
      headers: { origin: "https://spa.example" },
    }),
  ],
  [
    "a page of its own that is refused",
    () => ({
      path: `${tenant}/oauth2/v2.0/token`,
      form: { ...client, grant_type: "x" },
      headers: { origin: "https://spa.example" },
    }),
  ],
  [
    "a foreign page",
    () => ({
      path: `${tenant}/oauth2/v2.0/token`,
      form: { ...client, ...token },
      headers: { origin: "https://evil.example" },
    }),
  ],
  ["JSON", () => ({ path: `${tenant}/oauth2/token`, text: "{}", headers: { "content-type": "application/json" } })],
  ["no type at all", () => ({ path: `${tenant}/oauth2/token`, text: "grant_type=x" })],
  ["nothing", () => ({ path: `${tenant}/oauth2/token`, text: "" })],
  ["an unknown tenant", () => ({ path: "/nowhere.example/oauth2/token", form: token })],
  ["a body that is too long", () => ({ path: `${tenant}/oauth2/token`, form: { grant_type: "a".repeat(140_000) } })],
  ["introspection", () => ({ path: `${tenant}/oauth2/v2.0/introspect`, form: { ...client, token: userToken } })],
  ["introspection of nothing", () => ({ path: `${tenant}/oauth2/v2.0/introspect`, form: { ...client, token: "x" } })],
  ["introspection by nobody", () => ({ path: `${tenant}/oauth2/v2.0/introspect`, form: { token: "x" } })],
  ["userinfo", () => ({ path: "/oidc/userinfo", headers: { authorization: `Bearer ${userToken}` } })],
  ["userinfo of v1", () => ({ path: `${tenant}/openid/userinfo`, headers: { authorization: `Bearer ${userToken}` } })],
  ["userinfo by POST", () => ({ path: "/oidc/userinfo", form: { access_token: userToken } })],
  ["userinfo without a token", () => ({ path: "/oidc/userinfo" })],
  ["userinfo for a wrong token", () => ({ path: "/oidc/userinfo", headers: { authorization: "Bearer x.y.z" } })],
  ["discovery", () => ({ path: `${tenant}/v2.0/.well-known/openid-configuration` })],
  ["discovery of v1", () => ({ path: "/common/.well-known/openid-configuration" })],
  ["discovery of nobody", () => ({ path: "/nowhere.example/.well-known/openid-configuration" })],
  ["keys", () => ({ path: `${tenant}/discovery/v2.0/keys` })],
];

describe("the direct way", () => {
  it.each(questions)("answers as the router does: %s", async (_, question) => {
    taken.length = 0;
    const asked = question();
    const answer = await ask(asked);
    expect(answer.headers.get("x-request-id")).toMatch(/^[\w-]{36}$/);
    const answered = await outline(answer);
    expect(taken).toHaveLength(1);
    // With a slash at its end the path is the router's.
    expect(answered).toEqual(await outline(await ask({ ...asked, path: `${asked.path}/` })));
    expect(taken).toHaveLength(1);
  });

  it.each<readonly [string, () => Question]>([
    ["another spelling", () => ({ path: `${tenant}/OAuth2/Token`, form: token })],
    ["an encoded tenant", () => ({ path: "/contoso%2eexample/oauth2/token", form: token })],
    ["a query", () => ({ path: `${tenant}/oauth2/token?client-request-id=${CORRELATION}`, form: token })],
    ["another method", () => ({ path: `${tenant}/oauth2/token` })],
    ["a preflight", () => ({ method: "OPTIONS", path: `${tenant}/oauth2/token` })],
    ["the head of a document", () => ({ method: "HEAD", path: `${tenant}/discovery/keys` })],
    ["another address", () => ({ path: `${tenant}/oauth2/v2.0/authorize` })],
  ])("leaves %s to the router", async (_, question) => {
    taken.length = 0;
    expect((await ask(question())).status).not.toBe(404);
    expect(taken).toEqual([]);
  });

  it("is on record with the caller's correlation id and address", async () => {
    const headers = { "client-request-id": CORRELATION };
    await ask({ path: `${tenant}/oauth2/token`, form: { ...client, ...token, resource: RESOURCE }, headers });
    const records: AuditRecord[] = [];
    for await (const record of provider.services.audit.read({ category: "sign-in" })) {
      records.push(record);
    }
    expect(records.at(-1)).toMatchObject({
      activity: "Token request",
      outcome: "success",
      correlationId: CORRELATION,
      ipAddress: "127.0.0.1",
      clientAppId: client.client_id,
      // A token of v1 names its audience as it was asked for; the record has the id.
      resourceAppId,
    });
  });

  it.each(["", "/"])("has one id for the trace and the log, unless the caller named it ('%s')", async (end) => {
    const path = `${tenant}/discovery/v2.0/keys${end}`;
    const own = (await ask({ path })).headers;
    expect(own.get("x-ms-request-id")).toBe(own.get("x-request-id"));
    const named = (await ask({ path, headers: { "x-request-id": CORRELATION } })).headers;
    expect(named.get("x-request-id")).toBe(CORRELATION);
    expect(named.get("x-ms-request-id")).not.toBe(CORRELATION);
  });

  it("is counted by its template", async () => {
    await ask({ path: `${tenant}/discovery/keys` });
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toMatch(/http_requests_total\{method="GET",route="\/:tenant\/discovery\/keys",status="200".*\} 1/);
  });

  it("closes the connection of a body that it won't read", async () => {
    const answer = await ask({ path: `${tenant}/oauth2/token`, form: { a: "b".repeat(140_000) } });
    expect([answer.status, answer.headers.get("connection")]).toEqual([413, "close"]);
  });
});
