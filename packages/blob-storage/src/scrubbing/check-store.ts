import { getAccountRow } from "../accounts/account-statements.ts";
import { type ExtentStore } from "../extents/extent-store.ts";
import { type Metadata } from "../metadata/metadata.ts";
import { all, first, type Steps } from "../metadata/steps.ts";
import {
  type AffectedBlob,
  type CheckedExtent,
  findBlobsOfContent,
  findBlobsOfExtent,
  findBlobsWithoutContent,
  findPiecesWithoutExtent,
  findPlaceOfContainer,
  findStagedWithoutExtent,
  listContents,
  listExtents,
} from "./reference-statements.ts";
import { measureAccount } from "../quotas/account-quota.ts";
import { findQuota, listQuotas } from "../quotas/quota-statements.ts";
import { type Verified } from "./scrub-commands.ts";
import { measureExtents } from "./scrub-statements.ts";
import { verifyExtent } from "./verify-extent.ts";
import { type DamagedRow, verifyRows } from "./verify-rows.ts";

/** Something that is not as it was written. */
export interface Finding {
  readonly kind: FindingKind;
  /** The extent, the content by its number, or the account. */
  readonly subject: string;
  readonly detail: string;
  /** Up to ten blobs that need it, `account/container/name`. */
  readonly blobs: readonly string[];
}

export type FindingKind = "damaged extent" | "damaged row" | "missing extent" | "missing content" | "wrong count";

export interface CheckReport {
  readonly extents: number;
  readonly bytes: number;
  readonly contents: number;
  /** How many things were found; `findings` holds the first of them. */
  readonly problems: number;
  readonly findings: readonly Finding[];
}

export interface CheckProgress {
  readonly bytes: number;
  readonly ofBytes: number;
}

export interface CheckOptions {
  readonly metadata: Metadata;
  readonly extents: ExtentStore;
  /** Whether extents are marked by what was found; without it nothing is changed. */
  readonly marks: boolean;
  readonly onProgress: (progress: CheckProgress) => void;
  /** Ends the check early, with what it has. */
  readonly signal: AbortSignal;
}

const PAGE = 200;
const FINDINGS_LIMIT = 1000;
const BLOBS_LIMIT = 10;

/** Verifies the checksums of every extent and of the bytes in rows, every reference between blobs, contents and extents, and what is counted for quotas. */
export async function checkStore(options: CheckOptions): Promise<CheckReport> {
  const { metadata } = options;
  const found = new Findings(metadata);
  const { extents, bytes } = await checkExtents(options, found);
  await checkRows(options, found);
  const contents = checkContents(options, found);
  checkQuotas(options, found);
  for (const missing of [findPiecesWithoutExtent, findStagedWithoutExtent]) {
    for (const { extent_id: extentId } of metadata.read(all(missing, { after: "", limit: FINDINGS_LIMIT }))) {
      found.addExtent("missing extent", extentId, "something refers to it, and it has no record");
    }
  }
  for (const { content_id } of metadata.read(all(findBlobsWithoutContent, { after: 0, limit: FINDINGS_LIMIT }))) {
    found.addContent("missing content", content_id, "a blob refers to it, and it has no record");
  }
  return { extents, bytes, contents, problems: found.count, findings: found.list };
}

/** Collects findings, with the blobs that suffer from each. */
class Findings {
  readonly #metadata: Metadata;
  readonly list: Finding[] = [];
  count = 0;

  constructor(metadata: Metadata) {
    this.#metadata = metadata;
  }

  addExtent(kind: FindingKind, extentId: string, detail: string): void {
    this.#add(kind, extentId, detail, () =>
      this.#metadata.read(all(findBlobsOfExtent, { extentId, limit: BLOBS_LIMIT })),
    );
  }

  addContent(kind: FindingKind, contentId: number, detail: string): void {
    const find = (): readonly AffectedBlob[] =>
      this.#metadata.read(all(findBlobsOfContent, { contentId, limit: BLOBS_LIMIT }));
    this.#add(kind, String(contentId), detail, find);
  }

  addRow(damaged: DamagedRow): void {
    if (damaged.kind === "piece") {
      this.addContent("damaged row", damaged.contentId, damaged.why);
      return;
    }
    const { container_id: containerId, name } = damaged.blob;
    const find = (): readonly AffectedBlob[] =>
      this.#metadata.read(all(findPlaceOfContainer, { containerId })).map((place) => ({ ...place, name }));
    this.#add("damaged row", name, damaged.why, find);
  }

  addAccount(name: string, detail: string): void {
    this.#add("wrong count", name, detail, () => []);
  }

  #add(kind: FindingKind, subject: string, detail: string, findBlobs: () => readonly AffectedBlob[]): void {
    this.count += 1;
    if (this.list.length < FINDINGS_LIMIT) {
      const blobs = findBlobs().map(({ account, container, name }) => `${account}/${container}/${name}`);
      this.list.push({ kind, subject, detail, blobs });
    }
  }
}

