import { must } from "@trefoil/base";
import { type ValidatedToken } from "./validated-token.ts";

/** By request: frameworks differ in how they let requests be extended, and none of their types has to be. */
const tokens = new WeakMap<object, ValidatedToken>();

/** The token that a request was let in with. @throws AssertionError behind no middleware of this package */
export function tokenOf(request: object): ValidatedToken {
  return must(tokens.get(request), "a request has a token when the bearer middleware has let it in");
}

export function rememberToken(request: object, token: ValidatedToken): void {
  tokens.set(request, token);
}
