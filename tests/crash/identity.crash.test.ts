import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ServerProcess } from "./server-process.ts";

/*
 * The real process, killed with SIGKILL under load at random points. What it acknowledged must be there after the next
 * start; what it didn't acknowledge may be there, but whole or not at all.
 */

const CYCLES = 50;
/** At most so many answers of one cycle come before the kill. */
const MOST_ANSWERS = 30;
const WRITERS = 4;

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "trefoil-identity-crash-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** A repeatable source of numbers; the seed is printed when a test fails. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
const seed = Number(process.env["TREFOIL_SEED"] ?? Date.now() % 1_000_000);
const random = randomNumbers(seed);

interface Acknowledged {
  readonly applications: Map<string, { readonly appId: string; readonly secret?: string }>;
  readonly users: Map<string, string>;
  readonly deleted: Set<string>;
  /** Refresh tokens as they were handed out, each good for another exchange. */
  readonly refreshTokens: string[];
  /** How many writes were answered. */
  answers: number;
}

interface Page<Entity> {
  readonly value: readonly Entity[];
  readonly "@odata.nextLink"?: string;
}

class Client {
  readonly #baseUrl: string;
  readonly #token: string;

  constructor(baseUrl: string, token: string) {
    this.#baseUrl = baseUrl;
    this.#token = token;
  }

  async manage<Entity>(method: string, target: string, body?: object): Promise<Entity> {
    const response = await fetch(`${this.#baseUrl}/v1.0${target}`, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) {
      throw new Error(`${method} ${target}: ${response.status} ${text}`);
    }
    return (text === "" ? undefined : JSON.parse(text)) as Entity;
  }

  /** Every entity of a collection, page by page. */
  async list<Entity>(target: string): Promise<readonly Entity[]> {
    const entities: Entity[] = [];
    for (let next: string | undefined = `${target}?$top=500`; next !== undefined;) {
      const page: Page<Entity> = await this.manage<Page<Entity>>("GET", next);
      entities.push(...page.value);
      const link = page["@odata.nextLink"];
      next = link?.slice(link.indexOf("/v1.0") + "/v1.0".length);
    }
    return entities;
  }

  async token(tenantId: string, fields: Record<string, string>): Promise<Record<string, unknown>> {
    const response = await fetch(`${this.#baseUrl}/${tenantId}/oauth2/v2.0/token`, {
      method: "POST",
      body: new URLSearchParams(fields),
    });
    return (await response.json()) as Record<string, unknown>;
  }
}

async function connect(server: ServerProcess): Promise<Client> {
  return new Client(server.baseUrl, (await readFile(path.join(directory, "cli-token"), "utf8")).trim());
}

test(`every acknowledged write is there after ${CYCLES} kills (seed ${seed})`, async () => {
  const acknowledged: Acknowledged = {
    applications: new Map(),
    users: new Map(),
    deleted: new Set(),
    refreshTokens: [],
    answers: 0,
  };
  const password = "a password of some length";
  let publicId = "";
  let tenantId = "";
  let domain = "";
  let signedIn = "";

  for (let cycle = 0; cycle < CYCLES; cycle++) {
    const server = await ServerProcess.start("identity", directory);
    const client = await connect(server);
    if (cycle === 0) {
      const { value } = await client.manage<{ value: { id: string; verifiedDomains: { name: string }[] }[] }>(
        "GET",
        "/tenants",
      );
      tenantId = value[0]?.id ?? "";
      domain = value[0]?.verifiedDomains[0]?.name ?? "";
      const application = { displayName: "public", isFallbackPublicClient: true };
      publicId = (await client.manage<{ appId: string }>("POST", "/applications", application)).appId;
      signedIn = `signed-in@${domain}`;
      await client.manage("POST", "/users", { userPrincipalName: signedIn, passwordProfile: { password } });
    } else {
      await checkAll(client, acknowledged);
      await checkTokens(client, tenantId, publicId, acknowledged);
    }
    const scope = "openid offline_access";
    const grant = { grant_type: "password", username: signedIn, password, client_id: publicId, scope };
    acknowledged.refreshTokens.push(String((await client.token(tenantId, grant))["refresh_token"]));
    const load = Array.from({ length: WRITERS }, (_, writer) =>
      write(client, `${cycle}-${writer}`, domain, password, acknowledged),
    );
    // By work, not by time, so that a busy machine kills at the same moments.
    const enough = acknowledged.answers + random() * MOST_ANSWERS;
    for (let waitedMs = 0; acknowledged.answers < enough && waitedMs < 5_000; waitedMs += 2) {
      await delay(2);
    }
    await server.kill();
    await Promise.all(load);
  }
  const server = await ServerProcess.start("identity", directory);
  await checkAll(await connect(server), acknowledged);
  await server.stop();
  expect(acknowledged.applications.size).toBeGreaterThan(CYCLES);
  expect(acknowledged.users.size).toBeGreaterThan(0);
  expect(acknowledged.deleted.size).toBeGreaterThan(0);
});

