/** A place a traversal has come to, with the way to it: branches share their beginnings. */
export interface Branch {
  readonly parent: Branch | undefined;
  readonly node: number;
  /** By which it was reached; -1 at the start. */
  readonly relationship: number;
  /** Relationships from the start. */
  readonly depth: number;
}

export function startBranch(node: number): Branch {
  return { parent: undefined, node, relationship: -1, depth: 0 };
}

/** The nodes and relationships from the start to this place. */
export function pathOf(branch: Branch): { readonly nodes: number[]; readonly relationships: number[] } {
  const nodes: number[] = [];
  const relationships: number[] = [];
  for (let at: Branch | undefined = branch; at !== undefined; at = at.parent) {
    nodes.unshift(at.node);
    if (at.relationship !== -1) {
      relationships.unshift(at.relationship);
    }
  }
  return { nodes, relationships };
}
