import { errorBody } from "../protocol/error-response.ts";
import { type Exchange } from "../protocol/exchange.ts";
import { type IdentityError } from "../protocol/identity-error.ts";
import { type IdentityServices } from "../services.ts";

/** What a refusal says at a reply address. (reference §7.4) */
export function refusalParameters(
  { clock, settings }: Pick<IdentityServices, "clock" | "settings">,
  error: IdentityError,
  exchange: Exchange,
): Readonly<Record<string, string>> {
  const { error: word, error_description, error_uri } = errorBody(error, exchange, clock.now(), settings);
  // What is a grant's fault at the token endpoint is none here: somebody could still be asked, or somebody else.
  // (OpenID Connect Core §3.1.2.6)
  const code = word === "invalid_grant" ? "interaction_required" : word;
  // Who cancelled did so on purpose: clients then stay quiet.
  const subcode = error.outermost === 65004 ? { error_subcode: "cancel" } : {};
  return { error: code, ...subcode, error_description, error_uri };
}
