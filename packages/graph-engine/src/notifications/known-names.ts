import { type GraphStore } from "@trefoil/graph-store";

/** Which names the database knows when a statement is explained. */
export interface KnownNames {
  hasLabel(name: string): boolean;
  hasRelationshipType(name: string): boolean;
  hasPropertyKey(name: string): boolean;
  /** Of nodes with the label. */
  hasIndex(label: string, propertyKeys: readonly string[]): boolean;
  /** Of nodes with the label, on whatever. */
  hasAnyIndex(label: string): boolean;
}

export function knownNamesOf(store: GraphStore): KnownNames {
  const { labels, relationshipTypes, propertyKeys } = store.tokens;
  return {
    hasLabel: (name) => labels.find(name) >= 0,
    hasRelationshipType: (name) => relationshipTypes.find(name) >= 0,
    hasPropertyKey: (name) => propertyKeys.find(name) >= 0,
    hasIndex: (label, keys) => store.schema.indexOn("node", label, keys) !== undefined,
    hasAnyIndex: (label) =>
      store.schema.indexes.some(({ entity, tokens }) => entity === "node" && tokens.includes(label)),
  };
}
