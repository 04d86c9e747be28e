import {
  type Match,
  type Mode,
  type NodePattern,
  type PatternExpression,
  type PatternPart,
  type Position,
  type RelationshipPattern,
  type Statement,
  type UsingIndex,
  type UsingJoin,
} from "@trefoil/cypher";
import { type Operator } from "../logical-plan/operator.ts";
import { someOperator } from "../logical-plan/operator-tree.ts";
import { type QueryType } from "../logical-plan/query-type.ts";
import { type KnownNames } from "./known-names.ts";
import { disconnectedPatterns } from "./disconnected-patterns.ts";
import { labelsOfDynamicProperties } from "./dynamic-properties.ts";
import { type Judge, type Place } from "./judge.ts";
import { missingNames } from "./missing-names.ts";
import { type Notification, notification } from "./notification.ts";
import { forEachNode, type SyntaxNode } from "./syntax-nodes.ts";

/** A statement as far as it can be judged. */
export interface ExplainedStatement {
  readonly statement: Statement;
  readonly plan: Operator;
  readonly queryType: QueryType;
  /** Arguments of `length()` that are no paths, found by the binder. */
  readonly lengthsOfOthers: readonly Position[];
}

/** Versions before there were any. */
const WITHOUT_NOTIFICATIONS: ReadonlySet<string> = new Set(["1.9", "2.2"]);

/** Planners that cannot write in 2.3. */
const READING_PLANNERS: ReadonlySet<string> = new Set(["cost", "idp", "dp", "greedy"]);

/**
 * What EXPLAIN has to say about a statement besides its plan. In 2.3 mode places count from behind the prefixes, as
 * 2.3 counts them; else from the beginning of the text.
 */
export function notificationsOf(explained: ExplainedStatement, names: KnownNames): readonly Notification[] {
  const { statement } = explained;
  if (WITHOUT_NOTIFICATIONS.has(statement.prefix.version ?? "")) {
    return [];
  }
  const found: Notification[] = [...notificationsOfPrefix(explained), ...notificationsOfPlan(explained.plan)];
  const place = placesOf(statement);
  for (const position of explained.lengthsOfOthers) {
    found.push(notification("deprecated", LENGTH_OF_OTHERS, place(position)));
  }
  // A statement that writes makes the names it mentions.
  const { mode } = statement;
  const ofNames = explained.queryType === "r" ? [missingNames(names, mode)] : [];
  const judge = [cartesianProduct(mode), ...syntaxJudges, ...ofNames];
  forEachNode(statement.body, (node) => {
    for (const each of judge) {
      each(node, place, found);
    }
  });
  forEachNode(statement.body, (node) => {
    indexHint(node, names, found);
    dynamicProperties(node, names, found);
  });
  return found;
}

const LENGTH_OF_OTHERS = "Using 'length' on anything that is not a path is deprecated, please use 'size' instead";

function placesOf({ mode, body }: Statement): Place {
  if (mode !== "2.3") {
    return ({ offset, line, column }) => ({ offset, line, column });
  }
  const start = body.position;
  return ({ offset, line, column }) => ({
    offset: offset - start.offset,
    line: line - start.line + 1,
    column: line === start.line ? column - start.column + 1 : column,
  });
}

// ------------------------------------------------------------------------------------------------------------- prefixes

function notificationsOfPrefix({ statement, queryType }: ExplainedStatement): Notification[] {
  const { prefix } = statement;
  const found: Notification[] = [];
  if (prefix.deprecatedPlanner !== undefined) {
    found.push(
      notification(
        "deprecated",
        "Using PLANNER for switching between planners has been deprecated, please use CYPHER planner=[rule,cost] instead",
      ),
    );
  }
  if (statement.mode !== "2.3") {
    return found;
  }
  const planner = prefix.options.findLast((option) => option.name === "planner")?.value;
  if (planner !== undefined && READING_PLANNERS.has(planner) && queryType !== "r") {
    found.push(
      notification(
        "plannerUnsupported",
        "Using COST planner is unsupported for this query, please use RULE planner instead",
      ),
    );
  }
  if (planner === "rule") {
    forEachNode(statement.body, (node) => {
      if (node.kind === "UsingJoin") {
        const names = (node as UsingJoin).variables.map((variable) => variable.name);
        const keys = names.length === 1 ? `identifier is: ${names[0]}` : `identifiers are: ${names.join(", ")}`;
        found.push(
          notification(
            "joinHintUnsupported",
            `Using RULE planner is unsupported for queries with join hints, please use COST planner instead (hinted join key ${keys})`,
          ),
        );
      }
    });
  }
  return found;
}

// ----------------------------------------------------------------------------------------------------------------- plan

