import { type JWTPayload } from "jose";

/** An access token that was believed, with the names of both versions brought together. */
export interface ValidatedToken {
  readonly version: 1 | 2;
  readonly tenantId: string;
  /** Object id of the user, or of the application's principal. */
  readonly objectId: string;
  /** Pairwise for users: another value for every resource. */
  readonly subject: string;
  /** The calling application's client id. */
  readonly clientId: string;
  /** Whether the application acts for itself, without a user. */
  readonly isApplication: boolean;
  /** Sign-in name of the user, for display only. */
  readonly userName: string | undefined;
  /** What the user lets the application do; empty without a user. */
  readonly scopes: readonly string[];
  readonly roles: readonly string[];
  readonly expiresAtSeconds: number;
  readonly claims: JWTPayload;
}

/** @returns undefined when the claims are not those of an access token (an id token names no caller) */
export function readValidatedToken(claims: JWTPayload): ValidatedToken | undefined {
  const text = (name: string): string | undefined => {
    const value = claims[name];
    return typeof value === "string" ? value : undefined;
  };
  const clientId = text("azp") ?? text("appid");
  const tenantId = text("tid");
  const objectId = text("oid");
  const scope = text("scp");
  if (clientId === undefined || tenantId === undefined || objectId === undefined || claims.exp === undefined) {
    return undefined;
  }
  return {
    version: text("ver") === "2.0" ? 2 : 1,
    tenantId,
    objectId,
    subject: claims.sub ?? objectId,
    clientId,
    isApplication: scope === undefined,
    userName: text("preferred_username") ?? text("upn"),
    scopes: scope?.split(" ").filter((name) => name !== "") ?? [],
    roles: Array.isArray(claims["roles"]) ? claims["roles"].filter((role) => typeof role === "string") : [],
    expiresAtSeconds: claims.exp,
    claims,
  };
}
