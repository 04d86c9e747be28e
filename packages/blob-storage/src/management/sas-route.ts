import { type Clock } from "@trefoil/base";
import { type FastifyInstance } from "fastify";
import { type AccountDirectory } from "../accounts/account-directory.ts";
import { StorageError } from "../errors/storage-error.ts";
import { checkBlobName, checkContainerName } from "../request/names.ts";
import { createSas, type SasRequest } from "../shared-access-signature/create-sas.ts";
import { optionalText, recordOf, requiredText } from "./read-body.ts";

export interface SasRouteOptions {
  readonly accounts: AccountDirectory;
  readonly clock: Clock;
  readonly endpoint: () => string;
}

interface AccountParameters {
  readonly Params: { readonly name: string };
}

const LONGEST_SECONDS = 10 * 366 * 24 * 3600;

/** `POST /management/accounts/:name/sas`: a shared access signature and the URL that it opens. */
export function registerSasRoute(scope: FastifyInstance, { accounts, clock, endpoint }: SasRouteOptions): void {
  scope.post<AccountParameters>("/accounts/:name/sas", ({ params, body }) => {
    const account = accounts.get(params.name);
    const request = readSasRequest(body, clock.now());
    const sas = createSas(account, request);
    const place = [request.container, request.blob]
      .filter((part) => part !== undefined)
      .map((part) => `/${part.split("/").map(encodeURIComponent).join("/")}`)
      .join("");
    return {
      sas,
      url: `${endpoint()}/${account.name}${place === "" ? "/" : place}?${sas}`,
      expiresAt: new Date(request.expiryMs).toISOString(),
    };
  });
}

function readSasRequest(body: unknown, nowMs: number): SasRequest {
  const record = recordOf(body);
  const container = optionalText(record, "container");
  const blob = optionalText(record, "blob");
  const seconds = record["expiresInSeconds"];
  if (typeof seconds !== "number" || !Number.isInteger(seconds) || seconds < 1 || seconds > LONGEST_SECONDS) {
    throw new StorageError("InvalidInput", { detail: "expiresInSeconds is missing or out of range" });
  }
  if (container !== undefined) {
    checkContainerName(container);
  }
  if (blob !== undefined) {
    if (container === undefined) {
      throw new StorageError("InvalidInput", { detail: "a blob without its container" });
    }
    checkBlobName(container, blob);
  }
  return {
    container,
    blob,
    permissions: requiredText(record, "permissions"),
    expiryMs: nowMs + seconds * 1000,
    ip: optionalText(record, "ip"),
    httpsOnly: record["httpsOnly"] === true,
    encryptionScope: optionalText(record, "encryptionScope"),
  };
}
