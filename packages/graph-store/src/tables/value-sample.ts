import { type PropertyValue } from "../values/property-value.ts";
import { type GraphBase } from "./graph-base.ts";

const SAMPLE_SIZE = 256;
/** Nodes to look at for one of the sample, so that a rare label costs no scan of all nodes. */
const LOOKS_PER_NODE = 64;

/**
 * The values of one property of up to 256 nodes, taken at equal distances over all ids: what is asked of a property is
 * expected to hold for as many of all nodes as of these.
 *
 * @param label  of the nodes; any when `undefined`
 * @returns      a value, or `undefined`, per node
 */
export function sampleNodeValues(
  { nodes, nodeProperties }: GraphBase,
  label: number | undefined,
  key: number,
): readonly (PropertyValue | undefined)[] {
  const bitmap = label === undefined ? undefined : (nodes.labelBitmap(label) ?? new Uint32Array());
  const isWanted = (node: number): boolean =>
    bitmap === undefined ? nodes.exists(node) : (((bitmap[node >>> 5] ?? 0) >>> (node & 31)) & 1) === 1;
  const values: (PropertyValue | undefined)[] = [];
  const step = Math.max(1, nodes.idLimit / SAMPLE_SIZE);
  for (let place = 0; place < nodes.idLimit && values.length < SAMPLE_SIZE; place += step) {
    const first = Math.floor(place);
    const end = Math.min(first + Math.min(Math.ceil(step), LOOKS_PER_NODE), nodes.idLimit);
    for (let node = first; node < end; node++) {
      if (isWanted(node)) {
        values.push(nodeProperties.get(node, key));
        break;
      }
    }
  }
  return values;
}
