import { type SectionReader } from "../memory/snapshot-sections.ts";

/** What the lists tell of each relationship. */
interface Told {
  readonly types: { [relationship: number]: number };
  readonly starts: { [relationship: number]: number };
}

/**
 * Fills types and starts of relationships from a checkpoint of version 1, which had the list of each node's outgoing
 * relationships instead (decisions/0197).
 */
export function readOutgoingLists(source: SectionReader, { types, starts }: Told): void {
  for (const type of source.json("outgoing.types") as number[]) {
    const name = `outgoing.${type}`;
    const runStarts = source.uint32(`${name}.starts`);
    const lengths = source.int32(`${name}.lengths`);
    const relationships = source.int32(`${name}.relationships`);
    const nodes = source.has(`${name}.ids`) ? source.int32(`${name}.ids`) : undefined;
    for (let slot = 0; slot < lengths.length; slot++) {
      const from = runStarts[slot] as number;
      for (let place = from; place < from + (lengths[slot] as number); place++) {
        const id = relationships[place] as number;
        types[id] = type;
        starts[id] = nodes === undefined ? slot : (nodes[slot] as number);
      }
    }
  }
}
