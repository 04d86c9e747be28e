import {
  type Create,
  type NodePattern,
  type PatternPart,
  type Position,
  type RelationshipPattern,
  simpleLabels,
  simpleTypes,
} from "@trefoil/cypher";
import {
  alreadyDeclared,
  type BindContext,
  bindExpression,
  createdAgain,
  isConstrained,
  typeConflict,
  valuePlace,
} from "./bind-context.ts";
import { executionFailure } from "../values/query-errors.ts";
import { checkTokenName } from "./token-name.ts";
import { checkNotTheRelationship, directionOf } from "./bind-pattern.ts";
import { type BoundExpression } from "./bound-expression.ts";
import { type Assignment, type BoundCreate, type CreatePattern, type Direction } from "./bound-query.ts";
import { type Scope } from "./scope.ts";
import { anyType, mayBe, nodeType, pathType, relationshipType } from "./static-type.ts";
import { shortestPathName } from "./shortest-path-name.ts";
import { Variable } from "./variable.ts";

/** CREATE; what it makes is declared in `scope`. */
export function bindCreate(clause: Create, scope: Scope, context: BindContext): BoundCreate {
  const binder = new CreateBinder("CREATE", scope, context);
  clause.pattern.forEach((part) => {
    binder.bindPart(part);
  });
  return { kind: "Create", unwinds: binder.unwinds, pattern: binder.result() };
}

/** The clauses that make what their pattern describes. */
export type CreatingClause = "CREATE" | "CREATE UNIQUE" | "MERGE";

/** The pattern of CREATE and, with the variables of its match already there, of MERGE. */
export class CreateBinder {
  readonly #clause: CreatingClause;
  readonly #scope: Scope;
  readonly #context: BindContext;
  readonly #nodes: CreatePattern["nodes"][number][] = [];
  readonly #relationships: CreatePattern["relationships"][number][] = [];
  readonly #casts: Assignment[] = [];
  readonly #paths: Assignment[] = [];
  readonly unwinds: { readonly list: BoundExpression; readonly variable: Variable }[] = [];

  constructor(clause: CreatingClause, scope: Scope, context: BindContext) {
    this.#clause = clause;
    this.#scope = scope;
    this.#context = context;
  }

  bindPart(part: PatternPart): void {
    const { errors } = this.#context;
    if (part.selector !== undefined) {
      throw errors.syntax(
        `${shortestPathName(part.selector)}(...) cannot be used ${this.#context.mode === "2.3" ? "to" : "in"} ${this.#clause}`,
        part.position,
        "InvalidRelationshipPattern",
      );
    }
    const steps: Variable[] = [];
    let pending: RelationshipPattern | undefined;
    const alone = part.path.elements.length === 1;
    for (const element of part.path.elements) {
      if (element.kind === "ParenthesizedPath") {
        throw errors.syntax(
          `Parenthesized paths cannot be used in ${this.#clause}`,
          element.position,
          "InvalidRelationshipPattern",
        );
      }
      if (element.kind === "RelationshipPattern") {
        pending = element;
        continue;
      }
      checkNotTheRelationship(element, pending, this.#scope, this.#context);
      const node = this.#bindNode(element, alone);
      const from = steps.at(-1);
      if (pending !== undefined && from !== undefined) {
        steps.push(this.#bindRelationship(pending, from, node));
      }
      steps.push(node);
    }
    if (part.variable !== undefined) {
      const { name, position } = part.variable;
      if (this.#scope.find(name) !== undefined) {
        throw alreadyDeclared(this.#context, name, position);
      }
      const path = new Variable(name, pathType, false);
      this.#paths.push({ variable: path, expression: { kind: "PathOf", type: pathType, steps } });
      this.#scope.declare(path);
    }
  }

  result(): CreatePattern {
    return { nodes: this.#nodes, relationships: this.#relationships, casts: this.#casts, paths: this.#paths };
  }

  #bindNode(pattern: NodePattern, alone: boolean): Variable {
    const known = pattern.variable === undefined ? undefined : this.#scope.find(pattern.variable.name);
    if (known !== undefined && pattern.variable !== undefined) {
      const constrained = pattern.labels !== undefined || pattern.properties !== undefined;
      if (alone || (constrained && this.#context.mode !== "2.3")) {
        throw alreadyDeclared(this.#context, known.name, pattern.variable.position);
      }
      const node = this.#knownNode(known, pattern);
      if (isConstrained(pattern) && !this.#isMadeLike(known, pattern)) {
        this.#context.laterErrors.push(createdAgain(known.name));
      }
      return node;
    }
    const labels = simpleLabels(pattern.labels);
    if (labels === undefined) {
      throw this.#context.errors.syntax(
        `Label expressions in patterns are not allowed in a ${this.#clause} clause`,
        pattern.labels?.position ?? pattern.position,
        "UnexpectedSyntax",
      );
    }
    labels.forEach(checkTokenName);
    const written = this.#properties(pattern.properties);
    const properties = alone && written?.kind === "Parameter" ? this.#unwound(written, pattern.position) : written;
    const variable =
      pattern.variable === undefined
        ? this.#context.unnamed(nodeType, false, pattern.position)
        : new Variable(pattern.variable.name, nodeType, false);
    this.#nodes.push({ variable, labels, properties });
    this.#scope.declare(variable);
    if (this.#clause === "CREATE") {
      const hasOthers = isConstrained({ ...pattern, labels: undefined });
      this.#context.createdLabels.set(variable, hasOthers ? undefined : labels.join(":"));
    }
    return variable;
  }

  /** 2.3 lets a chain repeat the labels of a node that a CREATE just before has made with them. */
  #isMadeLike(known: Variable, pattern: NodePattern): boolean {
    return (
      this.#clause === "CREATE" &&
      !isConstrained({ ...pattern, labels: undefined }) &&
      this.#context.createdLabels.get(known) === simpleLabels(pattern.labels)?.join(":")
    );
  }

  #unwound(list: BoundExpression, position: Position): BoundExpression {
    const variable = this.#context.unnamed(anyType, true, position);
    this.unwinds.push({ list, variable });
    return { kind: "VariableReference", type: anyType, variable };
  }

  #knownNode(known: Variable, pattern: NodePattern): Variable {
    if (known.type.kind === "node") {
      return known;
    }
    if (!mayBe(known.type, "node")) {
      throw typeConflict(this.#context, known, nodeType, pattern.variable?.position ?? pattern.position);
    }
    const variable = this.#context.unnamed(nodeType, true, pattern.position);
    const operand: BoundExpression = { kind: "VariableReference", type: known.type, variable: known };
    this.#casts.push({ variable, expression: { kind: "AsEntity", type: nodeType, entity: "node", operand } });
    return variable;
  }

  #checkDirection(pattern: RelationshipPattern, direction: Direction): void {
    if (direction === "both" && (this.#clause === "CREATE" || pattern.bothArrows)) {
      throw this.#context.errors.syntax(
        `Only directed relationships are supported in ${this.#clause}`,
        pattern.position,
        "RequiresDirectedRelationship",
      );
    }
  }

  /** 2.3 finds an empty type only when it makes the relationship, and breaks down (measured). */
  #checkTypeName(type: string): void {
    if (type === "" && this.#context.mode === "2.3") {
      throw executionFailure(
        "org.neo4j.kernel.api.exceptions.schema.IllegalTokenNameException: '' is not a valid token name. Only non-null, non-empty strings are allowed.",
      );
    }
    checkTokenName(type);
  }

