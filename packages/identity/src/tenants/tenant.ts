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
  readonly createdAtMs: number;
}
