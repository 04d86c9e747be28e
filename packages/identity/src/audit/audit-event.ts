/** Something that happened and stays on record. */
export interface AuditEvent {
  readonly category: AuditCategory;
  /** What was done, in words that stay the same: `Add application`. */
  readonly activity: string;
  readonly outcome: "success" | "failure";
  readonly tenantId?: string | undefined;
  /** Who did it. */
  readonly actor?: AuditParty | undefined;
  /** What it was done to. */
  readonly target?: AuditParty | undefined;
  /** The client through which somebody signed in. */
  readonly clientAppId?: string | undefined;
  readonly resourceAppId?: string | undefined;
  /** Codes of the refusal, outermost first, or the HTTP status. */
  readonly errorCodes?: readonly number[] | undefined;
  readonly correlationId?: string | undefined;
  readonly ipAddress?: string | undefined;
  /** Further members: the grant, the scopes consented to. Never a secret. */
  readonly details?: Readonly<Record<string, string | readonly string[] | undefined>> | undefined;
}

export const auditCategories = ["sign-in", "consent", "credential", "administration"] as const;
export type AuditCategory = (typeof auditCategories)[number];

/** Ids and names as they were then: the party may be gone when the record is read. */
export interface AuditParty {
  readonly kind: "installation" | "user" | "application" | "group" | "other";
  readonly id?: string | undefined;
  readonly name?: string | undefined;
}

/** An event as it was written down. */
export interface AuditRecord extends AuditEvent {
  /** Sorts in the order of happening. */
  readonly id: string;
  readonly atMs: number;
}
