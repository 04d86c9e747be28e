import { type TokenHolder } from "../bearer/authenticate-bearer.ts";
import { authenticationFailed } from "../errors/storage-error.ts";
import { type StorageRequest } from "../request/storage-request.ts";
import { checkTerms, type SasGrant } from "./sas-grant.ts";
import { malformed, type SasParameters } from "./sas-parameters.ts";
import { parseSasTime } from "./sas-time.ts";
import { userDelegationStringToSign } from "./string-to-sign.ts";
import { delegationKey, TOKEN_ROLES } from "./user-delegation-key.ts";
import { signedResource } from "./verify-sas.ts";

/** What a verified delegation says: what was signed for, and by whom, who must still have the right. */
export interface Delegation {
  readonly grant: SasGrant;
  readonly delegator: TokenHolder;
}

/**
 * Verifies a signature that was made with a delegation key. Which role the delegator's token gave is part of the
 * key, so the key that fits tells it.
 *
 * @throws StorageError as storage §4.2 lists them
 */
export function verifyDelegation(sas: SasParameters, request: StorageRequest): Delegation {
  if (sas.version < "2018-11-09" || !sas.value("sks").includes("b")) {
    throw malformed();
  }
  checkKeyWindow(sas, request.nowMs);
  const text = userDelegationStringToSign(sas, signedResource(sas, request));
  const tokenRole = findTokenRole(sas, text, request);
  if (tokenRole === undefined) {
    throw authenticationFailed(`Signature did not match. String to sign used was ${text}`);
  }
  const terms = { start: sas.value("st"), expiry: sas.value("se"), permissions: sas.value("sp") };
  checkTerms(sas, terms, request);
  return {
    grant: {
      kind: "service",
      permissions: terms.permissions,
      resourceTypes: "",
      overContainer: sas.value("sr") === "c" || sas.value("sr") === "d",
    },
    delegator: {
      objectId: sas.value("skoid"),
      tenantId: sas.value("sktid"),
      roles: tokenRole === "none" ? [] : [tokenRole],
    },
  };
}

function findTokenRole(
  sas: SasParameters,
  text: string,
  { account }: StorageRequest,
): (typeof TOKEN_ROLES)[number] | undefined {
  return TOKEN_ROLES.find((tokenRole) => {
    const fields = {
      objectId: sas.value("skoid"),
      tenantId: sas.value("sktid"),
      start: sas.value("skt"),
      expiry: sas.value("ske"),
      service: sas.value("sks"),
      version: sas.value("skv"),
      tokenRole,
    };
    return account.keys.some((key) => delegationKey(key, fields).sign(text).equals(sas.signature));
  });
}

/** The key has a time of its own, within which each of its signatures lies. */
function checkKeyWindow(sas: SasParameters, nowMs: number): void {
  const [startMs, expiryMs] = [parseSasTime(sas.value("skt")), parseSasTime(sas.value("ske"))];
  if (startMs === undefined || expiryMs === undefined) {
    throw malformed();
  }
  if (nowMs < startMs || nowMs >= expiryMs) {
    throw authenticationFailed("The user delegation key is not valid at this time.");
  }
}
