/**
 * What an account may do, each role including those before it: read; write with labels, types and keys that are known;
 * bring new ones; change the schema; everything.
 */
export const ROLES = ["reader", "editor", "publisher", "architect", "admin"] as const;

export type Role = (typeof ROLES)[number];

export function isRole(text: unknown): text is Role {
  return ROLES.some((role) => role === text);
}

export function includesRole(held: Role, needed: Role): boolean {
  return ROLES.indexOf(held) >= ROLES.indexOf(needed);
}

/** The highest of the roles among `names`, in any case of letters. */
export function highestRole(names: readonly string[]): Role | undefined {
  const held = new Set(names.map((name) => name.toLowerCase()));
  return ROLES.findLast((role) => held.has(role));
}
