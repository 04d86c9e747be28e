import { type Clock } from "@trefoil/base";
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { type Account, type AccountSettings } from "../accounts/account.ts";
import { type AccountDirectory } from "../accounts/account-directory.ts";
import { StorageError } from "../errors/storage-error.ts";
import { type Collector } from "../extents/collector.ts";
import { type ExtentStore } from "../extents/extent-store.ts";
import { type Metadata } from "../metadata/metadata.ts";
import { registerCheckRoutes } from "./check-routes.ts";
import { optionalText, recordOf } from "./read-body.ts";
import { registerRoleRoutes } from "./role-routes.ts";
import { registerScopeRoutes } from "./scope-routes.ts";
import { registerSasRoute } from "./sas-route.ts";

export interface ManagementOptions {
  readonly accounts: AccountDirectory;
  readonly metadata: Metadata;
  readonly clock: Clock;
  readonly collector: Collector;
  readonly extents: ExtentStore;
  /** Whether the request comes from this data folder's administrator (rulings, Identity 10). */
  readonly isAdministrator: (request: FastifyRequest) => boolean;
  /** The http address without a final slash, for connection strings. */
  readonly endpoint: () => string;
  /** Told after an account was made, so that certificates cover its host names. */
  readonly onAccountCreated: () => Promise<void>;
  /** Goes on under the key that seals now in the data folder. */
  readonly reloadSecrets: () => Promise<void>;
}

/** An account as the command line shows it; keys only where they were asked for. */
export interface AccountDescription {
  readonly name: string;
  readonly endpoint: string;
  readonly createdAt: string;
  readonly versioning: boolean;
  readonly publicAccess: boolean;
  /** What it may keep at most; null: no limit, and then what it keeps is not counted. */
  readonly quotaBytes: number | null;
  readonly usedBytes: number | null;
  readonly keys?: readonly string[];
  readonly connectionString?: string;
}

const BODY_LIMIT_BYTES = 64 * 1024;

/** `/management/…`: what the `trefoil` command works with. Everything needs the administrator's token. */
export function registerManagement(app: FastifyInstance, options: ManagementOptions): void {
  const { accounts, collector } = options;
  void app.register(
    (scope, _options, done) => {
      scope.addHook("onRequest", async (request, reply) => {
        if (!options.isAdministrator(request)) {
          await refuse(reply, 401, "the administrator's token is needed, from this machine");
        }
      });
      scope.setErrorHandler((error, _request, reply) => refuseFor(error, reply));
      scope.get("/accounts", () => ({ accounts: accounts.list().map((account) => describe(account, options)) }));
      scope.get<{ Params: { name: string } }>("/accounts/:name", ({ params }) =>
        describeWithKeys(accounts.get(params.name), options),
      );
      scope.post("/accounts", { bodyLimit: BODY_LIMIT_BYTES }, async ({ body }, reply) => {
        const { name, keys } = readNewAccount(body);
        const account = await accounts.create(name, keys, { quotaBytes: readQuota(body) });
        await options.onAccountCreated();
        return reply.code(201).send(describeWithKeys(account, options));
      });
      scope.post<{ Params: { name: string; which: string } }>(
        "/accounts/:name/keys/:which",
        { bodyLimit: BODY_LIMIT_BYTES },
        async ({ params, body }) => {
          const key = optionalText(recordOf(body), "key");
          return describeWithKeys(await accounts.replaceKey(params.name, readWhich(params.which), key), options);
        },
      );
      scope.put<{ Params: { name: string } }>(
        "/accounts/:name/settings",
        { bodyLimit: BODY_LIMIT_BYTES },
        async ({ params, body }) => describe(await accounts.changeSettings(params.name, readSettings(body)), options),
      );
      scope.put<{ Params: { name: string } }>(
        "/accounts/:name/quota",
        { bodyLimit: BODY_LIMIT_BYTES },
        async ({ params, body }) => {
          const quotaBytes = readQuota(body);
          if (quotaBytes === undefined) {
            throw wrongQuota();
          }
          return describe(await accounts.setQuota(params.name, quotaBytes ?? undefined), options);
        },
      );
      registerSasRoute(scope, options);
      registerRoleRoutes(scope, options);
      registerScopeRoutes(scope, options);
      registerCheckRoutes(scope, options);
      scope.post("/sealing-key/reseal", async () => {
        await options.reloadSecrets();
        return { resealed: await accounts.sealAnew() };
      });
      scope.post("/collect", async () => {
        const orphans = await collector.collectOrphans();
        return { ...(await collector.collect()), orphans };
      });
      done();
    },
    { prefix: "/management" },
  );
}

