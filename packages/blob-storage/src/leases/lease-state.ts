import { StorageError } from "../errors/storage-error.ts";
import { type LeaseColumns } from "../metadata/tables.ts";

export type LeaseState = "available" | "leased" | "breaking" | "broken" | "expired";

export const noLease: LeaseColumns = {
  lease_id: null,
  lease_duration_seconds: null,
  lease_expires_ms: null,
  lease_breaks_ms: null,
};

/** The state that time has brought a lease to (storage §12); nothing is written when one runs out. */
export function leaseStateOf(lease: LeaseColumns, nowMs: number): LeaseState {
  if (lease.lease_id === null) {
    return "available";
  }
  if (lease.lease_breaks_ms !== null) {
    return nowMs < lease.lease_breaks_ms ? "breaking" : "broken";
  }
  return lease.lease_expires_ms === null || nowMs < lease.lease_expires_ms ? "leased" : "expired";
}

/** Whether writes need the lease's id. */
export function isLocked(state: LeaseState): boolean {
  return state === "leased" || state === "breaking";
}

/** The words by which answers and listings describe a lease. */
export function describeLease(
  lease: LeaseColumns,
  nowMs: number,
): { readonly state: LeaseState; readonly status: "locked" | "unlocked"; readonly duration: string | undefined } {
  const state = leaseStateOf(lease, nowMs);
  const kind = lease.lease_expires_ms === null ? "infinite" : "fixed";
  return { state, status: isLocked(state) ? "locked" : "unlocked", duration: state === "leased" ? kind : undefined };
}

/**
 * Refuses a write to something whose lease the caller doesn't hold.
 *
 * @param leaseId  from the request, if it had one
 * @throws StorageError 412 `LeaseIdMissing`, `LeaseIdMismatchWith…Operation` or `LeaseNotPresentWith…Operation`
 */
export function checkLease(
  lease: LeaseColumns,
  leaseId: string | undefined,
  nowMs: number,
  of: "Blob" | "Container",
): void {
  const locked = isLocked(leaseStateOf(lease, nowMs));
  if (leaseId === undefined) {
    if (locked) {
      throw new StorageError("LeaseIdMissing");
    }
    return;
  }
  if (!locked) {
    throw new StorageError(`LeaseNotPresentWith${of}Operation`);
  }
  if (!sameLeaseId(lease.lease_id, leaseId)) {
    throw new StorageError(`LeaseIdMismatchWith${of}Operation`);
  }
}

/** A read is free without a lease id; one that is given must be right. */
export function checkLeaseOfRead(
  lease: LeaseColumns,
  leaseId: string | undefined,
  nowMs: number,
  of: "Blob" | "Container",
): void {
  if (leaseId !== undefined) {
    checkLease(lease, leaseId, nowMs, of);
  }
}

/** The lease after a successful write: one that has run out or was broken is forgotten. */
export function leaseAfterWrite(lease: LeaseColumns, nowMs: number): LeaseColumns {
  if (!isLocked(leaseStateOf(lease, nowMs))) {
    return noLease;
  }
  const { lease_id, lease_duration_seconds, lease_expires_ms, lease_breaks_ms } = lease;
  return { lease_id, lease_duration_seconds, lease_expires_ms, lease_breaks_ms };
}

export function sameLeaseId(left: string | null, right: string): boolean {
  return left !== null && normalLeaseId(left) === normalLeaseId(right);
}

/** A GUID in any of its written forms is one id; other texts are taken as they are, but for their case. */
export function normalLeaseId(text: string): string {
  const digits = text.replace(/^[({]|[)}]$/gu, "").replaceAll("-", "");
  return /^[0-9a-f]{32}$/iu.test(digits)
    ? digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, "$1-$2-$3-$4-$5").toLowerCase()
    : text.toLowerCase();
}
