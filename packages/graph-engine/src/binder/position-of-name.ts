import { type Expression, type Position } from "@trefoil/cypher";

/** Where a variable is first mentioned in an expression. */
export function positionOfName(expression: Expression, name: string): Position | undefined {
  return search(expression, name);
}

function search(node: unknown, name: string): Position | undefined {
  if (typeof node !== "object" || node === null) {
    return undefined;
  }
  if (isVariableNode(node) && node.name === name) {
    return node.position;
  }
  for (const child of Object.values(node)) {
    const found = search(child, name);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

function isVariableNode(node: object): node is { readonly name: string; readonly position: Position } {
  return "kind" in node && node.kind === "Variable" && "name" in node && "position" in node;
}
