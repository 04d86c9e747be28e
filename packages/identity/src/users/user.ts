/** A person of a tenant. */
export interface User {
  /** Object id: `oid`. */
  readonly id: string;
  readonly tenantId: string;
  /** The sign-in name, `alice@contoso.example`. */
  readonly userPrincipalName: string;
  readonly displayName: string;
  readonly givenName: string | undefined;
  readonly surname: string | undefined;
  readonly mail: string | undefined;
  readonly isEnabled: boolean;
  /** argon2id in PHC form. */
  readonly passwordHash: string | undefined;
  readonly mustChangePassword: boolean;
  /** Grants made before this moment no longer count. */
  readonly sessionsValidFromMs: number;
  readonly createdAtMs: number;
}

/** The directory role that may use the management interface. */
export const ADMINISTRATOR = "Administrator";
