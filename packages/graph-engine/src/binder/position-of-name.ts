import { type Expression, type Position } from "@trefoil/cypher";

/** Where a variable is first mentioned in an expression. */
export function positionOfName(expression: Expression, name: string): Position | undefined {
  return search(expression, (variable) => variable.name === name);
}

/** Where an expression first mentions a variable that it does not bring along itself, as `[x IN list | x]` does. */
export function positionOfOuterName(expression: Expression): Position | undefined {
  const own = new Set<string>();
  collectOwn(expression, own);
  return search(expression, (variable) => !own.has(variable.name));
}

interface VariableNode {
  readonly name: string;
  readonly position: Position;
}

function search(node: unknown, matches: (variable: VariableNode) => boolean): Position | undefined {
  if (typeof node !== "object" || node === null) {
    return undefined;
  }
  if (isVariableNode(node) && matches(node)) {
    return node.position;
  }
  for (const child of Object.values(node)) {
    const found = search(child, matches);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

function collectOwn(node: unknown, into: Set<string>): void {
  if (typeof node !== "object" || node === null) {
    return;
  }
  for (const [key, child] of Object.entries(node)) {
    if ((key === "variable" || key === "accumulator") && isVariableNode(child)) {
      into.add(child.name);
    }
    collectOwn(child, into);
  }
}

function isVariableNode(node: unknown): node is VariableNode {
  return (
    typeof node === "object" &&
    node !== null &&
    "kind" in node &&
    node.kind === "Variable" &&
    "name" in node &&
    "position" in node
  );
}
