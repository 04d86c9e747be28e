import { perObject } from "../request/per-object.ts";
import { remembered } from "../request/remembered.ts";
import { type SasParameters } from "./sas-parameters.ts";

/** What a service signature is for. */
export interface SignedResource {
  readonly account: string;
  readonly container: string;
  /** Absent for a signature over a whole container. */
  readonly blob?: string | undefined;
}

const OVERRIDES = ["rscc", "rscd", "rsce", "rscl", "rsct"];
const SNAPSHOT_LINES = "2018-11-09";
const ENCRYPTION_SCOPE_LINE = "2020-12-06";

/** The text of an account signature, with its final line feed (storage §4.1). */
export function accountStringToSign(sas: SasParameters, account: string): string {
  return textsOfAccounts(sas)(account);
}

/** The same parameters come in many requests, nearly always for the same account. */
const textsOfAccounts = perObject((sas: SasParameters) => {
  const names = ["sp", "ss", "srt", "st", "se", "sip", "spr", "sv", ...since(sas, ENCRYPTION_SCOPE_LINE, ["ses"])];
  const fields = names.map(sas.value);
  return remembered(4, (account) => [account, ...fields, ""].join("\n"));
});

/** The text of a service signature: its lines grew with the versions (storage §4.1). */
export function serviceStringToSign(sas: SasParameters, resource: SignedResource): string {
  const path = canonicalResource(sas, resource);
  const window = ["sp", "st", "se"].map(sas.value);
  if (sas.version < "2013-08-15") {
    return [...window, path, sas.value("si"), sas.version].join("\n");
  }
  if (sas.version < "2015-04-05") {
    return [...window, path, sas.value("si"), sas.version, ...OVERRIDES.map(sas.value)].join("\n");
  }
  const rest = ["sip", "spr", "sv", ...since(sas, SNAPSHOT_LINES, ["sr"])].map(sas.value);
  return [
    ...window,
    path,
    sas.value("si"),
    ...rest,
    ...since(sas, SNAPSHOT_LINES, [timeOf(sas)]),
    ...since(sas, ENCRYPTION_SCOPE_LINE, [sas.value("ses")]),
    ...OVERRIDES.map(sas.value),
  ].join("\n");
}

/** The text of a user delegation signature (storage §4.1); `srh` and `srq` are signed as the lists they name. */
export function userDelegationStringToSign(sas: SasParameters, resource: SignedResource): string {
  return [
    ...["sp", "st", "se"].map(sas.value),
    canonicalResource(sas, resource),
    ...["skoid", "sktid", "skt", "ske", "sks", "skv"].map(sas.value),
    ...since(sas, "2020-02-10", ["saoid", "suoid", "scid"]).map(sas.value),
    ...since(sas, "2025-07-05", ["skdutid", "sduoid"]).map(sas.value),
    ...["sip", "spr", "sv", "sr"].map(sas.value),
    timeOf(sas),
    ...since(sas, ENCRYPTION_SCOPE_LINE, ["ses"]).map(sas.value),
    ...since(sas, "2026-04-06", ["srh", "srq"]).map(sas.value),
    ...OVERRIDES.map(sas.value),
  ].join("\n");
}

function canonicalResource(sas: SasParameters, { account, container, blob }: SignedResource): string {
  const service = sas.version >= "2015-02-21" ? "/blob" : "";
  return `${service}/${account}/${container}${blob === undefined ? "" : `/${blob}`}`;
}

/** The line of a snapshot's or a version's time, for signatures over one. */
function timeOf(sas: SasParameters): string {
  switch (sas.value("sr")) {
    case "bs":
      return sas.value("snapshot");
    case "bv":
      return sas.value("versionid");
    default:
      return "";
  }
}

function since<T>(sas: SasParameters, version: string, lines: readonly T[]): readonly T[] {
  return sas.version >= version ? lines : [];
}
