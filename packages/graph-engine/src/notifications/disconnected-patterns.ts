import { type Match, type Mode, type NodePattern, type PatternPart } from "@trefoil/cypher";

/**
 * What multiplies the rows of a MATCH: each group of patterns that shares no node with those before it, as the names of
 * its nodes. The first group is not among them. Shortest paths join nothing: they need both ends found first. In 2.3 a
 * pattern joins the first group it touches and no further ones (measured).
 */
export function disconnectedPatterns(match: Match, mode: Mode): readonly (readonly string[])[] {
  const groups: Set<string>[] = [];
  for (const part of match.pattern) {
    if (part.selector !== undefined) {
      continue;
    }
    const nodes = nodesOf(part);
    const touching = groups.filter((group) => [...nodes].some((node) => group.has(node)));
    const [first] = touching;
    if (first === undefined) {
      groups.push(nodes);
      continue;
    }
    const further = mode === "2.3" ? [] : touching.slice(1);
    for (const group of [nodes, ...further]) {
      group.forEach((node) => first.add(node));
    }
    further.forEach((group) => groups.splice(groups.indexOf(group), 1));
  }
  return groups.slice(1).map((group) => [...group].filter((name) => !name.startsWith(UNNAMED)));
}

const UNNAMED = "\0";

function nodesOf(part: PatternPart): Set<string> {
  const nodes = part.path.elements.filter((element): element is NodePattern => element.kind === "NodePattern");
  return new Set(nodes.map((node) => node.variable?.name ?? `${UNNAMED}${node.position.offset}`));
}
