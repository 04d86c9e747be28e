import { type GraphAccess } from "@trefoil/graph-engine";
import { type Direction, type ExpandBuffer } from "@trefoil/graph-store";
import { type JsonValue } from "../json/json-reader.ts";
import { badInput } from "../rest/rest-error.ts";
import { isList, isMap, type JsonMap } from "../rest/rest-input.ts";

/** One step from a node. */
export interface Step {
  readonly relationship: number;
  readonly node: number;
}

/** The steps that a description allows from a node. */
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
  const byDirection: readonly (readonly [Direction, readonly number[]])[] =
    rules.length === 0
      ? [["both", []]]
      : rules.flatMap(({ type, direction }): [Direction, number[]][] => {
          const id = graph.tokens.relationshipTypes.find(type);
          return id === -1 ? [] : [[direction, [id]]];
        });
  return (node) => {
    const { view } = graph;
    // Between two pages of a traversal others may delete what it has come to.
    if (!view.nodeExists(node)) {
      return [];
    }
    return byDirection.flatMap(([direction, types]) => {
      const count = view.expand(node, direction, types, buffer);
      return Array.from({ length: count }, (_, at) => ({
        relationship: buffer.relationships[at] ?? -1,
        node: buffer.neighbours[at] ?? -1,
      }));
    });
  };
}

function readRule(value: JsonValue): { readonly type: string; readonly direction: Direction } {
  const type = isMap(value) ? value.get("type") : undefined;
  const direction = isMap(value) ? (value.get("direction") ?? "all") : undefined;
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
