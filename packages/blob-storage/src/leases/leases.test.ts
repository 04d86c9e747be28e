import { describe, expect, test } from "vitest";
import { startTestService, type TestService } from "../testing/start-test-service.ts";
import { type TestAnswer } from "../testing/test-client.ts";
import { applyLeaseAction, INFINITE, type LeaseAction } from "./lease-actions.ts";
import { leaseStateOf, noLease } from "./lease-state.ts";

const a = "11111111-1111-1111-1111-111111111111";
const b = "22222222-2222-2222-2222-222222222222";
const now = 1_000_000;

/** A fixed lease of 60 s with id `a`, 20 s ago, in each state. */
const leased = { lease_id: a, lease_duration_seconds: 60, lease_expires_ms: now + 40_000, lease_breaks_ms: null };
const states = {
  available: noLease,
  leased,
  infinite: { ...leased, lease_duration_seconds: INFINITE, lease_expires_ms: null },
  breaking: { ...leased, lease_breaks_ms: now + 30_000 },
  broken: { ...leased, lease_breaks_ms: now },
  expired: { ...leased, lease_expires_ms: now },
};

/** storage §12: state → action → state afterwards or the error. */
describe("the table of states", () => {
  const acquire = (leaseId: string): LeaseAction => ({ kind: "acquire", leaseId, durationSeconds: 15 });
  const renew = (leaseId: string): LeaseAction => ({ kind: "renew", leaseId });
  const release = (leaseId: string): LeaseAction => ({ kind: "release", leaseId });
  const change = (leaseId: string, proposedId: string): LeaseAction => ({ kind: "change", leaseId, proposedId });
  const stop = (periodSeconds?: number): LeaseAction => ({ kind: "break", periodSeconds });
  const MISMATCH = "LeaseIdMismatchWithLeaseOperation";
  const ABSENT = "LeaseNotPresentWithLeaseOperation";
  const rows: readonly (readonly [keyof typeof states, LeaseAction, string, number?])[] = [
    ["available", acquire(a), "leased"],
    ["leased", acquire(a), "leased"],
    ["leased", acquire(b), "LeaseAlreadyPresent"],
    ["infinite", acquire(b), "LeaseAlreadyPresent"],
    ["breaking", acquire(a), "LeaseIsBreakingAndCannotBeAcquired"],
    ["breaking", acquire(b), "LeaseAlreadyPresent"],
    ["broken", acquire(b), "leased"],
    ["expired", acquire(b), "leased"],
    ["available", renew(a), MISMATCH],
    ["leased", renew(a), "leased"],
    ["leased", renew(b), MISMATCH],
    ["breaking", renew(a), "LeaseIsBrokenAndCannotBeRenewed"],
    ["breaking", renew(b), MISMATCH],
    ["broken", renew(a), "LeaseIsBrokenAndCannotBeRenewed"],
    ["broken", renew(b), MISMATCH],
    ["expired", renew(a), "leased"],
    ["expired", renew(b), MISMATCH],
    ["available", change(a, b), ABSENT],
    ["leased", change(a, b), "leased"],
    ["leased", change(b, a), "leased"],
    ["leased", change(b, b), MISMATCH],
    ["breaking", change(a, b), "LeaseIsBreakingAndCannotBeChanged"],
    ["breaking", change(b, b), MISMATCH],
    ["broken", change(a, b), ABSENT],
    ["expired", change(a, b), ABSENT],
    ["available", release(a), MISMATCH],
    ["leased", release(a), "available"],
    ["leased", release(b), MISMATCH],
    ["breaking", release(a), "available"],
    ["broken", release(a), "available"],
    ["expired", release(a), "available"],
    ["available", stop(), ABSENT],
    ["leased", stop(), "breaking", 40],
    ["leased", stop(10), "breaking", 10],
    ["leased", stop(60), "breaking", 40],
    ["leased", stop(0), "broken", 0],
    ["infinite", stop(), "broken", 0],
    ["infinite", stop(20), "breaking", 20],
    ["breaking", stop(), "breaking", 30],
    ["breaking", stop(10), "breaking", 10],
    ["breaking", stop(60), "breaking", 30],
    ["broken", stop(10), "broken", 0],
    ["expired", stop(10), "broken", 0],
  ];
  const cases = rows.map(([state, action, expected, seconds]) => ({ state, action, expected, seconds }));
  test.each(cases)("$state, $action.kind → $expected", ({ state, action, expected, seconds }) => {
    let outcome: string;
    let remaining: number | undefined;
    try {
      const result = applyLeaseAction(states[state], action, now);
      outcome = leaseStateOf(result.lease, now);
      remaining = result.remainingSeconds;
    } catch (error) {
      outcome = (error as { readonly code: string }).code;
    }
    expect([outcome, remaining]).toEqual([expected, seconds]);
  });
});

