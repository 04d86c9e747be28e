import { type EntityKind } from "../../schema/definitions.ts";

/** What an index was made with: `type` (`exact`, `fulltext`), `provider`, `to_lower_case`. */
export type LegacyConfig = Readonly<Record<string, string>>;

/** Which properties the automatic index of an entity kind follows, and whether it does. */
export interface AutoIndexing {
  readonly enabled: boolean;
  readonly keys: readonly string[];
}

/** One step of a transaction, as the log keeps it. Doing a step again changes nothing, so that a log can be replayed. */
export type LegacyChange =
  | { readonly kind: "create"; readonly entity: EntityKind; readonly index: string; readonly config: LegacyConfig }
  | { readonly kind: "drop"; readonly entity: EntityKind; readonly index: string }
  | LegacyEntryChange
  | { readonly kind: "auto"; readonly entity: EntityKind; readonly auto: AutoIndexing };

export interface LegacyEntryChange {
  readonly kind: "add" | "remove";
  readonly entity: EntityKind;
  readonly index: string;
  readonly id: number;
  readonly key: string;
  readonly value: string;
}

/** The name of the index that follows properties by itself. */
export function autoIndexName(entity: EntityKind): string {
  return `${entity}_auto_index`;
}

export const EXACT_CONFIG: LegacyConfig = { type: "exact", provider: "lucene" };
