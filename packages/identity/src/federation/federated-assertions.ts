import { type Clock } from "@trefoil/base";
import type { JSONWebKeySet } from "jose";
import { type Application } from "../applications/application.ts";
import { type ClientAssertion, FAILED_CREDENTIAL } from "../applications/client-assertion.ts";
import { IdentityError } from "../protocol/identity-error.ts";
import { type KeyRing } from "../signing-keys/key-ring.ts";
import { type FederatedCredential } from "./federated-credential.ts";
import { type FederatedCredentialStore } from "./federated-credential-store.ts";
import { type IssuerKeys } from "./issuer-keys.ts";

export interface FederationContext {
  readonly credentials: FederatedCredentialStore;
  readonly issuerKeys: IssuerKeys;
  /** Our own tokens count like those of any other issuer, without a request to ourselves. */
  readonly ownKeys: KeyRing;
  readonly publicUrl: () => string;
  readonly clock: Clock;
}

/** Asymmetric only: a published key must never be taken for a shared secret. (RFC 8725 §3.1) */
const ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"];
const SKEW_SECONDS = 300;

type Reason = 50027 | 50166 | 700024 | 700027 | 700211 | 700212 | 700213;

/** The same outer codes as for every client assertion. (rulings, Identity 4) */
function refusal(number: Reason, values: Record<string, string>, cause?: unknown): IdentityError {
  return new IdentityError(number, values, { outer: FAILED_CREDENTIAL, cause });
}

/**
 * Judges client assertions that an outside issuer signed instead of the client: a workload's token of its own platform.
 * Issuer, subject and audience must be those that the application's federated credential names. (reference §3)
 */
export class FederatedAssertions {
  readonly #context: FederationContext;

  constructor(context: FederationContext) {
    this.#context = context;
  }

  /**
   * @returns false when the assertion isn't about federation: the client signed it itself, or trusts nobody else
   * @throws IdentityError 70002 + 50064 + 700211 issuer, 50166 its keys can't be read, 700027 signature, 700024 time,
   *         700213 subject, 700212 audience
   */
  async verify(assertion: ClientAssertion, application: Application): Promise<boolean> {
    const { iss } = assertion.claims;
    if (typeof iss !== "string" || iss.toLowerCase() === application.appId) {
      return false;
    }
    const credentials = await this.#context.credentials.of(application.id);
    if (credentials.length === 0) {
      return false;
    }
    const trusted = credentials.filter((each) => each.issuer === iss);
    if (trusted.length === 0) {
      throw refusal(700211, { issuer: iss });
    }
    // The signature first: who made the assertion up learns nothing about what else the application trusts.
    await this.#verifySignature(assertion, iss);
    checkTerms(assertion.claims, trusted);
    return true;
  }

  async #verifySignature(assertion: ClientAssertion, issuer: string): Promise<void> {
    const jose = await import("jose");
    const keys = await this.#keysOf(issuer, assertion.header["kid"]);
    try {
      await jose.jwtVerify(assertion.text, jose.createLocalJWKSet(keys), {
        algorithms: ALGORITHMS,
        issuer,
        clockTolerance: SKEW_SECONDS,
        currentDate: new Date(this.#context.clock.now()),
        requiredClaims: ["exp"],
      });
    } catch (error) {
      if (error instanceof jose.errors.JWTExpired || error instanceof jose.errors.JWTClaimValidationFailed) {
        throw refusal(700024, { reason: `the claim ${error.claim} is not acceptable` }, error);
      }
      throw refusal(700027, { reason: "it does not match a key of its issuer" }, error);
    }
  }

  async #keysOf(issuer: string, keyId: unknown): Promise<JSONWebKeySet> {
    const { ownKeys, issuerKeys, publicUrl } = this.#context;
    if (issuer.startsWith(`${publicUrl()}/`)) {
      return { keys: ownKeys.published().map((key) => ({ ...key, x5c: [...key.x5c], alg: "RS256" })) };
    }
    try {
      return await issuerKeys.of(issuer, keyId);
    } catch (error) {
      throw refusal(50166, { issuer, reason: error instanceof Error ? error.message : "unknown" }, error);
    }
  }
}

function checkTerms(claims: Readonly<Record<string, unknown>>, trusted: readonly FederatedCredential[]): void {
  const { sub, aud } = claims;
  const ofSubject = trusted.filter((each) => each.subject === sub);
  if (ofSubject.length === 0) {
    throw refusal(700213, { subject: String(sub) });
  }
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!ofSubject.some((each) => each.audiences.some((audience) => audiences.includes(audience)))) {
    throw refusal(700212, { audience: audiences.map(String).join(" ") });
  }
}
