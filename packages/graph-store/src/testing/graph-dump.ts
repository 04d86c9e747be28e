import { type ExpandBuffer, type IdCursor, type ReadView } from "../read-view.ts";
import { type PropertyValue } from "../values/property-value.ts";
import { WholeFloat } from "../values/whole-float.ts";

/** A whole graph as plain data, by id: what two ways of coming to the same state must agree on. */
export interface GraphDump {
  readonly nodes: Record<string, { readonly labels: readonly number[]; readonly properties: Record<string, string> }>;
  readonly relationships: Record<
    string,
    { readonly ends: readonly [number, number, number]; readonly properties: Record<string, string> }
  >;
}

/** Reads everything a view shows, and checks on the way that its ways of asking agree with each other. */
export function dumpView(view: ReadView): GraphDump {
  const dump: GraphDump = { nodes: {}, relationships: {} };
  for (const node of idsOf(view.allNodes())) {
    dump.nodes[node] = {
      labels: view.labelsOf(node),
      properties: propertiesOf(view.nodePropertyKeys(node), (key) => view.nodeProperty(node, key)),
    };
  }
  for (const id of idsOf(view.allRelationships())) {
    dump.relationships[id] = {
      ends: [view.startOf(id), view.typeOf(id), view.endOf(id)],
      properties: propertiesOf(view.relationshipPropertyKeys(id), (key) => view.relationshipProperty(id, key)),
    };
  }
  checkCounts(view, dump);
  checkAdjacency(view, dump);
  return dump;
}

export function valueText(value: PropertyValue): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === "bigint") {
      return `int ${part}`;
    }
    if (part instanceof WholeFloat) {
      return `float ${Object.is(part.value, -0) ? "-0" : part.value}`;
    }
    return typeof part === "number" && !Number.isFinite(part) ? `float ${part}` : part;
  });
}

function propertiesOf(
  keys: readonly number[],
  get: (key: number) => PropertyValue | undefined,
): Record<string, string> {
  return Object.fromEntries(keys.map((key) => [key, valueText(get(key) as PropertyValue)]));
}

function checkCounts(view: ReadView, dump: GraphDump): void {
  const nodes = Object.entries(dump.nodes);
  const relationships = Object.values(dump.relationships);
  equal(view.nodeCount(), nodes.length, "node count");
  equal(view.relationshipCount(), relationships.length, "relationship count");
  for (let token = 0; token < 4; token++) {
    const labelled = nodes.filter(([, node]) => node.labels.includes(token)).map(([id]) => Number(id));
    equal(view.nodeCount(token), labelled.length, `count of label ${token}`);
    equal(idsOf(view.nodesWithLabel(token)).join(), labelled.join(), `scan of label ${token}`);
    const typed = relationships.filter(({ ends }) => ends[1] === token).length;
    equal(view.relationshipCount(token), typed, `count of type ${token}`);
  }
}

function checkAdjacency(view: ReadView, dump: GraphDump): void {
  const buffer: ExpandBuffer = { relationships: new Int32Array(1), neighbours: new Int32Array(1) };
  const relationships = Object.entries(dump.relationships);
  for (const node of Object.keys(dump.nodes).map(Number)) {
    for (const types of [[], [0], [1, 2]]) {
      const fits = relationships.filter(([, { ends }]) => types.length === 0 || types.includes(ends[1]));
      const expected = {
        out: fits.filter(([, { ends }]) => ends[0] === node).map(([id, { ends }]) => `${id}>${ends[2]}`),
        in: fits.filter(([, { ends }]) => ends[2] === node).map(([id, { ends }]) => `${id}>${ends[0]}`),
        both: fits
          .filter(([, { ends }]) => ends[0] === node || ends[2] === node)
          .map(([id, { ends }]) => `${id}>${ends[0] === node ? ends[2] : ends[0]}`),
      };
      for (const direction of ["out", "in", "both"] as const) {
        const count = view.expand(node, direction, types, buffer);
        const found = Array.from({ length: count }, (_, at) => `${buffer.relationships[at]}>${buffer.neighbours[at]}`);
        const what = `${direction} of ${node} by ${types.join() || "any type"}`;
        equal(found.toSorted().join(), expected[direction].toSorted().join(), what);
        equal(view.degree(node, direction, types), count, `degree ${what}`);
      }
    }
  }
}

function idsOf(cursor: IdCursor): number[] {
  const ids: number[] = [];
  for (let id = cursor.next(); id >= 0; id = cursor.next()) {
    ids.push(id);
  }
  return ids;
}

function equal(actual: unknown, expected: unknown, what: string): void {
  if (actual !== expected) {
    throw new Error(`${what}: ${String(actual)} instead of ${String(expected)}`);
  }
}
