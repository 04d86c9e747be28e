import { type SasGrant } from "../shared-access-signature/sas-grant.ts";

/** Who asks. The holder of an account key may do everything in that account. */
export type Principal =
  | { readonly kind: "account-key" }
  | { readonly kind: "sas"; readonly grant: SasGrant }
  | { readonly kind: "anonymous" };
