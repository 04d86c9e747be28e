import { first } from "../metadata/steps.ts";
import { type ContainerRow } from "../metadata/tables.ts";
import { type Services } from "../services.ts";
import { type ContainerKey, findContainer } from "./container-statements.ts";

/** The living container of a name: every request looks at one, and few change it. */
export function findRecentContainer(key: ContainerKey, { metadata }: Services): ContainerRow | undefined {
  return metadata.readRecent({ accountId: key.accountId, container: key.name }, () => first(findContainer, key));
}
