import { createHttpServer } from "@trefoil/http";
import { ManualClock } from "@trefoil/base";
import { createEngine } from "@trefoil/graph-engine";
import { openGraphStore } from "@trefoil/graph-store";
import { request } from "node:http";
import pino from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AccountStore } from "../authentication/account-store.ts";
import { type GraphInterface, registerGraphInterface } from "../graph-interface.ts";
import { SERVER_OPTIONS } from "../protocol/server-options.ts";

const COMMIT = "/db/data/transaction/commit";
const PASSWORD = "correct horse";
let url: string;
let accounts: AccountStore;
let close: () => Promise<void>;
let accessLog: string[];
let served: string[];

beforeEach(async () => {
  const clock = new ManualClock(Date.UTC(2015, 10, 20));
  const store = await openGraphStore({ clock });
  const engine = createEngine({ store, clock });
  accounts = await AccountStore.open(
    { name: "in memory", read: () => Promise.resolve(undefined), replace: () => Promise.resolve() },
    PASSWORD,
  );
  accessLog = [];
  served = [];
  const http = createHttpServer({
    name: "graph",
    logger: pino({ level: "silent" }),
    http: { addresses: ["127.0.0.1"], port: 0 },
    fastifyOptions: SERVER_OPTIONS,
    direct: {
      find: (message) => {
        const route = graph.direct.find(message);
        served.push(...(route === undefined ? [] : [route.template]));
        return route;
      },
    },
  });
  const graph: GraphInterface = registerGraphInterface(http.app, {
    store,
    engine,
    clock,
    accounts,
    allowedHosts: ["*"],
    mode: "modern",
    statusCodePrefix: "Graph",
    reportedVersion: "2.3.12",
    transactionTimeoutMs: 60_000,
    maximumBodyBytes: 10_000,
    writeAccessLog: (line) => accessLog.push(line),
  });
  const [address] = await http.listen();
  url = `http://127.0.0.1:${address?.port}`;
  close = async () => {
    graph.close();
    await http.close();
    await store.close();
  };
});
afterEach(() => close());

const authorization = (password = PASSWORD, name = "neo4j"): string =>
  `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`;

function post(target: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url + target, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: authorization(), ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

const ONE = { statements: [{ statement: "RETURN {n} AS n", parameters: { n: 1 } }] };

/** What of an answer must not depend on the way it took. */
async function outline(response: Response): Promise<object> {
  const { status, headers } = response;
  const names = ["content-type", "content-length", "access-control-allow-origin", "www-authenticate"];
  return { status, headers: names.map((name) => headers.get(name)), text: await response.text() };
}

describe("the direct way of transaction/commit", () => {
  it("serves that path alone", async () => {
    const answer = await post(COMMIT, ONE);
    expect(await answer.json()).toEqual({ results: [{ columns: ["n"], data: [{ row: [1] }] }], errors: [] });
    expect(answer.headers.get("x-request-id")).toMatch(/^[\w-]{36}$/);
    await post(`${COMMIT}/`, ONE);
    await fetch(url + COMMIT, { method: "OPTIONS" });
    expect(served).toEqual([COMMIT]);
  });

  it.each<readonly [string, unknown, Record<string, string>]>([
    ["rows", ONE, {}],
    ["addresses", { statements: [{ statement: "CREATE (n) RETURN n LIMIT 0", resultDataContents: ["REST"] }] }, {}],
    ["an error", { statements: [{ statement: "RETURN" }] }, {}],
    ["no JSON", "{", {}],
    ["nothing", "", {}],
    ["another type", ONE, { "content-type": "text/plain" }],
    ["an answer in another type", ONE, { accept: "text/html" }],
    ["no credentials", ONE, { authorization: "" }],
    ["malformed credentials", ONE, { authorization: "Basic x" }],
    ["a wrong password", ONE, { authorization: authorization("wrong") }],
    ["an unknown isolation", ONE, { "x-isolation": "perfect" }],
    ["a body that is too large", JSON.stringify(ONE) + " ".repeat(10_000), {}],
  ])("answers %s as the route does", async (_, body, headers) => {
    // With a slash at its end the path is the router's.
    expect(await outline(await post(COMMIT, body, headers))).toEqual(
      await outline(await post(`${COMMIT}/`, body, headers)),
    );
    expect(served).toHaveLength(1);
  });

  it("lets nobody in before a password that is due is changed", async () => {
    await accounts.create({ name: "new", role: "reader", passwordChangeRequired: true }, "first");
    const headers = { authorization: authorization("first", "new") };
    const [direct, routed] = await Promise.all([post(COMMIT, ONE, headers), post(`${COMMIT}/`, ONE, headers)]);
    expect(direct.status).toBe(403);
    expect(await direct.json()).toEqual(await routed.json());
    expect((await post(COMMIT, ONE, headers)).status).toBe(403);
  });

  it("knows credentials only until the account changes", async () => {
    expect((await post(COMMIT, ONE)).status).toBe(200);
    expect((await post(COMMIT, ONE)).status).toBe(200);
    await accounts.changePassword("neo4j", "another");
    expect((await post(COMMIT, ONE)).status).toBe(401);
    expect((await post(COMMIT, ONE, { authorization: authorization("another") })).status).toBe(200);
  });

  it("keeps roles", async () => {
    await accounts.create({ name: "reads", role: "reader", passwordChangeRequired: false }, "pw");
    const statements = [{ statement: "CREATE (n)" }];
    const { errors } = (await (
      await post(COMMIT, { statements }, { authorization: authorization("pw", "reads") })
    ).json()) as {
      errors: { code: string }[];
    };
    expect(errors[0]?.code).toBe("Graph.ClientError.Security.AuthorizationFailed");
  });

  it("is in the access log and the metrics", async () => {
    await post(COMMIT, ONE);
    await post(COMMIT, ONE, { authorization: "" });
    await expect.poll(() => accessLog).toHaveLength(2);
    expect(accessLog[0]).toMatch(
      /^127\.0\.0\.1 - neo4j \[20\/Nov\/2015:00:00:00 \+0000\] "POST \/db\/data\/transaction\/commit HTTP\/1\.1" 200 \d+\n$/,
    );
    expect(accessLog[1]).toContain(" - - [");
    const metrics = await (await fetch(`${url}/metrics`, { headers: { authorization: authorization() } })).text();
    expect(metrics).toMatch(/http_requests_total\{.*status="401".*\} 1/);
  });

  it("gives up on a client that leaves in the middle of its body", async () => {
    const asked = request(url + COMMIT, {
      method: "POST",
      headers: { "content-length": "1000", authorization: authorization() },
    });
    asked.on("error", () => undefined);
    asked.write('{"statements":[');
    await new Promise((resolve) => setTimeout(resolve, 50));
    asked.destroy();
    expect((await post(COMMIT, ONE)).status).toBe(200);
  });
});
