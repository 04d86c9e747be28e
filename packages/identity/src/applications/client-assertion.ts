import { constants, type KeyObject, verify } from "node:crypto";
import { IdentityError } from "../protocol/identity-error.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { type Application, type ClientCertificate } from "./application.ts";

/**
 * A client assertion, read but not yet believed: a JWT by which a client proves that it holds the private key of a
 * registered certificate. (identity §2, §4.1, §5.2; RFC 7523 §3; reference §3.1)
 */
export interface ClientAssertion {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  /** What is signed: the first two parts with the dot between them. */
  readonly signedText: string;
  readonly signatureBytes: Uint8Array;
  /** The whole of it, as it came. */
  readonly text: string;
}

/** Whether an `aud` value names this provider; given by who knows the addresses. */
export type AudienceJudge = (audience: string) => boolean;

export interface AssertionContext {
  readonly application: Application;
  readonly tenant: Pick<Tenant, "toleratesLineBreaksInX5c">;
  readonly isOurAudience: AudienceJudge;
  readonly nowMs: number;
}

/** Clocks of clients may be wrong by this much either way. */
const SKEW_MS = 5 * 60_000;

/** What every failure says before it says why: the interface's two codes. (identity §7) */
export const FAILED_CREDENTIAL = [70002, 50064] as const;

function refusal(number: 50027 | 700021 | 700023 | 700024 | 700027, values: Record<string, string>): IdentityError {
  return new IdentityError(number, values, { outer: FAILED_CREDENTIAL });
}

/**
 * Reads an assertion's parts.
 *
 * @throws IdentityError 70002 + 50064 + 50027 when it isn't a JWT in compact form
 */
export function parseClientAssertion(text: string): ClientAssertion {
  const [header, payload, signature, ...more] = text.split(".");
  if (header === undefined || payload === undefined || signature === undefined || more.length > 0) {
    throw refusal(50027, { reason: "it must have three parts joined by dots" });
  }
  if (![header, payload, signature].every((part) => BASE64URL.test(part))) {
    throw refusal(50027, { reason: "its parts must be base64url" });
  }
  return {
    header: jsonObject(header, "header"),
    claims: jsonObject(payload, "payload"),
    signedText: `${header}.${payload}`,
    signatureBytes: Buffer.from(signature, "base64url"),
    text,
  };
}

/**
 * The client that the assertion claims to come from, for requests without a `client_id`; undefined when an outside
 * issuer made it: what that one calls the subject is no client of ours.
 *
 * @throws IdentityError 70002 + 50064 + 700021 when it names nobody
 */
export function claimedClient(assertion: ClientAssertion): string | undefined {
  const { sub, iss } = assertion.claims;
  if (typeof iss === "string" && URL.canParse(iss)) {
    return undefined;
  }
  const claimed = sub ?? iss;
  if (typeof claimed !== "string" || claimed === "") {
    throw refusal(700021, {});
  }
  return claimed;
}

/**
 * Believes an assertion or throws: form of the header, key, signature, certificate's validity, then claims.
 *
 * @throws IdentityError 70002 + 50064 + the specific reason, always `unauthorized_client`
 */
export function verifyClientAssertion(assertion: ClientAssertion, context: AssertionContext): void {
  checkHeader(assertion.header, context);
  checkSignature(assertion, context);
  checkParties(assertion.claims, context);
  checkTimes(assertion.claims, context.nowMs);
}

/** For whom proofs of keys are made: the directory. (reference §11) */
const PROOF_AUDIENCE = "00000002-0000-0000-c000-000000000000";
const PROOF_LIFE_SECONDS = 600;

/**
 * Believes that whoever made an assertion holds the private key of a certificate of the application, or throws. A proof
 * is made by the application's object id for the directory and lives for ten minutes at most.
 *
 * @throws IdentityError 70002 + 50064 + the specific reason
 */