function notificationsOfPlan(plan: Operator): Notification[] {
  const loadsBelow = (operator: Operator): boolean => someOperator(operator, (each) => each.kind === "LoadCsv");
  const holdsBack = someOperator(plan, (operator) => operator.kind === "Eager" && loadsBelow(operator));
  return holdsBack
    ? [
        notification(
          "eager",
          "Using LOAD CSV with a large data set in a query where the execution plan contains the Eager operator could potentially consume a lot of memory and is likely to not perform well. See the manual entry on the Eager operator for more information and hints on how problems could be avoided.",
        ),
      ]
    : [];
}

// --------------------------------------------------------------------------------------------------------------- syntax

function cartesianProduct(mode: Mode): Judge {
  return (node, place, found) => {
    if (node.kind !== "Match") {
      return;
    }
    for (const names of disconnectedPatterns(node as Match, mode)) {
      const identifiers = `${names.length === 1 ? "identifier is" : "identifiers are"}: (${names.join(", ")})`;
      found.push(
        notification(
          "cartesianProduct",
          `If a part of a query contains multiple disconnected patterns, this will build a cartesian product between all those parts. This may produce a large amount of data and slow down query processing. While occasionally intended, it may often be possible to reformulate the query that avoids the use of this cross product, perhaps by adding a relationship between the different parts or by using OPTIONAL MATCH (${identifiers})`,
          place(node.position),
        ),
      );
    }
  };
}

const bareNode: Judge = (node, place, found) => {
  if (node.kind === "NodePattern" && !(node as NodePattern).parenthesized) {
    found.push(
      notification(
        "deprecated",
        "Use of bare node patterns has been deprecated. Please enclose the identifier in parenthesis.",
        place(node.position),
      ),
    );
  }
};

const unboundedShortestPath: Judge = (node, place, found) => {
  const part = node as PatternPart | PatternExpression;
  const isPattern = node.kind === "PatternPart" || node.kind === "PatternExpression";
  if (!isPattern || part.selector?.kind !== "ShortestPathFunction") {
    return;
  }
  for (const element of part.path.elements) {
    const { length } = element as RelationshipPattern;
    if (element.kind === "RelationshipPattern" && length !== undefined && !length.from && !length.to) {
      found.push(
        notification(
          "unboundedPattern",
          "Using shortest path with an unbounded pattern will likely result in long execution times. It is recommended to use an upper limit to the number of node hops in your pattern.",
          place(element.position),
        ),
      );
    }
  }
};

/** Two parts of a pattern can be joined on a node that relationships of both hang on. */
const unfulfillableJoin: Judge = (node, _place, found) => {
  if (node.kind !== "Match") {
    return;
  }
  const { hints, pattern } = node as Match;
  for (const hint of hints.filter((each) => each.kind === "UsingJoin")) {
    const names = hint.variables.map((variable) => variable.name);
    if (names.length === 1 && relationshipsAt(names[0] ?? "", pattern) > 1) {
      continue;
    }
    const keys = names.length === 1 ? `identifier is: ${names[0]}` : `identifiers are: ${names.join(", ")}`;
    found.push(
      notification(
        "joinHintUnfulfillable",
        `The hinted join was not planned. This could happen because no generated plan contained the join key, please try using a different join key or restructure your query. (hinted join key ${keys})`,
      ),
    );
  }
};

function relationshipsAt(name: string, pattern: readonly PatternPart[]): number {
  let count = 0;
  for (const { path } of pattern) {
    path.elements.forEach((element, index) => {
      const isHere = element.kind === "NodePattern" && element.variable?.name === name;
      const beside = [path.elements[index - 1], path.elements[index + 1]];
      count += isHere ? beside.filter((each) => each?.kind === "RelationshipPattern").length : 0;
    });
  }
  return count;
}

const syntaxJudges: readonly Judge[] = [bareNode, unboundedShortestPath, unfulfillableJoin];

// --------------------------------------------------------------------------------------------------------------- schema

function indexHint(node: SyntaxNode, names: KnownNames, found: Notification[]): void {
  if (node.kind !== "UsingIndex") {
    return;
  }
  const hint = node as UsingIndex;
  const keys = hint.properties.map((property) => property.name);
  if (!names.hasIndex(hint.label.name, keys)) {
    found.push(
      notification(
        "noSuchIndex",
        `The hinted index does not exist, please check the schema (hinted index is: index on :${hint.label.name}(${keys.join(", ")}))`,
      ),
    );
  }
}

function dynamicProperties(node: SyntaxNode, names: KnownNames, found: Notification[]): void {
  const labels = node.kind === "Match" ? labelsOfDynamicProperties(node as Match, names) : [];
  if (labels.length > 0) {
    const indexed = labels.length === 1 ? "indexed label is" : "indexed labels are";
    found.push(
      notification(
        "dynamicProperty",
        `Using a dynamic property makes it impossible to use an index lookup for this query (${indexed}: (${labels.join(", ")}))`,
      ),
    );
  }
}
