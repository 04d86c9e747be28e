import { randomBytes, timingSafeEqual } from "node:crypto";
import { sha256 } from "../store/text-digest.ts";
import { type ClientSecret } from "./application.ts";

/** 256 bits: guessing is hopeless, so a fast digest is enough at rest. */
const SECRET_BYTES = 32;
const HINT_LENGTH = 3;

/** A secret that was just made: the text is shown once and kept nowhere. */
export interface NewSecret {
  readonly text: string;
  readonly hint: string;
  readonly sha256: Buffer;
}

export function createSecret(): NewSecret {
  return secretOf(randomBytes(SECRET_BYTES).toString("base64url"));
}

/** A secret that its owner chose. */
export function secretOf(text: string): NewSecret {
  return { text, hint: text.slice(0, HINT_LENGTH), sha256: sha256(text) };
}

export type SecretJudgement = "right" | "expired" | "wrong";

/** Compares with every secret of the application, in the same time whichever matches. */
export function judgeSecret(secrets: readonly ClientSecret[], presented: string, nowMs: number): SecretJudgement {
  const presentedDigest = sha256(presented);
  const matching = secrets.filter((secret) => timingSafeEqual(secret.sha256, presentedDigest));
  if (matching.length === 0) {
    return "wrong";
  }
  return matching.some((secret) => secret.startsAtMs <= nowMs && nowMs < secret.endsAtMs) ? "right" : "expired";
}
