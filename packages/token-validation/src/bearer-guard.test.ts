import { createServer } from "node:http";
import { type AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { createBearerGuard, type BearerGuardOptions } from "./bearer-guard.ts";
import { ProviderUnavailableError, TokenRefusedError } from "./errors.ts";
import { requireBearer as requireInExpress } from "./express.ts";
import { requireBearer as requireInFastify } from "./fastify.ts";
import { tokenOf } from "./token-of.ts";
import { type TokenValidator } from "./token-validator.ts";
import { type ValidatedToken } from "./validated-token.ts";

const user: ValidatedToken = {
  version: 2,
  tenantId: "tenant",
  objectId: "object",
  subject: "subject",
  clientId: "client",
  isApplication: false,
  userName: "ada",
  scopes: ["Orders.Read"],
  roles: [],
  expiresAtSeconds: 0,
  claims: {},
};
const outcomes: Readonly<Record<string, ValidatedToken | Error>> = {
  user,
  application: { ...user, isApplication: true, scopes: [], roles: ["Orders.All"], userName: undefined },
  expired: new TokenRefusedError("expired", 'The token "has" expired'),
  early: new ProviderUnavailableError("no keys", undefined),
  broken: new Error("our own fault"),
};
const validator: TokenValidator = {
  validate: (token) => {
    const outcome = outcomes[token];
    return outcome === undefined || outcome instanceof Error
      ? Promise.reject(outcome ?? new TokenRefusedError("malformed", "The token is not a JWT"))
      : Promise.resolve(outcome);
  },
};

const judge = (header: string | undefined, more: Partial<BearerGuardOptions> = {}) =>
  createBearerGuard({ validator, ...more })(header);

describe("what is let in", () => {
  test.each([
    ["anybody with a token", "user", {}],
    ["a user with one of the scopes", "user", { scopes: ["Orders.Write", "Orders.Read"], roles: [] }],
    ["an application with one of the roles", "application", { scopes: ["Orders.Write"], roles: ["Orders.All"] }],
  ])("%s", async (_name, token, requirement) => {
    expect(await judge(`Bearer ${token}`, requirement)).toEqual({ token: outcomes[token] });
  });
});

describe("what is refused", () => {
  test.each([
    ["no header", undefined],
    ["another scheme", "Basic dTpw"],
    ["nothing after the scheme", "Bearer "],
  ])("%s: a challenge without an error", async (_name, header) => {
    expect(await judge(header, { realm: "orders" })).toMatchObject({
      refusal: { status: 401, headers: { "www-authenticate": 'Bearer realm="orders"' } },
    });
  });

  test.each([
    ["https://id.example", "https://id.example/common/oauth2/authorize"],
    [
      "https://id.example/3f0c2d9e-0000-4000-8000-000000000001/v2.0",
      "https://id.example/3f0c2d9e-0000-4000-8000-000000000001/oauth2/authorize",
    ],
  ])("a guard that knows %s tells where to sign in, and for what", async (issuer, address) => {
    const guard = createBearerGuard({ issuer, audience: ["api://orders", "orders"] });
    const where = `Bearer realm="api", authorization_uri="${address}", resource_id="api://orders"`;
    expect(await guard(undefined)).toMatchObject({ refusal: { headers: { "www-authenticate": where } } });
    expect(await guard("Bearer nonsense")).toMatchObject({
      refusal: { status: 401, headers: { "www-authenticate": expect.stringContaining(`${where}, error=`) as string } },
    });
  });

  test("a bad token: 401 that says why, without breaking out of the quotes", async () => {
    expect(await judge("Bearer expired")).toMatchObject({
      refusal: {
        status: 401,
        headers: {
          "www-authenticate": `Bearer realm="api", error="invalid_token", error_description="The token 'has' expired"`,
        },
        body: { error: "invalid_token" },
      },
    });
  });

  test("a user without the scope: 403 that names it", async () => {
    expect(await judge("Bearer user", { scopes: ["Orders.Write"] })).toMatchObject({
      refusal: {
        status: 403,
        headers: { "www-authenticate": 'Bearer realm="api", error="insufficient_scope", scope="Orders.Write"' },
      },
    });
  });

  test("an application where only users are let in", async () => {
    expect(await judge("Bearer application", { roles: [] })).toMatchObject({ refusal: { status: 403 } });
  });

  test("anybody while the keys can't be had: 503, try again", async () => {
    expect(await judge("Bearer early")).toMatchObject({ refusal: { status: 503, headers: { "retry-after": "5" } } });
  });

  test("what isn't about the token is not swallowed", async () => {
    await expect(judge("Bearer broken")).rejects.toThrow("our own fault");
  });
});

test("the Express middleware over Node's own server: in, out, and errors to the next", async () => {
  const middleware = requireInExpress({ validator, scopes: ["Orders.Read"] });
  const server = createServer((request, response) => {
    void middleware(request, response, (error) => {
      response.statusCode = error === undefined ? 200 : 500;
      response.end(error === undefined ? tokenOf(request).userName : "handed on");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const ask = async (token?: string): Promise<readonly [number, string, string | null]> => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { headers });
    return [response.status, await response.text(), response.headers.get("www-authenticate")];
  };
  expect(await ask("user")).toEqual([200, "ada", null]);
  expect(await ask()).toEqual([401, expect.stringContaining("unauthorized"), 'Bearer realm="api"']);
  expect(await ask("broken")).toEqual([500, "handed on", null]);
  server.closeAllConnections();
  server.close();
});

test("the Fastify hook answers by itself, or remembers the token", async () => {
  const hook = requireInFastify({ validator });
  const sent: unknown[] = [];
  const reply = {
    code: (status: number) => (sent.push(status), reply),
    headers: (headers: object) => (sent.push(headers), reply),
    send: (body: unknown) => (sent.push(body), reply),
  };
  const request = { headers: { authorization: "Bearer user" } };
  expect(await hook(request, reply)).toBeUndefined();
  expect(tokenOf(request)).toBe(user);
  expect(await hook({ headers: {} }, reply)).toBe(reply);
  expect(sent).toMatchObject([401, { "www-authenticate": 'Bearer realm="api"' }, { error: "unauthorized" }]);
  expect(() => tokenOf({})).toThrow(/let it in/);
});
