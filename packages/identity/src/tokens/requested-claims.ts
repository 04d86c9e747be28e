import { IdentityError } from "../protocol/identity-error.ts";
import { CLAIMS } from "../protocol/parameters.ts";

/** What one member of a `claims` parameter says about a claim. (OpenID Connect Core §5.5.1) */
export interface ClaimRequest {
  readonly isEssential: boolean;
  /** The values that would do; undefined: any. */
  readonly values: readonly unknown[] | undefined;
}

/** A `claims` parameter: claims by name that the client wants in one kind of token. (OpenID Connect Core §5.5) */
export interface RequestedClaims {
  readonly idToken: ReadonlyMap<string, ClaimRequest>;
  /** Of the identity platform, beyond the standard: what the client can do, and what a resource demanded. */
  readonly accessToken: ReadonlyMap<string, ClaimRequest>;
}

export const NO_CLAIMS: RequestedClaims = { idToken: new Map(), accessToken: new Map() };

/** Far above any use; what is stored with a code is bounded by it. */
const LENGTH_LIMIT = 4_096;
/** The one class of authentication there is. (reference §6.3) */
export const AUTHENTICATION_CLASS = "1";

/**
 * Reads a `claims` parameter. Members and claims that mean nothing here are passed over; userinfo answers with all it
 * has in any case.
 *
 * @throws IdentityError 90023 when it isn't a JSON object of objects, 9002335 when it demands a way of signing in that
 *         there isn't
 */
export function readRequestedClaims(text: string | undefined): RequestedClaims {
  if (text === undefined) {
    return NO_CLAIMS;
  }
  const members = text.length <= LENGTH_LIMIT ? parse(text) : undefined;
  if (members === undefined) {
    throw malformed(`it must be a JSON object of at most ${LENGTH_LIMIT} characters`);
  }
  const claims = {
    idToken: readMember("id_token", members["id_token"]),
    accessToken: readMember("access_token", members["access_token"]),
  };
  readMember("userinfo", members["userinfo"]);
  refuseUnmet(claims);
  return claims;
}

/** Both requests of one sign-in count; about the same claim the later one does. */
export function mergeClaims(before: RequestedClaims, later: RequestedClaims): RequestedClaims {
  if (before === NO_CLAIMS || later === NO_CLAIMS) {
    return before === NO_CLAIMS ? later : before;
  }
  return {
    idToken: new Map([...before.idToken, ...later.idToken]),
    accessToken: new Map([...before.accessToken, ...later.accessToken]),
  };
}

/** The value that a claim must have, when exactly one would do. */
export function demandedText(requests: ReadonlyMap<string, ClaimRequest>, name: string): string | undefined {
  const [value, ...more] = requests.get(name)?.values ?? [];
  return typeof value === "string" && more.length === 0 ? value : undefined;
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    // The parser's words would only repeat the input.
    return undefined;
  }
}

function readMember(member: string, value: unknown): ReadonlyMap<string, ClaimRequest> {
  if (value === undefined || value === null) {
    return new Map();
  }
  if (!isObject(value)) {
    throw malformed(`'${member}' must be an object`);
  }
  return new Map(Object.entries(value).map(([name, request]) => [name, readRequest(`${member}.${name}`, request)]));
}

/** `null` asks for the claim without more. */
function readRequest(path: string, value: unknown): ClaimRequest {
  if (value === null) {
    return { isEssential: false, values: undefined };
  }
  if (!isObject(value) || (value["values"] !== undefined && !Array.isArray(value["values"]))) {
    throw malformed(`'${path}' must be null or an object whose 'values' is a list`);
  }
  const values: readonly unknown[] | undefined = Array.isArray(value["values"]) ? value["values"] : undefined;
  return {
    isEssential: value["essential"] === true,
    values: value["value"] === undefined ? values : [value["value"]],
  };
}

/**
 * A way of signing in that a client can't do without and we don't have: to go on without would give tokens that the
 * client must not accept. (OpenID Connect Core §5.5.1.1)
 */
function refuseUnmet({ idToken, accessToken }: RequestedClaims): void {
  for (const requests of [idToken, accessToken]) {
    const contexts = requests.get("acrs");
    const classes = requests.get("acr");
    const isUnmet = classes?.values?.includes(AUTHENTICATION_CLASS) === false && classes.isEssential;
    if (contexts?.isEssential === true || isUnmet) {
      const values = (contexts?.values ?? classes?.values ?? []).map(String).join(" ");
      throw new IdentityError(9002335, { values });
    }
  }
}

function malformed(reason: string): IdentityError {
  return new IdentityError(90023, { name: CLAIMS, reason });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
