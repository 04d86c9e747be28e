import { type BoundClause, type BoundMerge } from "../binder/bound-query.ts";
import { type Uses, usesOf } from "../binder/free-variables.ts";
import { type Variable } from "../binder/variable.ts";

const updates: ReadonlySet<BoundClause["kind"]> = new Set<BoundClause["kind"]>(["Set", "Delete", "Foreach"]);

/**
 * The order in which 2.3 carries out updates that stand side by side: all that need nothing made by another of them come
 * first, then what was waiting for these, and so on. So `CREATE (c) SET c.k = a.k DELETE a` deletes before it sets
 * (golden "writes").
 */
export function inLegacyOrder(clauses: readonly BoundClause[]): readonly BoundClause[] {
  const runs: BoundClause[][] = [];
  for (const clause of clauses) {
    const run = runs.at(-1);
    if (run !== undefined && goesOn(run, clause)) {
      run.push(clause);
    } else {
      runs.push([clause]);
    }
  }
  return runs.flatMap((run) => orderRun(run.flatMap(singleUpdates)));
}

/** A run begins with what makes something; the MERGE of a relationship, which also reads, stands alone. */
function goesOn(run: readonly BoundClause[], clause: BoundClause): boolean {
  const last = run.at(-1);
  if (last === undefined) {
    return false;
  }
  const isOpen = updates.has(last.kind) || last.kind === "Create" || (last.kind === "Merge" && isOfOneNode(last));
  return isOpen && (updates.has(clause.kind) || (clause.kind === "Create" && last.kind === "Create"));
}

function isOfOneNode({ create }: BoundMerge): boolean {
  return create.relationships.length === 0;
}

/** Every item of a SET is an update of its own. */
function singleUpdates(clause: BoundClause): readonly BoundClause[] {
  return clause.kind === "Set" ? clause.items.map((item) => ({ kind: "Set", items: [item] })) : [clause];
}

function orderRun(run: readonly BoundClause[]): readonly BoundClause[] {
  if (run.length < 3) {
    return run;
  }
  let waiting = run.map((clause) => ({ clause, uses: usesOf(clause) }));
  const ordered: BoundClause[] = [];
  while (waiting.length > 0) {
    const missing = (uses: Uses): boolean => {
      const others = waiting.filter((each) => each.uses !== uses);
      return others.some((other) => intersects(other.uses.introduced, uses.read));
    };
    const ready = waiting.filter((each) => !missing(each.uses));
    // Two updates cannot wait for each other: each reads what stands before it.
    const next = ready.length === 0 ? waiting : ready;
    ordered.push(...next.map((each) => each.clause));
    waiting = waiting.filter((each) => !next.includes(each));
  }
  return ordered;
}

function intersects(left: ReadonlySet<Variable>, right: ReadonlySet<Variable>): boolean {
  return [...left].some((variable) => right.has(variable));
}
