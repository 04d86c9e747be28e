import { gatherBody } from "../contents/gather-body.ts";
import { authenticationFailed, StorageError } from "../errors/storage-error.ts";
import { type Role } from "../metadata/tables.ts";
import { type Answer } from "../operations/answer.ts";
import { type OperationCall } from "../operations/operation.ts";
import { readContentLength } from "../request/upload-limits.ts";
import { AccountKey } from "../shared-key/account-key.ts";
import { findChild, readXml } from "../xml/read-xml.ts";
import { element, textElement, xmlDocument } from "../xml/write-xml.ts";
import { parseSasTime } from "./sas-time.ts";

/** The fields of a delegation key, which also stand in every signature made with it. */
export interface DelegationKeyFields {
  readonly objectId: string;
  readonly tenantId: string;
  readonly start: string;
  readonly expiry: string;
  readonly service: string;
  readonly version: string;
  /** The role that the token itself gave when the key was made; assignments are asked for when it is used. */
  readonly tokenRole: Role | "none";
}

/**
 * The key of a delegation: made from an account key and the fields, so nothing is stored, and rotating the account
 * key revokes it (storage §4.4).
 */
export function delegationKey(accountKey: AccountKey, fields: DelegationKeyFields): AccountKey {
  const { objectId, tenantId, start, expiry, service, version, tokenRole } = fields;
  const text = ["user delegation key", objectId, tenantId, start, expiry, service, version, tokenRole].join("\n");
  return new AccountKey(accountKey.sign(text).toBase64());
}

const BODY_LIMIT_BYTES = 16 * 1024;
const LONGEST_MS = 7 * 24 * 3_600_000;

/** Get User Delegation Key: lets the holder of a token sign for others what it may do itself. */
export async function getUserDelegationKey({ request, principal }: OperationCall): Promise<Answer> {
  if (principal.kind !== "token") {
    throw authenticationFailed("Only authentication scheme Bearer is supported");
  }
  const length = readContentLength(request.headers.find("content-length"), BODY_LIMIT_BYTES);
  const info = readXml(await gatherBody(request.body, length), "KeyInfo");
  const start = findChild(info, "Start")?.text ?? new Date(request.nowMs).toISOString().replace(/\.\d+Z$/u, "Z");
  const expiry = findChild(info, "Expiry")?.text;
  if (expiry === undefined) {
    throw new StorageError("MissingRequiredXmlNode", { elements: { XmlNodeName: "Expiry" } });
  }
  checkWindow(start, expiry, request.nowMs);
  const { objectId, tenantId, roles } = principal.holder;
  const tokenRole = strongest(roles);
  const fields = { objectId, tenantId, start, expiry, service: "b", version: request.version, tokenRole };
  const text = xmlDocument(
    element(
      "UserDelegationKey",
      textElement("SignedOid", objectId) +
        textElement("SignedTid", tenantId) +
        textElement("SignedStart", start) +
        textElement("SignedExpiry", expiry) +
        textElement("SignedService", "b") +
        textElement("SignedVersion", request.version) +
        textElement("Value", delegationKey(request.account.keys[0], fields).reveal()),
    ),
  );
  return { status: 200, headers: {}, body: { kind: "xml", text } };
}

/** Strongest first. */
export const TOKEN_ROLES: readonly (Role | "none")[] = ["Owner", "Contributor", "Reader", "none"];

function strongest(roles: readonly Role[]): Role | "none" {
  return TOKEN_ROLES.find((role) => role !== "none" && roles.includes(role)) ?? "none";
}

function checkWindow(start: string, expiry: string, nowMs: number): void {
  const startMs = parseSasTime(start);
  const expiryMs = parseSasTime(expiry);
  for (const [name, value, ms] of [
    ["Start", start, startMs],
    ["Expiry", expiry, expiryMs],
  ] as const) {
    if (ms === undefined) {
      throw new StorageError("InvalidXmlNodeValue", { elements: { XmlNodeName: name, XmlNodeValue: value } });
    }
  }
  // One that has ended already is given out: no signature made with it will be good.
  if ((expiryMs ?? 0) > nowMs + LONGEST_MS || (expiryMs ?? 0) <= (startMs ?? 0)) {
    throw new StorageError("InvalidXmlNodeValue", { elements: { XmlNodeName: "Expiry", XmlNodeValue: expiry } });
  }
}
