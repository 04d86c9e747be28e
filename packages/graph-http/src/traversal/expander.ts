import { type GraphAccess } from "@trefoil/graph-engine";
import { type Direction, type ExpandBuffer } from "@trefoil/graph-store";
import { type JsonValue } from "../json/json-reader.ts";
import { badInput } from "../rest/rest-error.ts";
import { castError, isList, isMap, type JsonMap } from "../rest/rest-input.ts";

/** One step from a node. */
export interface Step {
  readonly relationship: number;
  readonly node: number;
}

/** The steps that a description allows from a node: the youngest relationship first, as in the model server's chains. */
export type Expander = (node: number) => readonly Step[];

/**
 * The `relationships` of a description: `{type, direction}` or a list of them; without any, every relationship both ways.
 *
 * @throws RestError 400 for what names no type or no known direction
 */
export function readExpander(description: JsonMap, graph: GraphAccess): Expander {
  const wanted = description.get("relationships");
  const rules = wanted === undefined || wanted === null ? [] : (isList(wanted) ? wanted : [wanted]).map(readRule);
  const buffer: ExpandBuffer = { relationships: new Int32Array(16), neighbours: new Int32Array(16) };
  const groups = rules.length === 0 ? EVERYTHING : groupedByDirection(rules, graph);
  return (node) => {
    const { view } = graph;
    // Between two pages of a traversal others may delete what it has come to.
    if (!view.nodeExists(node)) {
      return [];
    }
    return groups.flatMap(([direction, types]) => {
      const count = view.expand(node, direction, types, buffer);
      return Array.from({ length: count }, (_, at) => ({
        relationship: buffer.relationships[at] ?? -1,
        node: buffer.neighbours[at] ?? -1,
      })).sort((one, other) => other.relationship - one.relationship);
    });
  };
}

type Group = readonly [Direction, readonly number[]];

const EVERYTHING: readonly Group[] = [["both", []]];

/** One direction at a time, each type of it once; types that nothing has are left out. */
function groupedByDirection(
  rules: readonly { readonly type: string; readonly direction: Direction }[],
  { tokens }: GraphAccess,
): readonly Group[] {
  const groups = new Map<Direction, Set<number>>();
  for (const { type, direction } of rules) {
    const id = tokens.relationshipTypes.find(type);
    if (id !== -1) {
      groups.set(direction, (groups.get(direction) ?? new Set()).add(id));
    }
  }
  return Array.from(groups, ([direction, types]): Group => [direction, [...types]]);
}

function readRule(value: JsonValue): { readonly type: string; readonly direction: Direction } {
  if (!isMap(value)) {
    throw castError(value, "java.util.Map");
  }
  const type = value.get("type");
  const direction = value.get("direction") || "all";
  const known = typeof direction === "string" ? DIRECTIONS.get(direction) : undefined;
  if (typeof type !== "string" || known === undefined) {
    throw badInput({
      exception: "IllegalArgumentException",
      message: 'Relationships are {"type": …, "direction": "in" | "out" | "all"}.',
    });
  }
  return { type, direction: known };
}

const DIRECTIONS: ReadonlyMap<string, Direction> = new Map([
  ["all", "both"],
  ["in", "in"],
  ["out", "out"],
]);
