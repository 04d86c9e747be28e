import { ADMINISTRATOR } from "../users/user.ts";

/** The one role there is, by the id that clients know it by: what `wids` lists. (reference §6.3) */
export const ADMINISTRATOR_ROLE_ID = "62e90394-69f5-4237-9190-012177145e10";

/** @param names  as the directory keeps them */
export function roleTemplateIds(names: readonly string[]): readonly string[] {
  return names.includes(ADMINISTRATOR) ? [ADMINISTRATOR_ROLE_ID] : [];
}
