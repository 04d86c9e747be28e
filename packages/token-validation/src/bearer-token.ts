const BEARER = /^bearer +([\w~+/.-]+=*) *$/i;

/**
 * The token of an `Authorization` header.
 *
 * @returns undefined when the header is missing, names another scheme, or holds something that can't be a token
 * @source  RFC 6750 §2.1
 */
export function bearerToken(authorization: string | undefined): string | undefined {
  return BEARER.exec(authorization ?? "")?.[1];
}
