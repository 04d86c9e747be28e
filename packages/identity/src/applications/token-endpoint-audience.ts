import { COMMON, ORGANIZATIONS } from "../protocol/parameters.ts";
import { BoundedMap } from "../store/bounded-map.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { type AudienceJudge } from "./client-assertion.ts";

/** What may follow the tenant in an assertion's `aud`: both token endpoints and both issuers. (reference §3.1) */
const PATHS: ReadonlySet<string> = new Set(["oauth2/token", "oauth2/v2.0/token", "v2.0", ""]);

/**
 * Whether an assertion's `aud` is a token endpoint or issuer of ours, with the tenant in any of its spellings. A query
 * says nothing: ADAL for Go leaves `api-version` in it.
 *
 * @param origins  every origin the provider is reached under, lower case: the public one and those of the listeners
 */
export function audienceJudge(
  origins: ReadonlySet<string>,
  { id, domains }: Pick<Tenant, "id" | "domains">,
): AudienceJudge {
  return (audience) => {
    const { origin, segment } = addressOf(audience);
    const isTenant = segment === id || domains.includes(segment) || segment === COMMON || segment === ORGANIZATIONS;
    return isTenant && origins.has(origin);
  };
}

/** Where an audience says that tokens are given out. */
interface Address {
  /** Empty when it isn't written like an address of ours. */
  readonly origin: string;
  /** The tenant, lower case. */
  readonly segment: string;
}

const NOWHERE: Address = { origin: "", segment: "" };

/** A client names the same one each time, and reading it takes a third of what checking the signature does. */
const known = new BoundedMap<Address>(500);
/** Longer ones are read each time. */
const REMEMBERED_LENGTH = 500;

function addressOf(audience: string): Address {
  const remembered = known.get(audience);
  if (remembered !== undefined) {
    return remembered;
  }
  const address = readAddress(audience);
  if (audience.length <= REMEMBERED_LENGTH) {
    known.set(audience, address);
  }
  return address;
}

function readAddress(audience: string): Address {
  const url = URL.canParse(audience) ? new URL(audience) : undefined;
  if (url === undefined || url.hash !== "") {
    return NOWHERE;
  }
  const [segment = "", ...rest] = url.pathname.toLowerCase().replace(/^\//, "").replace(/\/$/, "").split("/");
  return PATHS.has(rest.join("/")) ? { origin: url.origin, segment } : NOWHERE;
}