function describe(account: Account, { accounts, endpoint }: ManagementOptions): AccountDescription {
  return {
    name: account.name,
    endpoint: `${endpoint()}/${account.name}`,
    createdAt: new Date(account.createdMs).toISOString(),
    ...account.settings,
    quotaBytes: account.quotaBytes ?? null,
    usedBytes: accounts.findUsedBytes(account) ?? null,
  };
}

function describeWithKeys(account: Account, options: ManagementOptions): AccountDescription {
  const description = describe(account, options);
  const keys = account.keys.map((key) => key.reveal());
  return {
    ...description,
    keys,
    connectionString: connectionString(account.name, keys[0] ?? "", description.endpoint),
  };
}

/** What clients of this kind of storage are configured with. */
export function connectionString(account: string, key: string, endpoint: string): string {
  const protocol = endpoint.startsWith("https:") ? "https" : "http";
  return `DefaultEndpointsProtocol=${protocol};AccountName=${account};AccountKey=${key};BlobEndpoint=${endpoint};`;
}

function readWhich(text: string): 1 | 2 {
  if (text !== "1" && text !== "2") {
    throw new StorageError("InvalidInput", { detail: "an account has the keys 1 and 2" });
  }
  return text === "1" ? 1 : 2;
}

const SETTINGS = ["versioning", "publicAccess"] as const satisfies readonly (keyof AccountSettings)[];

/** Those that the body names; the others stay. */
function readSettings(body: unknown): Partial<AccountSettings> {
  const given = Object.entries(recordOf(body));
  const isKnown = given.every(([name, value]) => SETTINGS.some((key) => key === name) && typeof value === "boolean");
  if (given.length === 0 || !isKnown) {
    throw new StorageError("InvalidInput", { detail: `the settings are ${SETTINGS.join(" and ")}, true or false` });
  }
  return Object.fromEntries(given);
}

/** `quotaBytes` of a body: null for none; undefined when the body doesn't say. */
function readQuota(body: unknown): number | null | undefined {
  const { quotaBytes } = recordOf(body) as { readonly quotaBytes?: unknown };
  if (quotaBytes === undefined || quotaBytes === null) {
    return quotaBytes;
  }
  if (typeof quotaBytes !== "number" || !Number.isSafeInteger(quotaBytes) || quotaBytes < 0) {
    throw wrongQuota();
  }
  return quotaBytes;
}

function wrongQuota(): StorageError {
  return new StorageError("InvalidInput", { detail: "a quota is a whole number of bytes, or null for none" });
}

function readNewAccount(body: unknown): { readonly name: string; readonly keys: readonly string[] } {
  const { name, keys = [] } = (typeof body === "object" && body !== null ? body : {}) as {
    readonly name?: unknown;
    readonly keys?: unknown;
  };
  const isList = Array.isArray(keys) && keys.length <= 2 && keys.every((key) => typeof key === "string" && key !== "");
  if (typeof name !== "string" || !isList) {
    throw new StorageError("InvalidInput", { detail: "an account has a name and up to two keys in base64" });
  }
  return { name, keys: keys as string[] };
}

async function refuseFor(error: unknown, reply: FastifyReply): Promise<void> {
  if (error instanceof StorageError) {
    await refuse(reply, error.status, error.detail ?? explanations[error.code] ?? error.message);
    return;
  }
  const status = error instanceof Error && "statusCode" in error ? Number(error.statusCode) : 500;
  if (status >= 500) {
    reply.log.error({ err: error }, "management request failed");
  }
  await refuse(reply, status, status >= 500 ? "the server failed" : (error as Error).message);
}

/** In an administrator's words, where the wire's say too little. */
const explanations: Readonly<Partial<Record<string, string>>> = {
  AccountAlreadyExists: "there is an account of this name already",
  InvalidInput: "an account has a name and up to two keys in base64",
  InvalidResourceName: "an account's name has 3 to 24 characters, only lower-case letters and digits",
  ResourceAlreadyExists: "there is an encryption scope of this name already",
  ResourceNotFound: "there is no account or no assignment like this",
};

async function refuse(reply: FastifyReply, status: number, message: string): Promise<void> {
  await reply.code(status).header("cache-control", "no-store").send({ error: { message } });
}
