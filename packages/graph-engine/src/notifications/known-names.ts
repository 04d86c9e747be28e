import { type GraphStore, type TokenTables } from "@trefoil/graph-store";

/** Which names the database knows when a statement is explained. */
export interface KnownNames {
  has(kind: keyof TokenTables, name: string): boolean;
  all(kind: keyof TokenTables): Iterable<string>;
  /** Of nodes with the label. */
  hasIndex(label: string, propertyKeys: readonly string[]): boolean;
  /** Of nodes with the label, on whatever. */
  hasAnyIndex(label: string): boolean;
}

export function knownNamesOf(store: GraphStore): KnownNames {
  const { tokens, schema } = store;
  return {
    has: (kind, name) => tokens[kind].find(name) >= 0,
    all: function* (kind) {
      for (let id = 0; id < tokens[kind].size; id += 1) {
        yield tokens[kind].nameOf(id);
      }
    },
    hasIndex: (label, keys) => schema.indexOn("node", label, keys) !== undefined,
    hasAnyIndex: (label) => schema.indexes.some(({ entity, tokens: of }) => entity === "node" && of.includes(label)),
  };
}
