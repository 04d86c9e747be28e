import { type Clause, type SingleQuery } from "@trefoil/cypher";
import { type BindContext } from "./bind-context.ts";

const clauseNames: Readonly<Record<Clause["kind"], string>> = {
  Use: "USE",
  Start: "START",
  Match: "MATCH",
  Unwind: "UNWIND",
  With: "WITH",
  Return: "RETURN",
  Finish: "FINISH",
  Create: "CREATE",
  Merge: "MERGE",
  Set: "SET",
  Remove: "REMOVE",
  Delete: "DELETE",
  Foreach: "FOREACH",
  LoadCsv: "LOAD CSV",
  ProcedureCall: "CALL",
  SubqueryCall: "CALL",
};

const updating: ReadonlySet<Clause["kind"]> = new Set<Clause["kind"]>([
  "Create",
  "Merge",
  "Set",
  "Remove",
  "Delete",
  "Foreach",
]);
const reading: ReadonlySet<Clause["kind"]> = new Set<Clause["kind"]>(["Start", "Match", "Unwind", "LoadCsv"]);

export function isUpdating(clause: Clause): boolean {
  return updating.has(clause.kind);
}

/** RETURN only at the end, something at the end that makes sense there, WITH between updating and reading. */
export function checkClauseOrder(
  query: SingleQuery,
  form: "statement" | "expression subquery" | "call subquery",
  context: BindContext,
): void {
  const { clauses } = query;
  clauses.forEach((clause, index) => {
    const next = clauses[index + 1];
    if (next === undefined) {
      checkLast(clause, form, context);
      return;
    }
    if (clause.kind === "Return" || clause.kind === "Finish") {
      const word = clauseNames[clause.kind];
      throw context.errors.syntax(
        `${word} can only be used at the end of the query`,
        clause.position,
        "InvalidClauseComposition",
      );
    }
    if (
      context.mode === "2.3" &&
      clause.kind === "Match" &&
      clause.optional &&
      next.kind === "Match" &&
      !next.optional
    ) {
      throw context.errors.syntax(
        "MATCH cannot follow OPTIONAL MATCH (perhaps use a WITH clause between them)",
        next.position,
        "InvalidClauseComposition",
      );
    }
    if (context.mode === "2.3" && next.kind === "Start" && clause.kind !== "With") {
      throw context.errors.syntax(
        `WITH is required between ${nameOf(clause)} and START`,
        clause.position,
        "InvalidClauseComposition",
      );
    }
    if (isUpdating(clause) && reading.has(next.kind)) {
      throw context.errors.syntax(
        `WITH is required between ${nameOf(clause)} and ${nameOf(next)}`,
        next.position,
        "InvalidClauseComposition",
      );
    }
  });
}

function checkLast(clause: Clause, form: string, context: BindContext): void {
  const concludes =
    clause.kind === "Return" ||
    clause.kind === "Finish" ||
    isUpdating(clause) ||
    clause.kind === "ProcedureCall" ||
    (clause.kind === "SubqueryCall" && form !== "expression subquery") ||
    (form === "expression subquery" && clause.kind === "Match");
  if (!concludes) {
    throw context.errors.syntax(
      `Query cannot conclude with ${nameOf(clause)} (must be RETURN or an update clause)`,
      clause.position,
      "InvalidClauseComposition",
    );
  }
}

function nameOf(clause: Clause): string {
  return clause.kind === "Create" && clause.unique ? "CREATE UNIQUE" : clauseNames[clause.kind];
}
