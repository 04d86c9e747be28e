/**
 * A tree as plain data without what depends on the layout of its text: positions, the text itself, and the text of
 * columns that have an alias.
 */
export function withoutPositions(tree: unknown): unknown {
  if (Array.isArray(tree)) {
    return tree.map(withoutPositions);
  }
  if (typeof tree !== "object" || tree === null) {
    return tree;
  }
  const node = tree as Record<string, unknown>;
  const isLayout = (key: string): boolean =>
    key === "position" ||
    (key === "text" && (node["kind"] === "Statement" || node["alias"] !== undefined)) ||
    node[key] === undefined;
  return Object.fromEntries(
    Object.keys(node)
      .filter((key) => !isLayout(key))
      .map((key) => [key, key === "deprecatedPlanner" ? true : withoutPositions(node[key])]),
  );
}
