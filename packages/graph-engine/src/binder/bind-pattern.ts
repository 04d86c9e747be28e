import {
  type LabelExpression,
  type MapLiteral,
  type NodePattern,
  type Parameter,
  type PathPattern,
  type PatternPart,
  type Position,
  type RelationshipPattern,
  simpleTypes,
} from "@trefoil/cypher";
import {
  alreadyDeclared,
  type BindContext,
  bindPredicate,
  typeConflict,
  undefinedVariable,
  valuePlace,
} from "./bind-context.ts";
import { type BoundExpression } from "./bound-expression.ts";
import {
  type Assignment,
  type BoundPattern,
  type Direction,
  type PathLength,
  type PatternRelationship,
  type PatternShortestPath,
} from "./bound-query.ts";
import { labelConditions, mapCondition, parameterMap, propertyConditions } from "./pattern-conditions.ts";
import { checkRepeatedRelationships } from "./repeated-relationships.ts";
import { type Scope } from "./scope.ts";
import { shortestPathName } from "./shortest-path-name.ts";
import { booleanType, listOf, nodeType, pathType, relationshipType } from "./static-type.ts";
import { Variable } from "./variable.ts";

/** Where a pattern stands. */
export interface PatternPlace {
  readonly context: BindContext;
  /** Variables of before; those the pattern brings are declared in it, so that later parts see them. */
  readonly scope: Scope;
  /** Found by OPTIONAL MATCH: what the pattern brings may be null. */
  readonly optional: boolean;
  /** A pattern used as predicate must not bring names of its own. */
  readonly newNames: "allowed" | "forbidden";
  /** A parameter may stand for a whole map of properties. */
  readonly parameterMaps?: "allowed" | "forbidden" | undefined;
}

export interface PatternResult {
  readonly pattern: BoundPattern;
  readonly predicates: readonly BoundExpression[];
  readonly introduces: readonly Variable[];
}

/**
 * A pattern of MATCH, MERGE or a subquery as nodes, relationships and predicates. Labels and property maps become
 * predicates like those of WHERE, so that the planner has one list to draw from.
 */
export function bindPattern(parts: readonly PatternPart[], place: PatternPlace): PatternResult {
  const binder = new PatternBinder(place);
  parts.forEach((part) => {
    binder.bindPart(part);
  });
  checkRepeatedRelationships(parts, place.context);
  return binder.result();
}

/** A chain of a pattern without path variable or selector, as pattern expressions have it. */
export function bindPathPattern(
  path: PathPattern,
  variable: { readonly name: string; readonly position: Position } | undefined,
  place: PatternPlace,
): PatternResult {
  return bindPattern(
    [
      {
        kind: "PatternPart",
        position: path.position,
        variable: variable === undefined ? undefined : { kind: "Variable", ...variable },
        selector: undefined,
        path,
      },
    ],
    place,
  );
}

/** `(a)-[r]->(r)`: 2.3 meets the relationship first. */
export function checkNotTheRelationship(
  { variable }: NodePattern,
  relationship: RelationshipPattern | undefined,
  scope: Scope,
  context: BindContext,
): void {
  const name = relationship?.variable?.name;
  if (context.mode === "2.3" && name !== undefined && variable?.name === name && scope.find(name) === undefined) {
    const type = relationship?.length === undefined ? relationshipType : listOf(relationshipType);
    throw typeConflict(context, new Variable(name, type, false), nodeType, variable.position);
  }
}

export function directionOf(relationship: RelationshipPattern): Direction {
  return relationship.direction === "outgoing" ? "out" : relationship.direction === "incoming" ? "in" : "both";
}

class PatternBinder {
  readonly #place: PatternPlace;
  readonly #nodes: Set<Variable> = new Set<Variable>();
  readonly #relationships: PatternRelationship[] = [];
  readonly #shortestPaths: PatternShortestPath[] = [];
  readonly #computed: Assignment[] = [];
  readonly #casts: Assignment[] = [];
  readonly #predicates: BoundExpression[] = [];
  readonly #introduces: Variable[] = [];
  readonly #castByName: Map<string, Variable> = new Map<string, Variable>();
  /** Map and WHERE of a node are bound after all names are known: `({p: r.p})-[r]->()`. */
  readonly #later: (() => void)[] = [];

  constructor(place: PatternPlace) {
    this.#place = place;
  }

  bindPart(part: PatternPart): void {
    const { context, scope } = this.#place;
    if (
      part.selector !== undefined &&
      part.selector.kind !== "ShortestPathFunction" &&
      part.selector.kind !== "AllPaths"
    ) {
      throw context.errors.unsupported("A path selector such as SHORTEST or ANY", part.selector.position);
    }
    if (part.selector?.kind === "ShortestPathFunction" && part.path.elements.length !== 3) {
      throw context.errors.syntax(
        `${shortestPathName(part.selector)}(...) requires a pattern containing a single relationship`,
        part.selector.position,
        "InvalidRelationshipPattern",
      );
    }
    const steps = this.#bindChain(part.path, part.selector?.kind === "ShortestPathFunction" ? part : undefined);
    if (part.variable !== undefined && part.selector?.kind !== "ShortestPathFunction") {
      const path = this.#declarePath(part.variable.name, part.variable.position);
      this.#computed.push({ variable: path, expression: { kind: "PathOf", type: pathType, steps } });
      scope.declare(path);
    }
  }