describe("on the wire", () => {
  const withService = async (work: (service: TestService) => Promise<void>): Promise<void> => {
    const service = await startTestService();
    try {
      await service.client.send("PUT", "/box?restype=container");
      await service.client.send("PUT", "/box/blob", { headers: { "~blob-type": "BlockBlob" }, body: "1" });
      await work(service);
    } finally {
      await service.close();
    }
  };
  const lease = (
    { client }: TestService,
    target: string,
    action: string,
    headers: Record<string, string> = {},
  ): Promise<TestAnswer> => client.send("PUT", target, { headers: { "~lease-action": action, ...headers } });

  test("a leased blob is written and deleted with the id only, and read without", () =>
    withService(async (service) => {
      const { client } = service;
      const before = await client.send("HEAD", "/box/blob");
      const taken = await lease(service, "/box/blob?comp=lease", "acquire", {
        "~lease-duration": "15",
        "~proposed-lease-id": `{${a}}`,
      });
      expect(taken).toMatchObject({ status: 201, headers: { "x-store-lease-id": a, etag: before.headers["etag"] } });
      const put = (headers: Record<string, string>): Promise<TestAnswer> =>
        client.send("PUT", "/box/blob", { headers: { "~blob-type": "BlockBlob", ...headers }, body: "2" });
      expect(await put({})).toMatchObject({ status: 412, code: "LeaseIdMissing" });
      expect(await put({ "~lease-id": b })).toMatchObject({ status: 412, code: "LeaseIdMismatchWithBlobOperation" });
      expect(await put({ "~lease-id": a })).toMatchObject({ status: 201 });
      expect(await client.send("DELETE", "/box/blob")).toMatchObject({ status: 412, code: "LeaseIdMissing" });
      const head = await client.send("HEAD", "/box/blob");
      expect(head.headers).toMatchObject({
        "x-store-lease-state": "leased",
        "x-store-lease-status": "locked",
        "x-store-lease-duration": "fixed",
      });
      expect(await client.send("GET", "/box/blob", { headers: { "~lease-id": b } })).toMatchObject({ status: 412 });
      service.clock.advance(15_000);
      expect((await client.send("HEAD", "/box/blob")).headers).toMatchObject({
        "x-store-lease-state": "expired",
        "x-store-lease-status": "unlocked",
      });
      expect(await put({ "~lease-id": a })).toMatchObject({ status: 412, code: "LeaseNotPresentWithBlobOperation" });
      expect(await put({})).toMatchObject({ status: 201 });
      expect((await client.send("HEAD", "/box/blob")).headers).toMatchObject({ "x-store-lease-state": "available" });
    }));

  test("a leased container is deleted with the id only", () =>
    withService(async (service) => {
      const { client } = service;
      const target = "/box?restype=container&comp=lease";
      const taken = await lease(service, target, "acquire", { "~lease-duration": "-1" });
      const leaseId = taken.headers["x-store-lease-id"]!;
      expect(await client.send("DELETE", "/box?restype=container")).toMatchObject({
        status: 412,
        code: "LeaseIdMissing",
      });
      const broken = await lease(service, target, "break", { "~lease-break-period": "10" });
      expect(broken).toMatchObject({ status: 202, headers: { "x-store-lease-time": "10" } });
      const headers = { "~lease-id": leaseId };
      expect(await client.send("DELETE", "/box?restype=container", { headers })).toMatchObject({ status: 202 });
    }));

  test.each([
    ["no action", "", {}, "MissingRequiredHeader"],
    ["an action that is none", "take", {}, "InvalidHeaderValue"],
    ["no duration", "acquire", {}, "MissingRequiredHeader"],
    ["a duration that is too short", "acquire", { "~lease-duration": "14" }, "InvalidHeaderValue"],
    ["a duration that is too long", "acquire", { "~lease-duration": "61" }, "InvalidHeaderValue"],
    [
      "an id that is too long",
      "acquire",
      { "~lease-duration": "15", "~proposed-lease-id": "x".repeat(65) },
      "InvalidHeaderValue",
    ],
    ["no id to renew", "renew", {}, "MissingRequiredHeader"],
    ["no id to change to", "change", { "~lease-id": a }, "MissingRequiredHeader"],
    ["a break period that is too long", "break", { "~lease-break-period": "61" }, "InvalidHeaderValue"],
  ] as const)("refused: %s", (_what, action, headers, code) =>
    withService(async (service) => {
      const answer = await service.client.send("PUT", "/box/blob?comp=lease", {
        headers: { ...(action === "" ? {} : { "~lease-action": action }), ...headers },
      });
      expect(answer).toMatchObject({ status: 400, code });
    }),
  );
});
