import { type Application } from "../applications/application.ts";

/** The identity of a hosted application, which gets tokens without a credential of its own. (identity §4.4) */
export interface ManagedIdentity {
  readonly tenantId: string;
  readonly name: string;
  /** The registration behind it: its client id is `appid` of the tokens, its principal `oid` and `sub`. */
  readonly application: Application;
  /** Object id of its service principal. */
  readonly principalId: string;
  /** Client ids of the resources that it may get tokens for; empty for all. */
  readonly resourceAppIds: readonly string[];
  readonly createdAtMs: number;
}
