/** A directory: owns users and applications and is the issuer of their tokens. */
export interface Tenant {
  /** GUID in lower case: `tid`. */
  readonly id: string;
  readonly displayName: string;
  /** Lower case, never empty. */
  readonly domains: readonly string[];
  readonly defaultDomain: string;
  /** Key of the pairwise `sub` values. */
  readonly subjectKeyBytes: Uint8Array;
  /** Whether assertions of all its applications may hold line breaks in `x5c`. (rulings, Identity 4) */
  readonly toleratesLineBreaksInX5c: boolean;
  /** Whether all its users need a second factor where they can be asked. */
  readonly requiresSecondFactor: boolean;
  readonly createdAtMs: number;
}