  result(): PatternResult {
    this.#later.forEach((bind) => {
      bind();
    });
    return {
      pattern: {
        nodes: [...this.#nodes],
        relationships: this.#relationships,
        shortestPaths: this.#shortestPaths,
        computed: this.#computed,
        casts: this.#casts,
      },
      predicates: this.#predicates,
      introduces: this.#introduces,
    };
  }

  #bindChain(path: PathPattern, shortest: PatternPart | undefined): readonly Variable[] {
    const { context } = this.#place;
    const steps: Variable[] = [];
    let pending: RelationshipPattern | undefined;
    for (const element of path.elements) {
      if (element.kind === "ParenthesizedPath") {
        throw context.errors.unsupported("A quantified path pattern", element.position);
      }
      if (element.kind === "RelationshipPattern") {
        pending = element;
        continue;
      }
      checkNotTheRelationship(element, pending, this.#place.scope, context);
      const node = this.#bindNode(element);
      const from = steps.at(-1);
      if (pending !== undefined && from !== undefined) {
        steps.push(
          shortest === undefined
            ? this.#bindRelationship(pending, from, node)
            : this.#bindShortestPath(shortest, pending, from, node),
        );
      }
      steps.push(node);
    }
    return steps;
  }

  // ------------------------------------------------------------------------------------------------------------ nodes

  #bindNode(pattern: NodePattern): Variable {
    const node = this.#nodeVariable(pattern);
    this.#nodes.add(node);
    const { labels, properties, where } = pattern;
    const reference: BoundExpression = { kind: "VariableReference", type: node.type, variable: node };
    this.#constrain(reference, labels, properties, where);
    return node;
  }

  #nodeVariable(pattern: NodePattern): Variable {
    const { context, scope } = this.#place;
    if (pattern.variable === undefined) {
      return this.#introduce(context.unnamed(nodeType, this.#place.optional, pattern.position));
    }
    const { name, position } = pattern.variable;
    const known = scope.find(name);
    if (known === undefined) {
      this.#checkNewName(name, position);
      return this.#introduce(new Variable(name, nodeType, this.#place.optional));
    }
    return this.#entity(known, "node", position);
  }

  /** The variable itself, or a cast of one whose type is not known before it runs. */
  #entity(known: Variable, entity: "node" | "relationship", position: Position): Variable {
    const { context } = this.#place;
    if (known.type.kind === entity) {
      return known;
    }
    if (known.type.kind !== "any" && known.type.kind !== "null") {
      throw typeConflict(context, known, entity === "node" ? nodeType : relationshipType, position);
    }
    const cast = this.#castByName.get(known.name);
    if (cast !== undefined) {
      return cast;
    }
    const type = entity === "node" ? nodeType : relationshipType;
    const variable = context.unnamed(type, true, position);
    this.#castByName.set(known.name, variable);
    this.#casts.push({
      variable,
      expression: {
        kind: "AsEntity",
        type,
        entity,
        operand: { kind: "VariableReference", type: known.type, variable: known },
      },
    });
    return variable;
  }

  // ---------------------------------------------------------------------------------------------------- relationships

  #bindRelationship(pattern: RelationshipPattern, from: Variable, to: Variable): Variable {
    const { context, scope } = this.#place;
    if (pattern.quantifier !== undefined) {
      throw context.errors.unsupported("A quantified relationship", pattern.position);
    }
    const many = pattern.length !== undefined;
    const known = pattern.variable === undefined ? undefined : scope.find(pattern.variable.name);
    let variable: Variable;
    if (known !== undefined && pattern.variable !== undefined) {
      variable = many
        ? this.#relationshipList(known, pattern.variable.position)
        : this.#entity(known, "relationship", pattern.variable.position);
    } else {
      const type = many ? listOf(relationshipType) : relationshipType;
      if (pattern.variable === undefined) {
        variable = this.#introduce(context.unnamed(type, this.#place.optional, pattern.position));
      } else {
        this.#checkNewName(pattern.variable.name, pattern.variable.position);
        variable = this.#introduce(new Variable(pattern.variable.name, type, this.#place.optional));
      }
    }
    const types = simpleTypes(pattern.types);
    this.#relationships.push({
      variable,
      from,
      to,
      direction: directionOf(pattern),
      types: [...new Set(types)],
      length: many ? pathLength(pattern) : undefined,
      bound: known !== undefined,
    });
    this.#constrainRelationship(variable, pattern);
    return variable;
  }

  #relationshipList(known: Variable, position: Position): Variable {
    const { type } = known;
    const fits =
      type.kind === "any" ||
      type.kind === "null" ||
      (type.kind === "list" && ["any", "relationship"].includes(type.element.kind));
    if (!fits) {
      throw typeConflict(this.#place.context, known, listOf(relationshipType), position);
    }
    return known;
  }

  #bindShortestPath(part: PatternPart, pattern: RelationshipPattern, from: Variable, to: Variable): Variable {
    const { context, scope } = this.#place;
    const selector = part.selector;
    if (context.mode === "2.3" && pattern.properties !== undefined) {
      throw context.errors.syntax(
        `${shortestPathName(selector)}(...) contains properties. This is currently not supported.`,
        selector?.position ?? pattern.position,
        "InvalidRelationshipPattern",
      );
    }
    const list =
      pattern.variable === undefined
        ? context.unnamed(listOf(relationshipType), this.#place.optional, pattern.position)
        : new Variable(
            pattern.variable.name,
            pattern.length === undefined ? relationshipType : listOf(relationshipType),
            this.#place.optional,
          );
    this.#introduce(list);
    this.#constrainRelationship(list, pattern);
    const length = pattern.length === undefined ? { minimum: 1, maximum: 1 } : pathLength(pattern);
    if (length.minimum > 1) {
      throw context.errors.syntax(
        "shortestPath(...) does not support a minimal length different from 0 or 1",
        context.mode === "2.3" ? (selector?.position ?? pattern.position) : pattern.position,
        "InvalidRelationshipPattern",
      );
    }
    const path =
      part.variable === undefined ? undefined : this.#declarePath(part.variable.name, part.variable.position);
    if (path !== undefined) {
      scope.declare(path);
    }
    this.#shortestPaths.push({
      path,
      relationship: {
        variable: list,
        from,
        to,
        direction: directionOf(pattern),
        types: simpleTypes(pattern.types) ?? [],
        length,
        bound: false,
      },
      all: selector?.kind === "ShortestPathFunction" && selector.all,
    });
    return list;
  }

  // ------------------------------------------------------------------------------------------------------- predicates

  /** What a relationship's types, map and WHERE ask; of one of variable length, of each relationship in its list. */
  #constrainRelationship(variable: Variable, pattern: RelationshipPattern): void {
    const { context } = this.#place;
    if (pattern.length !== undefined && pattern.where !== undefined) {
      throw context.errors.syntax(
        "Relationship pattern predicates are not supported for variable-length relationships.",
        pattern.position,
        "InvalidRelationshipPattern",
      );
    }
    const types = simpleTypes(pattern.types) === undefined ? pattern.types : undefined;
    const reference: BoundExpression = { kind: "VariableReference", type: variable.type, variable };
    if (pattern.length === undefined) {
      this.#constrain(reference, types, pattern.properties, pattern.where);
      return;
    }
    const each = context.unnamed(relationshipType, false, pattern.position);
    const subject: BoundExpression = { kind: "VariableReference", type: relationshipType, variable: each };
    this.#constrain(subject, types, pattern.properties, pattern.where, (where) => ({
      kind: "Quantified",
      type: booleanType,
      quantifier: "all",
      variable: each,
      list: reference,
      where,
    }));
  }

  #constrain(
    subject: BoundExpression,
    labels: LabelExpression | undefined,
    properties: MapLiteral | Parameter | undefined,
    where: NodePattern["where"],
    predicateOf: (condition: BoundExpression) => BoundExpression = (condition) => condition,
  ): void {
    const { context, scope } = this.#place;
    const place = valuePlace(context, scope);
    if (properties?.kind === "Parameter" && this.#place.parameterMaps !== "allowed") {
      throw parameterMap(properties, ' (use a literal map instead, eg. "{id: {param}.id}")', context);
    }
    this.#later.push(() => {
      const conditions = [
        ...labelConditions(subject, labels, place),
        ...(properties?.kind === "Parameter"
          ? [mapCondition(subject, properties, place)]
          : propertyConditions(subject, properties, place)),
        ...(where === undefined ? [] : [bindPredicate(where, place)]),
      ];
      this.#predicates.push(...conditions.map(predicateOf));
    });
  }

  // ------------------------------------------------------------------------------------------------------------ names

  #introduce(variable: Variable): Variable {
    this.#introduces.push(variable);
    this.#place.scope.declare(variable);
    return variable;
  }

  #declarePath(name: string, position: Position): Variable {
    if (this.#place.scope.find(name) !== undefined) {
      throw alreadyDeclared(this.#place.context, name, position);
    }
    this.#checkNewName(name, position);
    const path = new Variable(name, pathType, this.#place.optional);
    this.#introduces.push(path);
    return path;
  }

  #checkNewName(name: string, position: Position): void {
    if (this.#place.newNames === "forbidden") {
      throw undefinedVariable(this.#place.context, name, position);
    }
  }
}

function pathLength({ length }: RelationshipPattern): PathLength {
  const { from, to } = length ?? {};
  return {
    minimum: from === undefined ? 1 : Number(from.value),
    maximum: to === undefined ? undefined : Number(to.value),
  };
}
