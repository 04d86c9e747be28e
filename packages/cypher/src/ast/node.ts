import { type Position } from "../errors.ts";

/** Which language a statement is in (docs/decisions/0001): decided by its prefix, else by the server's setting. */
export type Mode = "modern" | "2.3";

/**
 * What every node of the syntax tree has. A tree is plain readonly data, a union told apart by `kind`; 2.x and modern
 * Cypher parse into the same nodes, and names in it are unquoted and unescaped.
 *
 * A position is where an error about the node points, as the 2.3 server does it: at the operator of a binary or postfix
 * operation (`a ▸+ b`, `x ▸IS NULL`), at the key of a property access (`n.▸age`), at the first character of everything
 * else.
 */
export interface Node<Kind extends string> {
  readonly kind: Kind;
  readonly position: Position;
}
