import { type ReadView, type TokenTables } from "@trefoil/graph-store";

/** What is needed to look into nodes and relationships: the statement's view and the names behind its token ids. */
export interface GraphAccess {
  readonly view: ReadView;
  readonly tokens: TokenTables;
  /** Whether no value can come from a parameter: 2.3's messages call integers `Long` then. */
  readonly withoutParameters?: boolean | undefined;
}
