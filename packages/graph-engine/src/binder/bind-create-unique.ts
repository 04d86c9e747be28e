import { must } from "@trefoil/base";
import {
  type Create,
  type NodePattern,
  type PatternPart,
  QueryError,
  type RelationshipPattern,
  simpleTypes,
} from "@trefoil/cypher";
import { alreadyDeclared, type BindContext, createdAgain, isConstrained } from "./bind-context.ts";
import { bindMerge } from "./bind-merge.ts";
import { type BoundClause } from "./bound-query.ts";
import { type Scope } from "./scope.ts";
import { pathType } from "./static-type.ts";
import { shortestPathName } from "./shortest-path-name.ts";
import { Variable } from "./variable.ts";

interface Hop {
  readonly part: PatternPart;
  readonly left: NodePattern;
  readonly relationship: RelationshipPattern;
  readonly right: NodePattern;
}

interface Part {
  readonly part: PatternPart;
  readonly nodes: readonly NodePattern[];
  readonly hops: readonly Hop[];
}

/**
 * CREATE UNIQUE: from what is bound along the pattern, each relationship with the node at its other end is looked for
 * and made where it is missing.
 *
 *     CREATE UNIQUE (a)-[:R]->(x {k: 1})-[:S]->(y)    →    MERGE (a)-[:R]->(x {k: 1}) MERGE (x)-[:S]->(y)
 *
 * It goes in rounds: in each, whatever touches what was bound before it (measured).
 *
 * @throws  InvalidSemantics "Unbound pattern!" when nothing in it is bound
 */
export function bindCreateUnique(clause: Create, scope: Scope, context: BindContext): readonly BoundClause[] {
  const described = new Map<string, NodePattern>();
  clause.pattern.forEach((part) => {
    describeNodes(part, scope, described);
  });
  const parts = clause.pattern.map((part) => ({ part, ...named(part, context) }));
  for (const part of parts) {
    checkPart(part, described, scope, context);
  }
  const clauses: BoundClause[] = [];
  let open = parts.flatMap(({ hops }) => hops);
  while (open.length > 0) {
    const round = open
      .map((hop) => ({ hop, isLeftKnown: isKnown(hop.left, scope), isRightKnown: isKnown(hop.right, scope) }))
      .filter(({ isLeftKnown, isRightKnown }) => isLeftKnown || isRightKnown);
    if (round.length === 0) {
      throw unboundPattern();
    }
    for (const each of round) {
      clauses.push(bindHop(each.hop, leavesRight(each), described, scope, context));
    }
    const done = new Set(round.map(({ hop }) => hop));
    open = open.filter((hop) => !done.has(hop));
  }
  return [...clauses, ...parts.flatMap((part) => pathClauses(part, scope, context))];
}

/**
 * Where the pattern leaves the direction open, the relationship leaves the new node; of two that are there, the left
 * one of a path with a name, else the one whose name comes first (measured).
 */
function leavesRight({
  hop,
  isLeftKnown,
  isRightKnown,
}: {
  readonly hop: Hop;
  readonly isLeftKnown: boolean;
  readonly isRightKnown: boolean;
}): boolean {
  const { left, right } = hop;
  return isLeftKnown && isRightKnown ? hop.part.variable === undefined && nameOf(right) < nameOf(left) : isLeftKnown;
}

function nameOf(node: NodePattern): string {
  return must(node.variable, "every node was given a name").name;
}

/** A new node may be described anywhere in the clause, its properties once. @throws InvalidSyntax */
function describeNodes({ path }: PatternPart, scope: Scope, described: Map<string, NodePattern>): void {
  for (const node of path.elements) {
    if (node.kind !== "NodePattern" || node.variable === undefined || isKnown(node, scope)) {
      continue;
    }
    const { name } = node.variable;
    const before = described.get(name);
    if (before?.properties !== undefined && node.properties !== undefined) {
      const message = `\`${name}\` can't have properties assigned to it more than once in the CREATE UNIQUE statement`;
      throw new QueryError("ClientError.Statement.InvalidSyntax", message, { phase: "compile time" });
    }
    described.set(name, {
      ...node,
      labels: node.labels ?? before?.labels,
      properties: node.properties ?? before?.properties,
    });
  }
}

function checkPart(
  { part, nodes, hops }: Part,
  described: ReadonlyMap<string, NodePattern>,
  scope: Scope,
  context: BindContext,
): void {
  if (part.selector !== undefined) {
    const message = `${shortestPathName(part.selector)}(...) cannot be used to CREATE`;
    throw context.errors.syntax(message, part.position, "InvalidRelationshipPattern");
  }
  const isOfClause = (node: NodePattern): boolean => described.has(node.variable?.name ?? "");
  const again = nodes.find((node) => isKnown(node, scope) && !isOfClause(node) && isConstrained(node));
  if (again?.variable !== undefined && hops.length > 0) {
    context.laterErrors.push(createdAgain(again.variable.name));
  }
  const [first] = nodes;
  if (hops.length === 0 && first?.variable !== undefined) {
    throw isKnown(first, scope)
      ? alreadyDeclared(context, first.variable.name, first.variable.position)
      : unsupportedPattern();
  }
}

