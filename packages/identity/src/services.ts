import { type Clock } from "@trefoil/base";
import { type ApplicationStore } from "./applications/application-store.ts";
import { type UsedAssertions } from "./applications/used-assertions.ts";
import { type AppRoleAssignmentStore } from "./assignments/app-role-assignment-store.ts";
import { type AuditLog } from "./audit/audit-log.ts";
import { type DirectoryRoleStore } from "./assignments/directory-role-store.ts";
import { type PermissionGrantStore } from "./assignments/permission-grant-store.ts";
import { type FactorStore } from "./factors/factor-store.ts";
import { type FederatedAssertions } from "./federation/federated-assertions.ts";
import { type FederatedCredentialStore } from "./federation/federated-credential-store.ts";
import { type GroupStore } from "./groups/group-store.ts";
import { type PrincipalStore } from "./groups/principal-store.ts";
import { type AuthorizationCodeStore } from "./authorize/authorization-codes.ts";
import { type DeviceCodeStore } from "./device/device-code-store.ts";
import { type ErrorStyle } from "./protocol/error-response.ts";
import { type ManagedIdentityStore } from "./managed-identity/managed-identity-store.ts";
import { type TokenLifetimeStore } from "./lifetimes/token-lifetime-store.ts";
import { type LiveTokens } from "./revocation/live-tokens.ts";
import { type RevokedTokens } from "./revocation/revoked-tokens.ts";
import { type SealedForms } from "./sign-in/sealed-form.ts";
import { type SameSite } from "./sign-in/cookies.ts";
import { type SessionStore } from "./sign-in/session-store.ts";
import { type BackChannelSignOut } from "./sign-out/back-channel-sign-out.ts";
import { type KeyRing } from "./signing-keys/key-ring.ts";
import { type SealingKeys } from "./store/sealing-keys.ts";
import { type TenantStore } from "./tenants/tenant-store.ts";
import { type RefreshTokenStore } from "./tokens/refresh-token-store.ts";
import { type FamiliarPlaces } from "./users/familiar-places.ts";
import { type Lockout } from "./users/lockout.ts";
import { type PasswordHashing } from "./users/password-hashing.ts";
import { type UserStore } from "./users/user-store.ts";

/** What of the configuration the protocol depends on. */
export interface IdentitySettings extends ErrorStyle {
  /** The canonical origin, without a final slash: issuers and metadata name it, never the `Host` header. */
  readonly publicUrl: string;
  /** Every origin under which the provider is reached, as `URL.origin` writes it. */
  readonly origins: ReadonlySet<string>;
  readonly accessTokenSeconds: number;
  readonly refreshTokenSeconds: number;
  /** How long the audit log is kept. */
  readonly auditRetentionDays: number;
  /** Name of the managed identity whose tokens every process of this machine may have; undefined: none. */
  readonly metadataIdentity?: string | undefined;
  /** Of the session cookie; `lax` when absent. */
  readonly sessionSameSite?: SameSite | undefined;
  /** Hosts of outside issuers that may lead to private addresses, in lower case. */
  readonly privateFederationHosts?: ReadonlySet<string> | undefined;
}

/** The parts of the provider that requests are served with. */
export interface IdentityServices {
  readonly settings: IdentitySettings;
  readonly clock: Clock;
  readonly tenants: TenantStore;
  readonly applications: ApplicationStore;
  readonly users: UserStore;
  readonly passwords: PasswordHashing;
  readonly lockout: Lockout;
  readonly places: FamiliarPlaces;
  readonly keys: KeyRing;
  readonly refreshTokens: RefreshTokenStore;
  readonly tokenLifetimes: TokenLifetimeStore;
  readonly authorizationCodes: AuthorizationCodeStore;
  readonly deviceCodes: DeviceCodeStore;
  readonly sessions: SessionStore;
  readonly backChannel: BackChannelSignOut;
  readonly forms: SealedForms;
  readonly groups: GroupStore;
  readonly principals: PrincipalStore;
  readonly appRoleAssignments: AppRoleAssignmentStore;
  readonly permissionGrants: PermissionGrantStore;
  readonly directoryRoles: DirectoryRoleStore;
  readonly audit: AuditLog;
  readonly managedIdentities: ManagedIdentityStore;
  readonly factors: FactorStore;
  readonly sealingKeys: SealingKeys;
  readonly usedAssertions: UsedAssertions;
  readonly federatedCredentials: FederatedCredentialStore;
  readonly federation: FederatedAssertions;
  readonly liveTokens: LiveTokens;
  readonly revokedTokens: RevokedTokens;
}