  #bindRelationship(pattern: RelationshipPattern, from: Variable, to: Variable): Variable {
    const { errors } = this.#context;
    const types = simpleTypes(pattern.types) ?? [];
    if (pattern.length !== undefined || pattern.quantifier !== undefined) {
      throw errors.syntax(
        `Variable length relationships cannot be used in ${this.#clause}`,
        pattern.position,
        "CreatingVarLength",
      );
    }
    if (pattern.variable !== undefined && this.#scope.find(pattern.variable.name) !== undefined) {
      throw alreadyDeclared(this.#context, pattern.variable.name, pattern.variable.position);
    }
    const direction = directionOf(pattern);
    // 2.3 looks at the direction first.
    if (this.#context.mode === "2.3") {
      this.#checkDirection(pattern, direction);
    }
    const [type = ""] = types;
    if (types.length !== 1) {
      const error = errors.syntaxWithPlace(
        `A single relationship type must be specified for ${this.#context.mode === "2.3" ? "CREATE" : this.#clause}`,
        pattern.position,
        "NoSingleRelationshipType",
      );
      if (this.#context.mode !== "2.3") {
        throw error;
      }
      this.#context.laterErrors.push(error);
    } else {
      this.#checkTypeName(type);
    }
    this.#checkDirection(pattern, direction);
    const properties = this.#properties(pattern.properties);
    const variable =
      pattern.variable === undefined
        ? this.#context.unnamed(relationshipType, false, pattern.position)
        : new Variable(pattern.variable.name, relationshipType, false);
    this.#relationships.push({
      variable,
      start: direction === "in" ? to : from,
      end: direction === "in" ? from : to,
      type,
      properties,
    });
    this.#scope.declare(variable);
    return variable;
  }

  #properties(properties: NodePattern["properties"]): BoundExpression | undefined {
    if (properties === undefined) {
      return undefined;
    }
    if (properties.kind === "Parameter" && this.#clause === "MERGE") {
      throw this.#context.errors.syntax(
        'Parameter maps cannot be used in MERGE patterns (use a literal map instead, eg. "{id: {param}.id}")',
        properties.position,
        "InvalidParameterUse",
      );
    }
    return bindExpression(properties, valuePlace(this.#context, this.#scope));
  }
}