function bindHop(
  hop: Hop,
  isTurned: boolean,
  described: ReadonlyMap<string, NodePattern>,
  scope: Scope,
  context: BindContext,
): BoundClause {
  const { part, left, relationship, right } = hop;
  checkRelationship(relationship, context);
  const whole = (node: NodePattern): NodePattern =>
    bare({ ...(described.get(nameOf(node)) ?? node), variable: node.variable }, scope);
  const elements = [whole(left), { ...relationship, bothArrows: false }, whole(right)];
  const pattern: PatternPart = { ...part, variable: undefined, path: { ...part.path, elements } };
  const merge = bindMerge(
    { kind: "Merge", position: relationship.position, pattern, actions: [] },
    scope,
    context,
    "CREATE UNIQUE",
  );
  const { create } = merge;
  const relationships = create.relationships.map((made) =>
    relationship.direction === "both" && isTurned ? { ...made, start: made.end, end: made.start } : made,
  );
  return { ...merge, create: { ...create, relationships }, onlyMatch: hopText(hop) };
}

function checkRelationship({ length, types, position }: RelationshipPattern, context: BindContext): void {
  if (length !== undefined) {
    throw context.errors.syntax(
      "Variable length relationships cannot be used in CREATE",
      position,
      "CreatingVarLength",
    );
  }
  if (simpleTypes(types)?.length !== 1) {
    throw unsupportedPattern();
  }
}

/** A hop as messages show it, what has no name by its place: ``(a)-[`r`:`R`]->(x)``, ``(a)-[57:`R`]-(x)`` (measured). */
function hopText(hop: Hop): string {
  const { relationship, part } = hop;
  const isTurned =
    relationship.direction === "incoming" ||
    (relationship.direction === "both" && part.variable === undefined && nameOf(hop.right) < nameOf(hop.left));
  const [first, second] = isTurned ? [hop.right, hop.left] : [hop.left, hop.right];
  const node = (each: NodePattern): string => `(${placeOf(nameOf(each)) ?? nameOf(each)})`;
  const name = must(relationship.variable, "every relationship was given a name").name;
  const types = (simpleTypes(relationship.types) ?? []).map((type) => `\`${type}\``).join("|");
  const arrow = relationship.direction === "both" ? "-" : "->";
  return `${node(first)}-[${placeOf(name) ?? `\`${name}\``}:${types}]${arrow}${node(second)}`;
}

const UNNAMED = "  UNNAMED";

function placeOf(name: string): string | undefined {
  return name.startsWith(UNNAMED) ? name.slice(UNNAMED.length) : undefined;
}

/** Every node and relationship with a name, so that hops can meet. */
function named(
  part: PatternPart,
  context: BindContext,
): { readonly nodes: readonly NodePattern[]; readonly hops: readonly Hop[] } {
  const nodes: NodePattern[] = [];
  const hops: Hop[] = [];
  let pending: RelationshipPattern | undefined;
  for (const element of part.path.elements) {
    if (element.kind === "ParenthesizedPath") {
      throw context.errors.unsupported("A parenthesized path in CREATE UNIQUE", element.position);
    }
    const { position } = element;
    const variable = element.variable ?? { kind: "Variable", position, name: `${UNNAMED}${position.offset}` };
    if (element.kind === "RelationshipPattern") {
      pending = { ...element, variable };
      continue;
    }
    const node: NodePattern = { ...element, variable };
    const left = nodes.at(-1);
    if (pending !== undefined && left !== undefined) {
      hops.push({ part, left, relationship: pending, right: node });
    }
    nodes.push(node);
  }
  return { nodes, hops };
}

function isKnown(node: NodePattern, scope: Scope): boolean {
  return node.variable !== undefined && scope.find(node.variable.name) !== undefined;
}

/** What is there already is not described again. */
function bare(node: NodePattern, scope: Scope): NodePattern {
  return isKnown(node, scope) ? { ...node, labels: undefined, properties: undefined, where: undefined } : node;
}

function pathClauses({ part, nodes, hops }: Part, scope: Scope, context: BindContext): readonly BoundClause[] {
  if (part.variable === undefined) {
    return [];
  }
  const { name, position } = part.variable;
  if (scope.find(name) !== undefined) {
    throw alreadyDeclared(context, name, position);
  }
  const found = (each: NodePattern | RelationshipPattern): Variable =>
    must(scope.find(each.variable?.name ?? ""), "every step was matched or made");
  const steps = nodes.flatMap((node, index) => {
    const hop = hops[index - 1];
    return hop === undefined ? [found(node)] : [found(hop.relationship), found(node)];
  });
  const path = new Variable(name, pathType, false);
  scope.declare(path);
  const pattern = {
    nodes: [],
    relationships: [],
    shortestPaths: [],
    computed: [{ variable: path, expression: { kind: "PathOf", type: pathType, steps } as const }],
    casts: [],
  };
  return [
    { kind: "Match", optional: false, pattern, predicates: [], repeatable: false, hints: [], introduces: [path] },
  ];
}

function unsupportedPattern(): QueryError {
  return new QueryError("ClientError.Statement.InvalidSemantics", "This pattern is not supported for CREATE UNIQUE", {
    phase: "compile time",
  });
}

function unboundPattern(): QueryError {
  return new QueryError("ClientError.Statement.InvalidSemantics", "Unbound pattern!", {
    phase: "compile time",
    tckDetail: "UndefinedVariable",
  });
}
