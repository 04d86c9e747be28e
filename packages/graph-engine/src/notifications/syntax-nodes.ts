import { type Statement } from "@trefoil/cypher";

type StatementBody = Statement["body"];

/** Any node of the syntax tree; `kind` tells them apart. */
export interface SyntaxNode {
  readonly kind: string;
  readonly position: { readonly offset: number; readonly line: number; readonly column: number };
}

/** Calls `visit` for every node of a statement, outer before inner, in the order of the text. */
export function forEachNode(body: StatementBody, visit: (node: SyntaxNode) => void): void {
  const pending: unknown[] = [body];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (isNode(next)) {
      visit(next);
    }
    if (typeof next === "object" && next !== null) {
      pending.push(
        ...Object.values(next)
          .filter((each) => typeof each === "object" && each !== null)
          .toReversed(),
      );
    }
  }
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && "kind" in value && "position" in value;
}
