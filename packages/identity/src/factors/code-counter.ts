import { type User } from "../users/user.ts";

/**
 * The name under which wrong codes of a user are counted: apart from wrong passwords, since every right password forgets
 * those, and who knows the password must not try codes without end.
 */
export function codeCounter({ userPrincipalName }: User): string {
  return `${userPrincipalName} (codes)`;
}
