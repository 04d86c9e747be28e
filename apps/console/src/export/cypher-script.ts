import { type NodeValue, type RelationshipValue } from "../values/value.ts";
import { nameText, propertiesText } from "../values/value-text.ts";

/** A statement of more parts than this is hard to read and slow to plan. */
const PARTS_PER_STATEMENT = 100;

/**
 * A script that makes these nodes and relationships anew, in any server of the language. Nodes carry a mark while the
 * relationships are made, which the last statement takes away; relationships to nodes that are not there are left out.
 */
export function cypherScript(nodes: readonly NodeValue[], relationships: readonly RelationshipValue[]): string {
  const known = new Set(nodes.map(({ id }) => id));
  const kept = relationships.filter(({ startId, endId }) => known.has(startId) && known.has(endId));
  const statements = [
    `// ${nodes.length} nodes and ${kept.length} relationships`,
    ...inGroups(nodes, PARTS_PER_STATEMENT).map((group) => `CREATE\n  ${group.map(nodePattern).join(",\n  ")};`),
    ...byType(kept).flatMap(([type, links]) =>
      inGroups(links, PARTS_PER_STATEMENT).map((group) => relationshipStatement(type, group)),
    ),
    ...(nodes.length === 0 ? [] : [`MATCH (n:\`${MARK}\`) REMOVE n:\`${MARK}\`, n.\`${MARK}\`;`]),
  ];
  return `${statements.join("\n")}\n`;
}

/** A label and a key no graph has by chance. */
const MARK = "imported id";

function nodePattern({ id, labels, properties }: NodeValue): string {
  const names = [...labels, MARK].map((label) => `:${nameText(label)}`).join("");
  return `(${names} ${propertiesText(new Map([...properties, [MARK, id]]))})`;
}

function relationshipStatement(type: string, links: readonly RelationshipValue[]): string {
  const rows = links.map(
    ({ startId, endId, properties }) => `{a: '${startId}', b: '${endId}', p: ${propertiesText(properties)}}`,
  );
  const end = (variable: string): string => `(${variable}:\`${MARK}\` {\`${MARK}\`: row.${variable}})`;
  return (
    `UNWIND [\n  ${rows.join(",\n  ")}\n] AS row\n` +
    `MATCH ${end("a")}, ${end("b")}\nCREATE (a)-[r:${nameText(type)}]->(b) SET r = row.p;`
  );
}

function byType(links: readonly RelationshipValue[]): readonly (readonly [string, readonly RelationshipValue[]])[] {
  const groups = new Map<string, RelationshipValue[]>();
  for (const link of links) {
    const group = groups.get(link.type);
    if (group === undefined) {
      groups.set(link.type, [link]);
    } else {
      group.push(link);
    }
  }
  return [...groups];
}

function inGroups<T>(all: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}
