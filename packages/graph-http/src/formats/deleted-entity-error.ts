import { GraphRequestError } from "../errors.ts";

/**
 * A row holds an entity that its own transaction has deleted: there is nothing to show of it. What was written of the
 * row so far stays in the answer (graph-measured: `DELETE n … RETURN n`).
 */
export class DeletedEntityError extends GraphRequestError {
  readonly kind: "node" | "relationship";
  readonly id: number;

  constructor(kind: "node" | "relationship", id: number) {
    super("DatabaseError.Statement.ExecutionFailure", `${kind === "node" ? "Node" : "Relationship"} not found`);
    this.kind = kind;
    this.id = id;
  }
}

/**
 * A deleted entity in the format `rest`, where the 2.3 server lost its place in the answer and left it open, so that
 * clients find no JSON in it (golden "formats"). Only in 2.3.
 */
export class UnfinishedRestError extends GraphRequestError {
  constructor() {
    super("TransientError.Network.UnknownFailure", "Current context not an ARRAY but OBJECT");
  }
}
