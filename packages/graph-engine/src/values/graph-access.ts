import { type ReadView, type TokenTables } from "@trefoil/graph-store";

/** What is needed to look into nodes and relationships: the statement's view and the names behind its token ids. */
export interface GraphAccess {
  readonly view: ReadView;
  readonly tokens: TokenTables;
}
