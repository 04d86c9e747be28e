import { type CorsRule } from "../cors/cors-rules.ts";
import { type EncryptionScopes } from "../encryption/encryption-scope.ts";
import { type ServiceProperties } from "../service-properties/service-properties.ts";
import { type AccountKey } from "../shared-key/account-key.ts";
import { type Website } from "../website/website.ts";

/** A storage account, with its keys opened. Both keys are valid at once, so that one can be replaced at leisure. */
export interface Account {
  readonly id: number;
  readonly name: string;
  readonly keys: readonly [AccountKey, AccountKey];
  readonly createdMs: number;
  /** Whether it exists for callers on this machine only; see development-account.ts. */
  readonly loopbackOnly: boolean;
  readonly settings: AccountSettings;
  /** What it may keep at most; undefined without a limit. */
  readonly quotaBytes: number | undefined;
  /** Keys that its blobs may be encrypted with by name. */
  readonly encryptionScopes: EncryptionScopes;
  readonly properties: ServiceProperties;
  /** Of the properties, as are the next. */
  readonly corsRules: readonly CorsRule[];
  readonly website: Website;
}

/** What an administrator sets for an account; clients cannot. */
export interface AccountSettings {
  /** Whether what is replaced or deleted stays as a previous version (decisions/0108). */
  readonly versioning: boolean;
  /** Whether containers may be opened to everybody. */
  readonly publicAccess: boolean;
}

/** The settings as the row has them; what was never set is as it is by default. */
export function parseSettings(json: string): AccountSettings {
  return { versioning: false, publicAccess: true, ...(JSON.parse(json) as Partial<AccountSettings>) };
}