export function verifyKeyProof(proof: ClientAssertion, application: Application, nowMs: number): void {
  checkHeader(proof.header, { application, tenant: { toleratesLineBreaksInX5c: false } });
  checkSignature(proof, { application, nowMs });
  const { iss, aud, nbf, exp } = proof.claims;
  if (typeof iss !== "string" || iss.toLowerCase() !== application.id) {
    throw refusal(700021, {});
  }
  if (aud !== PROOF_AUDIENCE) {
    throw refusal(700023, { audience: String(aud) });
  }
  checkTimes(proof.claims, nowMs);
  const isShort = isTime(nbf) && isTime(exp) && exp - nbf <= PROOF_LIFE_SECONDS;
  if (!isShort) {
    throw refusal(700024, { reason: "a proof lives for ten minutes at most, from nbf to exp" });
  }
}

const BASE64URL = /^[A-Za-z0-9_-]+$/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const LINE_BREAK = /[\r\n]/;

function jsonObject(part: string, name: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return value as Readonly<Record<string, unknown>>;
    }
  } catch {
    // Falls through to the refusal: the parser's words would only repeat the input.
  }
  throw refusal(50027, { reason: `its ${name} must be a JSON object` });
}

function checkHeader(
  header: Readonly<Record<string, unknown>>,
  { application, tenant }: Pick<AssertionContext, "application" | "tenant">,
): void {
  // RFC 7515 §4.1.11: an extension that must be understood and isn't makes the whole signature invalid.
  if ("crit" in header) {
    throw refusal(50027, { reason: "its header requires extensions that are not understood" });
  }
  const isTolerant = application.document.toleratesLineBreaksInX5c || tenant.toleratesLineBreaksInX5c;
  checkCertificateChain(header["x5c"], isTolerant);
}

function checkCertificateChain(x5c: unknown, toleratesLineBreaks: boolean): void {
  if (x5c === undefined) {
    return;
  }
  const chain: readonly unknown[] = Array.isArray(x5c) ? x5c : [x5c];
  for (const entry of chain) {
    if (typeof entry !== "string") {
      throw refusal(50027, { reason: "x5c must hold base64 text" });
    }
    // identity §2, §5.2: line breaks inside x5c make the credential invalid, so refuse instead of cleaning.
    if (LINE_BREAK.test(entry) && !toleratesLineBreaks) {
      throw refusal(50027, {
        reason:
          "x5c holds line breaks, which only the switch toleratesLineBreaksInX5c of the application or the tenant would allow",
      });
    }
    if (!BASE64.test(entry.replace(/[\r\n]/g, ""))) {
      throw refusal(50027, { reason: "x5c is not base64" });
    }
  }
}

type Verifier = (signedText: string, key: KeyObject, signature: Uint8Array) => boolean;

/** The algorithms that count; `none`, the HMAC family and everything else are not in the list. */
const verifiers: Readonly<Record<string, Verifier>> = {
  RS256: (text, key, signature) =>
    verify("sha256", Buffer.from(text), { key, padding: constants.RSA_PKCS1_PADDING }, signature),
  PS256: (text, key, signature) =>
    verify(
      "sha256",
      Buffer.from(text),
      { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST },
      signature,
    ),
};

function checkSignature(assertion: ClientAssertion, context: Pick<AssertionContext, "application" | "nowMs">): void {
  const { alg } = assertion.header;
  const verifier = typeof alg === "string" && Object.hasOwn(verifiers, alg) ? verifiers[alg] : undefined;
  if (verifier === undefined) {
    throw refusal(700027, { reason: `the algorithm must be one of ${Object.keys(verifiers).join(", ")}` });
  }
  const candidates = selectCertificates(assertion.header, context.application.certificates);
  const signer = candidates.find((each) => verifier(assertion.signedText, each.publicKey, assertion.signatureBytes));
  if (signer === undefined) {
    throw refusal(700027, { reason: reasonWithoutSigner(assertion.header, candidates) });
  }
  if (context.nowMs < signer.startsAtMs || context.nowMs >= signer.endsAtMs) {
    throw refusal(700027, { reason: `the certificate ${hex(signer)} is outside its validity period` });
  }
}

