/** A set of principals of a tenant: what is given to the group is given to all of them. */
export interface Group {
  /** Object id: what the `groups` claim lists. */
  readonly id: string;
  readonly tenantId: string;
  readonly displayName: string;
  readonly mailNickname: string;
  readonly description: string | undefined;
  readonly createdAtMs: number;
}

export interface NewGroup {
  readonly displayName: string;
  readonly mailNickname?: string | undefined;
  readonly description?: string | undefined;
}

/** What of a group may change; absent members stay, null takes the description away. */
export interface GroupChange {
  readonly displayName?: string | undefined;
  readonly mailNickname?: string | undefined;
  readonly description?: string | null | undefined;
}
