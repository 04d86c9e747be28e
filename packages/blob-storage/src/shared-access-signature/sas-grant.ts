import { authenticationFailed, StorageError } from "../errors/storage-error.ts";
import { formatHttpDate } from "../request/http-date.ts";
import { type StorageRequest } from "../request/storage-request.ts";
import { addressInRange } from "./ip-range.ts";
import { malformed, type SasParameters } from "./sas-parameters.ts";
import { parseSasTime } from "./sas-time.ts";

/** What a verified signature allows. */
export interface SasGrant {
  readonly kind: "account" | "service";
  /** Letters of `sp`. */
  readonly permissions: string;
  /** Of an account signature: letters of `srt`. */
  readonly resourceTypes: string;
  /** Of a service signature: whether it is over a whole container. */
  readonly overContainer: boolean;
}

/** Times and letters, from the URL or a stored access policy. */
export interface SasTerms {
  readonly start: string;
  readonly expiry: string;
  readonly permissions: string;
}

/** Whether a text has only letters that a permission may have (storage §4.3). */
export function isPermissions(kind: SasGrant["kind"], text: string): boolean {
  return PERMISSIONS[kind].test(text);
}

/** One that is unknown makes the signature malformed. */
const PERMISSIONS: Readonly<Record<SasGrant["kind"], RegExp>> = {
  account: /^[rwdxlacuptfiy]+$/u,
  service: /^[racwdxyltmeiopf]+$/u,
};

/**
 * Judges what stands beside a signature that is right: its times, its addresses, its protocol (storage §4.2).
 *
 * @throws StorageError `AuthenticationFailed`, `AuthorizationSourceIPMismatch` or `AuthorizationProtocolMismatch`
 */
export function checkTerms(sas: SasParameters, terms: SasTerms, request: StorageRequest): void {
  const kind = sas.kind === "account" ? "account" : "service";
  if (!isPermissions(kind, terms.permissions)) {
    throw malformed();
  }
  checkTimes(terms, request.nowMs);
  const addresses = sas.value("sip");
  if (addresses !== "" && !addressInRange(request.remoteAddress, addresses)) {
    throw new StorageError("AuthorizationSourceIPMismatch");
  }
  const protocols = sas.value("spr");
  if (protocols !== "" && !protocols.split(",").includes(request.secure ? "https" : "http")) {
    throw new StorageError("AuthorizationProtocolMismatch");
  }
}

function checkTimes({ start, expiry }: SasTerms, nowMs: number): void {
  const startMs = start === "" ? undefined : parseSasTime(start);
  const expiryMs = parseSasTime(expiry);
  if (expiryMs === undefined || (start !== "" && startMs === undefined)) {
    throw malformed();
  }
  const shown = (ms: number | undefined): string => (ms === undefined ? "" : formatHttpDate(ms));
  if (expiryMs <= (startMs ?? Number.NEGATIVE_INFINITY)) {
    throw authenticationFailed(
      `Signed expiry time [${shown(expiryMs)}] has to be after signed start time [${shown(startMs)}]`,
    );
  }
  if (nowMs >= expiryMs || (startMs !== undefined && nowMs < startMs)) {
    throw authenticationFailed(
      `Signature not valid in the specified time frame: Start [${shown(startMs)}] - Expiry [${shown(expiryMs)}] - Current [${shown(nowMs)}]`,
    );
  }
}