function reasonWithoutSigner(
  header: Readonly<Record<string, unknown>>,
  candidates: readonly ClientCertificate[],
): string {
  const [only] = candidates;
  if (only === undefined) {
    const named = asThumbprint(header["x5t#S256"]) ?? asThumbprint(header["x5t"]) ?? "it names";
    return `the certificate ${named} is not registered`;
  }
  return candidates.length === 1 ? `the signature does not match the certificate ${hex(only)}` : "no key matches";
}

function hex(certificate: ClientCertificate): string {
  return Buffer.from(certificate.sha1Thumbprint, "base64url").toString("hex").toUpperCase();
}

/** Picks certificates by what a header member says; `undefined` when the header has no such member. */
type Selector = (header: Readonly<Record<string, unknown>>, certificate: ClientCertificate) => boolean | undefined;

/** In this order, the first member present decides. A key inside the header is never trusted by itself. */
const selectors: readonly Selector[] = [
  (header, certificate) => byThumbprint(header["x5t#S256"], certificate.sha256Thumbprint),
  (header, certificate) => byThumbprint(header["x5t"], certificate.sha1Thumbprint),
  (header, certificate) => byCertificate(header["x5c"], certificate),
  (header, certificate) => byKeyId(header["kid"], certificate),
];

function selectCertificates(
  header: Readonly<Record<string, unknown>>,
  certificates: readonly ClientCertificate[],
): readonly ClientCertificate[] {
  for (const selector of selectors) {
    const judged = certificates.map((certificate) => ({ certificate, fits: selector(header, certificate) }));
    if (judged.some((each) => each.fits !== undefined)) {
      return judged.filter((each) => each.fits === true).map((each) => each.certificate);
    }
  }
  return certificates;
}

function byThumbprint(member: unknown, thumbprint: string): boolean | undefined {
  return member === undefined ? undefined : asThumbprint(member) === thumbprint;
}

/** Some clients write thumbprints in the standard alphabet or with padding. (reference §3.1) */
function asThumbprint(member: unknown): string | undefined {
  return typeof member === "string" ? member.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "") : undefined;
}

function byCertificate(member: unknown, certificate: ClientCertificate): boolean | undefined {
  const leaf: unknown = Array.isArray(member) ? member[0] : member;
  return typeof leaf === "string" ? Buffer.from(leaf, "base64").equals(certificate.der) : undefined;
}

/** Home-made clients put a thumbprint there (hex or base64url), or the id of the key credential. */
function byKeyId(member: unknown, certificate: ClientCertificate): boolean | undefined {
  if (typeof member !== "string") {
    return undefined;
  }
  const names = [certificate.sha1Thumbprint, certificate.sha256Thumbprint];
  const lower = member.toLowerCase();
  return (
    names.includes(asThumbprint(member) ?? "") ||
    names.some((name) => Buffer.from(name, "base64url").toString("hex") === lower) ||
    certificate.id === lower
  );
}

function checkParties(claims: Readonly<Record<string, unknown>>, context: AssertionContext): void {
  const { iss, sub, aud } = claims;
  const isClient = (value: unknown): boolean =>
    typeof value === "string" && value.toLowerCase() === context.application.appId;
  if (!isClient(iss) || !isClient(sub)) {
    throw refusal(700021, {});
  }
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!audiences.some((each) => typeof each === "string" && context.isOurAudience(each))) {
    throw refusal(700023, { audience: audiences.map(String).join(" ") });
  }
}

/** Times are seconds, sometimes with a fraction. (reference §3.1) */
function checkTimes(claims: Readonly<Record<string, unknown>>, nowMs: number): void {
  const { exp, nbf, iat } = claims;
  if (!isTime(exp)) {
    throw refusal(700024, { reason: "exp must be a number of seconds" });
  }
  if (exp * 1000 + SKEW_MS <= nowMs) {
    throw refusal(700024, { reason: "it has expired" });
  }
  for (const [name, value] of Object.entries({ nbf, iat })) {
    if (value !== undefined && !isTime(value)) {
      throw refusal(700024, { reason: `${name} must be a number of seconds` });
    }
    if (isTime(value) && value * 1000 - SKEW_MS > nowMs) {
      throw refusal(700024, { reason: `${name} is in the future` });
    }
  }
}

function isTime(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}
