import { type PatternPart, type RelationshipPattern } from "@trefoil/cypher";
import { type BindContext } from "./bind-context.ts";

/**
 * Refuses a relationship that stands twice in one pattern. 2.3 notices when it has seen the whole pattern, and points
 * at the last place of the name in the first path that has it.
 */
export function checkRepeatedRelationships(parts: readonly PatternPart[], context: BindContext): void {
  const seen = new Map<string, RelationshipPattern>();
  const repeated: string[] = [];
  for (const { path } of parts) {
    for (const element of path.elements.toReversed()) {
      if (element.kind !== "RelationshipPattern" || element.variable === undefined) {
        continue;
      }
      if (seen.has(element.variable.name)) {
        repeated.push(element.variable.name);
      } else {
        seen.set(element.variable.name, element);
      }
    }
  }
  const [name] = repeated;
  const place = name === undefined ? undefined : seen.get(name)?.variable;
  if (name !== undefined && place !== undefined) {
    throw context.errors.syntax(
      `Cannot use the same relationship ${context.mode === "2.3" ? "identifier" : "variable"} '${name}' for multiple patterns`,
      place.position,
      "RelationshipUniquenessViolation",
    );
  }
}