/** Makes, changes and deletes until the server is gone; remembers only what was answered. */
async function write(
  client: Client,
  name: string,
  domain: string,
  password: string,
  acknowledged: Acknowledged,
): Promise<void> {
  for (let index = 0; ; index++) {
    try {
      const displayName = `app ${name}-${index}`;
      const { id, appId } = await client.manage<{ id: string; appId: string }>("POST", "/applications", {
        displayName,
        identifierUris: [`api://${name}-${index}`],
      });
      acknowledged.applications.set(id, { appId });
      acknowledged.answers += 1;
      const { secretText } = await client.manage<{ secretText: string }>("POST", `/applications/${id}/addPassword`, {});
      acknowledged.applications.set(id, { appId, secret: secretText });
      acknowledged.answers += 1;
      const userPrincipalName = `user-${name}-${index}@${domain}`;
      const user = await client.manage<{ id: string }>("POST", "/users", {
        userPrincipalName,
        passwordProfile: { password },
      });
      acknowledged.users.set(user.id, userPrincipalName);
      acknowledged.answers += 1;
      if (random() < 0.3) {
        acknowledged.applications.delete(id);
        await client.manage("DELETE", `/applications/${id}`);
        acknowledged.deleted.add(id);
        acknowledged.answers += 1;
      }
    } catch {
      return;
    }
  }
}

async function checkAll(client: Client, acknowledged: Acknowledged): Promise<void> {
  interface Listed {
    readonly id: string;
    readonly appId: string;
    readonly identifierUris: readonly string[];
    readonly passwordCredentials: readonly object[];
  }
  const applications = await client.list<Listed>("/applications");
  const byId = new Map(applications.map((each) => [each.id, each]));
  for (const [id, { appId, secret }] of acknowledged.applications) {
    expect(byId.get(id)?.appId, id).toBe(appId);
    expect(byId.get(id)?.identifierUris, "whole or not at all").toHaveLength(1);
    expect(byId.get(id)?.passwordCredentials.length, id).toBeGreaterThanOrEqual(secret === undefined ? 0 : 1);
  }
  for (const id of acknowledged.deleted) {
    expect(byId.has(id), `${id} was deleted`).toBe(false);
  }
  const users = await client.list<{ id: string; userPrincipalName: string }>("/users");
  const names = new Map(users.map((each) => [each.id, each.userPrincipalName]));
  for (const [id, name] of acknowledged.users) {
    expect(names.get(id)).toBe(name);
  }
}

/** The newest secret still gives a token, and the newest refresh token can still be exchanged. */
async function checkTokens(
  client: Client,
  tenantId: string,
  publicId: string,
  acknowledged: Acknowledged,
): Promise<void> {
  for (const { appId, secret } of [...acknowledged.applications.values()].slice(-3)) {
    const answer = await client.token(tenantId, {
      grant_type: "client_credentials",
      client_id: appId,
      client_secret: secret ?? "none was acknowledged",
      scope: `${appId}/.default`,
    });
    expect(answer["error_codes"]).toEqual(secret === undefined ? [7000215] : undefined);
  }
  const answer = await client.token(tenantId, {
    grant_type: "refresh_token",
    refresh_token: acknowledged.refreshTokens.at(-1) ?? "",
    client_id: publicId,
  });
  expect(answer["error_description"]).toBeUndefined();
}

test("a first start that is killed is completed by the next, with the credentials that were told", async () => {
  for (let attempt = 0; attempt < 8; attempt++) {
    const fresh = await mkdtemp(path.join(tmpdir(), "trefoil-identity-first-"));
    await ServerProcess.startAndKill("identity", fresh, 150 + random() * 500);
    const server = await ServerProcess.start("identity", fresh);
    const told = JSON.parse(await readFile(path.join(fresh, "initial-credentials.json"), "utf8")) as {
      identity: { tenantId: string; administrator: { username: string; password: string } };
    };
    const token = (await readFile(path.join(fresh, "cli-token"), "utf8")).trim();
    const client = new Client(server.baseUrl, token);
    const { appId } = await client.manage<{ appId: string }>("POST", "/applications", {
      displayName: "public",
      isFallbackPublicClient: true,
    });
    const answer = await client.token(told.identity.tenantId, {
      grant_type: "password",
      ...told.identity.administrator,
      client_id: appId,
      scope: "openid",
    });
    // The right password, which has to be changed first.
    expect(answer["error_codes"], `seed ${seed}`).toEqual([50055]);
    await server.stop();
    await rm(fresh, { recursive: true, force: true });
  }
});