async function checkExtents(
  { metadata, extents, marks, onProgress, signal }: CheckOptions,
  found: Findings,
): Promise<{ readonly extents: number; readonly bytes: number }> {
  const ofBytes = metadata.read(first(measureExtents, {}))?.bytes ?? 0;
  let bytes = 0;
  let count = 0;
  const onBytes = (read: number): Promise<void> => {
    bytes += read;
    onProgress({ bytes, ofBytes });
    return Promise.resolve();
  };
  for (let after = ""; !signal.aborted;) {
    const page = metadata.read(all(listExtents, { after, limit: PAGE }));
    const last = page.at(-1);
    if (last === undefined) {
      break;
    }
    const verified: Verified[] = [];
    for (const extent of page) {
      if (signal.aborted) {
        break;
      }
      const extentId = extent.extent_id;
      const result = await verifyExtent(extent, { metadata, extents, onBytes });
      verified.push({ extentId, isSound: result.kind !== "damaged" });
      count += 1;
      const detail = result.kind === "damaged" ? result.why : undefined;
      if (detail !== undefined) {
        found.addExtent("damaged extent", extentId, detail);
      }
      const miscounted = whyMiscounted(extent);
      if (miscounted !== undefined) {
        found.addExtent("wrong count", extentId, miscounted);
      }
    }
    if (marks) {
      await metadata.write("noteVerified", { verified });
    }
    after = last.extent_id;
  }
  return { extents: count, bytes };
}

function whyMiscounted({ uses, pieces, staged, reach, size }: CheckedExtent): string | undefined {
  const found = (pieces ?? 0) + (staged ?? 0);
  if (uses !== found) {
    return `${uses} uses are noted, and there are ${found}`;
  }
  return reach !== null && reach > size ? `a piece reaches to byte ${reach} of ${size}` : undefined;
}

async function checkRows({ metadata, signal }: CheckOptions, found: Findings): Promise<void> {
  const onBytes = (): Promise<void> => new Promise(setImmediate);
  for await (const damaged of verifyRows({ metadata, onBytes, isStopped: () => signal.aborted })) {
    found.addRow(damaged);
  }
}

/** @returns how many there are */
function checkContents({ metadata, signal }: CheckOptions, found: Findings): number {
  let count = 0;
  for (let after = 0; !signal.aborted;) {
    const page = metadata.read(all(listContents, { after, limit: PAGE }));
    const last = page.at(-1);
    if (last === undefined) {
      break;
    }
    for (const { content_id, uses, blobs } of page) {
      if (uses !== (blobs ?? 0)) {
        found.addContent("wrong count", content_id, `${uses} uses are noted, and there are ${blobs ?? 0}`);
      }
    }
    count += page.length;
    after = last.content_id;
  }
  return count;
}

/** One account at a time: what is noted and what is there are read in one state. */
function checkQuotas({ metadata }: CheckOptions, found: Findings): void {
  for (const { account_id: accountId } of metadata.read(all(listQuotas, {}))) {
    const { name, noted, kept } = metadata.readConsistently(measureQuota(accountId));
    if (noted !== undefined && noted !== kept) {
      found.addAccount(name, `${noted} bytes are noted, and there are ${kept}; setting the quota again counts anew`);
    }
  }
}

function* measureQuota(
  accountId: number,
): Steps<{ readonly name: string; readonly noted: number | undefined; readonly kept: number }> {
  const account = yield* first(getAccountRow, { accountId });
  const quota = yield* first(findQuota, { accountId });
  return { name: account?.name ?? "", noted: quota?.used_bytes, kept: yield* measureAccount(accountId) };
}
