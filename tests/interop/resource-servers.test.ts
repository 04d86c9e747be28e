import { createRequire } from "node:module";
import { createServer } from "node:http";
import { type AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, expect, test, type TestContext } from "vitest";
import { requireBearer as requireInExpress } from "@trefoil/token-validation/express";
import { requireBearer as requireInFastify } from "@trefoil/token-validation/fastify";
import { tokenOf } from "@trefoil/token-validation";
import { IdentityUnderTest } from "../conformance/interface/identity-under-test.ts";
import { type Installation, installFromNpm } from "./install-for-a-while.ts";

/*
 * Resource servers as people write them, on the frameworks themselves: tokens of the provider let in, nothing else.
 */

let server: IdentityUnderTest;
const installations: Installation[] = [];
const client = { client_id: "", client_secret: "" };

beforeAll(async () => {
  server = await IdentityUnderTest.start();
  await server.manage("POST", "/applications", { displayName: "Orders", identifierUris: ["api://orders"] });
  await server.manage("POST", "/applications", { displayName: "Others", identifierUris: ["api://others"] });
  const { id, appId } = await server.manage<{ id: string; appId: string }>("POST", "/applications", {
    displayName: "Client",
  });
  const { secretText } = await server.manage<{ secretText: string }>("POST", `/applications/${id}/addPassword`, {});
  Object.assign(client, { client_id: appId, client_secret: secretText });
});
afterAll(async () => {
  await Promise.all(installations.map((each) => each.remove()));
  await server?.close();
});

const options = () => ({
  issuer: server.url,
  audience: "api://orders",
  certificateAuthorityPem: server.certificateAuthorityPem,
});

async function tokenFor(resource: string): Promise<string> {
  const answer = await server.token({ grant_type: "client_credentials", ...client, resource });
  return String(answer.json()["access_token"]);
}

/** What callers without a token, with one for somebody else, with a changed one and with the right one get. */
async function outcomesAt(url: string): Promise<readonly (readonly [number, string | null])[]> {
  const right = await tokenFor("api://orders");
  const tokens = [undefined, await tokenFor("api://others"), `${right.slice(0, -4)}AAAA`, right];
  return Promise.all(
    tokens.map(async (token) => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const response = await fetch(url, { headers });
      const { client: named } = (await response.json()) as { client?: string };
      return [response.status, named ?? response.headers.get("www-authenticate")] as const;
    }),
  );
}

const expected = () => [
  [401, `Bearer realm="api", authorization_uri="${server.url}/common/oauth2/authorize", resource_id="api://orders"`],
  [401, expect.stringContaining('error="invalid_token"') as string],
  [401, expect.stringContaining('error="invalid_token"') as string],
  [200, client.client_id],
];

test("Fastify", { timeout: 120_000 }, async (context) => {
  interface App {
    get(target: string, route: object, handler: (request: object) => unknown): void;
    listen(options: object): Promise<string>;
    close(): Promise<void>;
  }
  const load = await installed(context, "fastify@5");
  const app = (load("fastify") as () => App)();
  app.get("/", { onRequest: requireInFastify(options()) }, (request) => ({ client: tokenOf(request).clientId }));
  expect(await outcomesAt(await app.listen({ port: 0, host: "127.0.0.1" }))).toEqual(expected());
  await app.close();
});

test("Express", { timeout: 120_000 }, async (context) => {
  interface App {
    use(middleware: unknown): void;
    get(target: string, handler: (request: object, response: { json(value: unknown): void }) => void): void;
    (...exchange: unknown[]): void;
  }
  const load = await installed(context, "express@5");
  const app = (load("express") as () => App)();
  app.use(requireInExpress(options()));
  app.get("/", (request, response) => response.json({ client: tokenOf(request).clientId }));
  const listener = createServer(app);
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  expect(await outcomesAt(`http://127.0.0.1:${(listener.address() as AddressInfo).port}`)).toEqual(expected());
  listener.closeAllConnections();
  listener.close();
});

/** @returns a loader of the package; the test is skipped where it can't be had */
async function installed(context: TestContext, wanted: string): Promise<(name: string) => unknown> {
  try {
    const installation = await installFromNpm([wanted]);
    installations.push(installation);
    return createRequire(path.join(installation.folder, "index.js"));
  } catch (error) {
    return context.skip(`${wanted} could not be installed: ${String(error).split("\n", 1)[0]}`);
  }
}
