import { StorageError } from "../errors/storage-error.ts";
import { type LeaseColumns } from "../metadata/tables.ts";
import { leaseStateOf, noLease, sameLeaseId } from "./lease-state.ts";

/** What a lease operation asks for; numbers in seconds. */
export type LeaseAction =
  | { readonly kind: "acquire"; readonly leaseId: string; readonly durationSeconds: number }
  | { readonly kind: "renew" | "release"; readonly leaseId: string }
  | { readonly kind: "change"; readonly leaseId: string; readonly proposedId: string }
  | { readonly kind: "break"; readonly periodSeconds: number | undefined };

/** The lease after an action. */
export interface LeaseResult {
  readonly lease: LeaseColumns;
  /** Of a break: until another lease can be had. */
  readonly remainingSeconds?: number | undefined;
}

export const INFINITE = -1;

/**
 * Applies an action to a lease, by the state that time has brought it to.
 *
 * @throws StorageError 409, as the table of storage §12 says
 */
export function applyLeaseAction(lease: LeaseColumns, action: LeaseAction, nowMs: number): LeaseResult {
  switch (action.kind) {
    case "acquire":
      return { lease: acquire(lease, action.leaseId, action.durationSeconds, nowMs) };
    case "renew":
      return { lease: renew(lease, action.leaseId, nowMs) };
    case "change":
      return { lease: change(lease, action.leaseId, action.proposedId, nowMs) };
    case "release":
      requireLeaseId(lease, action.leaseId);
      return { lease: noLease };
    case "break":
      return breakLease(lease, action.periodSeconds, nowMs);
  }
}

function acquire(lease: LeaseColumns, leaseId: string, durationSeconds: number, nowMs: number): LeaseColumns {
  const state = leaseStateOf(lease, nowMs);
  const isSame = sameLeaseId(lease.lease_id, leaseId);
  if (state === "breaking" && isSame) {
    throw new StorageError("LeaseIsBreakingAndCannotBeAcquired");
  }
  if (state === "breaking" || (state === "leased" && !isSame)) {
    throw new StorageError("LeaseAlreadyPresent");
  }
  return running(leaseId, durationSeconds, nowMs);
}

function renew(lease: LeaseColumns, leaseId: string, nowMs: number): LeaseColumns {
  requireLeaseId(lease, leaseId);
  if (lease.lease_breaks_ms !== null) {
    throw new StorageError("LeaseIsBrokenAndCannotBeRenewed");
  }
  return running(leaseId, lease.lease_duration_seconds ?? INFINITE, nowMs);
}

function change(lease: LeaseColumns, leaseId: string, proposedId: string, nowMs: number): LeaseColumns {
  const state = leaseStateOf(lease, nowMs);
  if (state !== "leased" && state !== "breaking") {
    throw new StorageError("LeaseNotPresentWithLeaseOperation");
  }
  // A second try of a change that succeeded names the new id as the present one.
  if (!sameLeaseId(lease.lease_id, leaseId) && !sameLeaseId(lease.lease_id, proposedId)) {
    throw new StorageError("LeaseIdMismatchWithLeaseOperation");
  }
  if (state === "breaking") {
    throw new StorageError("LeaseIsBreakingAndCannotBeChanged");
  }
  return { ...lease, lease_id: proposedId };
}

function breakLease(lease: LeaseColumns, periodSeconds: number | undefined, nowMs: number): LeaseResult {
  const state = leaseStateOf(lease, nowMs);
  if (state === "available") {
    throw new StorageError("LeaseNotPresentWithLeaseOperation");
  }
  const endMs = state === "breaking" ? lease.lease_breaks_ms : lease.lease_expires_ms;
  const remainingMs = state === "broken" || state === "expired" ? 0 : untilEnd(endMs, periodSeconds, nowMs);
  return {
    lease: { ...lease, lease_breaks_ms: nowMs + remainingMs },
    remainingSeconds: Math.round(remainingMs / 1000),
  };
}

/** A break ends with the lease at the latest; an infinite lease breaks at once unless a period is given. */
function untilEnd(endMs: number | null, periodSeconds: number | undefined, nowMs: number): number {
  const leftMs = endMs === null ? undefined : endMs - nowMs;
  const periodMs = periodSeconds === undefined ? undefined : periodSeconds * 1000;
  return Math.max(0, Math.min(leftMs ?? periodMs ?? 0, periodMs ?? leftMs ?? 0));
}

function running(leaseId: string, durationSeconds: number, nowMs: number): LeaseColumns {
  return {
    lease_id: leaseId,
    lease_duration_seconds: durationSeconds,
    lease_expires_ms: durationSeconds === INFINITE ? null : nowMs + durationSeconds * 1000,
    lease_breaks_ms: null,
  };
}

function requireLeaseId(lease: LeaseColumns, leaseId: string): void {
  if (!sameLeaseId(lease.lease_id, leaseId)) {
    throw new StorageError("LeaseIdMismatchWithLeaseOperation");
  }
}
