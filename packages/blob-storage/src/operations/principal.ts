import { type TokenHolder } from "../bearer/authenticate-bearer.ts";
import { type SasGrant } from "../shared-access-signature/sas-grant.ts";

/** Who asks. The holder of an account key may do everything in that account. */
export type Principal =
  | { readonly kind: "account-key" }
  | {
      readonly kind: "sas";
      readonly grant: SasGrant;
      /** Who signed with a delegation key: the signature is worth no more than that one's own rights. */
      readonly delegator?: TokenHolder | undefined;
    }
  | { readonly kind: "token"; readonly holder: TokenHolder }
  | { readonly kind: "anonymous" };
