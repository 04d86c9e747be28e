import { type FastifyInstance } from "fastify";
import { type AccountDirectory } from "../accounts/account-directory.ts";
import { type Account } from "../accounts/account.ts";
import { StorageError } from "../errors/storage-error.ts";
import { recordOf, requiredText } from "./read-body.ts";

export interface ScopeRouteOptions {
  readonly accounts: AccountDirectory;
}

/** A scope as the command line shows it; its key leaves the server for nobody. */
export interface EncryptionScopeDescription {
  readonly name: string;
  readonly state: "enabled" | "disabled";
  readonly createdAt: string;
}

interface AccountParameters {
  readonly Params: { readonly name: string };
}

interface ScopeParameters {
  readonly Params: { readonly name: string; readonly scope: string };
}

/** `/management/accounts/:name/scopes`: keys that blobs are encrypted with by name (decisions/0194). */
export function registerScopeRoutes(server: FastifyInstance, { accounts }: ScopeRouteOptions): void {
  server.get<AccountParameters>("/accounts/:name/scopes", ({ params }) => describe(accounts.get(params.name)));
  server.post<AccountParameters>("/accounts/:name/scopes", async ({ params, body }, reply) => {
    const account = await accounts.createScope(params.name, requiredText(recordOf(body), "name"));
    return reply.code(201).send(describe(account));
  });
  server.put<ScopeParameters>("/accounts/:name/scopes/:scope", async ({ params, body }) => {
    const { enabled } = recordOf(body);
    if (typeof enabled !== "boolean") {
      throw new StorageError("InvalidInput", { detail: "enabled is true or false" });
    }
    return describe(await accounts.setScopeState(params.name, params.scope, enabled));
  });
}

function describe({ encryptionScopes }: Account): { readonly scopes: readonly EncryptionScopeDescription[] } {
  const scopes = [...encryptionScopes.values()].map(({ name, isEnabled, createdMs }): EncryptionScopeDescription => ({
    name,
    state: isEnabled ? "enabled" : "disabled",
    createdAt: new Date(createdMs).toISOString(),
  }));
  return { scopes };
}
