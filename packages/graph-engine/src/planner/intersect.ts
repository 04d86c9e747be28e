import { type Mode } from "@trefoil/cypher";
import { type PatternRelationship } from "../binder/bound-query.ts";
import { type Variable } from "../binder/variable.ts";
import { type IntersectedLeg } from "../logical-plan/operator.ts";

/** A relationship of the pattern as seen from its known end. */
export interface PatternLeg extends IntersectedLeg {
  readonly pattern: PatternRelationship;
}

/**
 * The relationships that each lead in one step from something known to `node`, where these are several and what they
 * lead to may be found by intersection: 2.3 has its rows in the order in which it goes along the first.
 */
export function legsTo(
  node: Variable,
  relationships: readonly PatternRelationship[],
  isKnown: (node: Variable) => boolean,
  mode: Mode,
): readonly PatternLeg[] {
  if (mode === "2.3") {
    return [];
  }
  const legs = relationships.flatMap((pattern) => {
    const { from, to, variable: relationship, types, direction } = pattern;
    const near = from === node ? to : to === node ? from : undefined;
    if (near === undefined || !isKnown(near) || pattern.bound || pattern.length !== undefined) {
      return [];
    }
    const seen = near === from ? direction : opposite(direction);
    return [{ pattern, from: near, relationship, direction: seen, types }];
  });
  return legs.length > 1 ? legs : [];
}

export function opposite(direction: PatternRelationship["direction"]): PatternRelationship["direction"] {
  return direction === "out" ? "in" : direction === "in" ? "out" : "both";
}
