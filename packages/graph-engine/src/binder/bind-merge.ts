import { type Merge, type NodePattern, type PatternPart } from "@trefoil/cypher";
import { alreadyDeclared, type BindContext } from "./bind-context.ts";
import { CreateBinder, type CreatingClause } from "./bind-create.ts";
import { bindPattern } from "./bind-pattern.ts";
import { bindSetItem } from "./bind-set.ts";
import { type BoundMerge, type CreatePattern, type SetItem } from "./bound-query.ts";
import { Scope } from "./scope.ts";
import { type Variable } from "./variable.ts";

/**
 * MERGE: the pattern twice, once to look for and once to make, with the same variables.
 *
 * @param name  CREATE UNIQUE, which is made of these, takes parameters for whole maps
 */
export function bindMerge(
  clause: Merge,
  scope: Scope,
  context: BindContext,
  name: Exclude<CreatingClause, "CREATE"> = "MERGE",
): BoundMerge {
  checkNotConstrainedAgain(clause.pattern, scope, context);
  // What can be made is checked first: its errors are about the pattern itself.
  const create = new CreateBinder(name, new Scope(scope), context);
  create.bindPart(clause.pattern);
  const { pattern, predicates, introduces } = bindPattern([clause.pattern], {
    context,
    scope,
    optional: false,
    newNames: "allowed",
    parameterMaps: name === "CREATE UNIQUE" ? "allowed" : "forbidden",
  });
  const actions = clause.actions.map(({ on, items }) => ({
    on,
    items: items.map((item) => bindSetItem(item, scope, context)),
  }));
  const itemsOn = (event: "create" | "match"): readonly SetItem[] =>
    actions.filter(({ on }) => on === event).flatMap(({ items }) => items);
  return {
    kind: "Merge",
    match: { kind: "Match", optional: false, pattern, predicates, repeatable: false, introduces, hints: [] },
    create: alignedWith(
      create.result(),
      [...pattern.nodes],
      pattern.relationships.map((each) => each.variable),
      pattern.computed,
    ),
    onCreate: itemsOn("create"),
    onMatch: itemsOn("match"),
    onlyMatch: undefined,
  };
}

/** `MATCH (a) MERGE (a)` and `MERGE (a)-[:T]->(a:Label)` say something about what is already there. */
function checkNotConstrainedAgain(part: PatternPart, scope: Scope, context: BindContext): void {
  const nodes = part.path.elements.filter((element): element is NodePattern => element.kind === "NodePattern");
  for (const node of nodes) {
    const known = node.variable !== undefined && scope.find(node.variable.name) !== undefined;
    const constrained = node.labels !== undefined || node.properties !== undefined;
    // Of a chain, 2.3 says so later, when what it makes is bound.
    if (known && node.variable !== undefined && (nodes.length === 1 || (constrained && context.mode !== "2.3"))) {
      throw alreadyDeclared(context, node.variable.name, node.variable.position);
    }
  }
}

/** The two bindings of one pattern meet entity by entity: what is made goes into the variables of the match. */
function alignedWith(
  create: CreatePattern,
  nodes: readonly Variable[],
  relationships: readonly Variable[],
  computed: CreatePattern["paths"],
): CreatePattern {
  const renamed = new Map<Variable, Variable>();
  const matched = new Map(nodes.map((node) => [node.name, node]));
  for (const { variable } of create.nodes) {
    // What has no name is called after its place, in both bindings alike.
    renamed.set(variable, matched.get(variable.name) ?? variable);
  }
  create.relationships.forEach((relationship, index) => {
    const target = relationships[index];
    if (target !== undefined) {
      renamed.set(relationship.variable, target);
    }
  });
  const of = (variable: Variable): Variable => renamed.get(variable) ?? variable;
  return {
    nodes: create.nodes.map((node) => ({ ...node, variable: of(node.variable) })),
    relationships: create.relationships.map((each) => ({
      ...each,
      variable: of(each.variable),
      start: of(each.start),
      end: of(each.end),
    })),
    casts: create.casts,
    paths: computed,
  };
}
