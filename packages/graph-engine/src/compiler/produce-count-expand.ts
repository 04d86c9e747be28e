import { freeVariables } from "../binder/free-variables.ts";
import { type CountExpand } from "../logical-plan/operator.ts";
import { type Consume, type Generator } from "./generator.ts";
import { declareExpansion } from "./produce-expand.ts";

/** A number per row: a degree where nothing is asked of what is found, else what a small loop counts. */
export function produceCountExpand(operator: CountExpand, generator: Generator, consume: Consume): void {
  const expansion = declareExpansion(operator, generator);
  const isKept = operator.repeats && !generator.options.updating && generator.depth === 0 && !meetsAlways(operator);
  const kept = generator.names.unique("ways_from");
  if (isKept) {
    // One more than the count, so that fresh memory says "not known".
    // Threads that run parts of the statement find the same numbers, so they share them.
    const memory = generator.sharesCounts ? `statement.part.counts[${generator.keptCounts}]` : "view.nodeIdLimit";
    generator.prologue.line(`const ${kept} = new Int32Array(${memory});`);
    generator.keptCounts += 1;
  }
  generator.produce(operator.source, () => {
    const { out } = generator;
    const from = generator.local(operator.from);
    const ways = generator.local(operator.count);
    const met = operator.meetings.map(({ node }) => `${from} === ${generator.local(node)}`);
    if (operator.predicates.length === 0) {
      const degree = `${expansion}.degree(${from})`;
      const less = operator.meetings.map(({ node }, index) =>
        node === operator.from ? "1" : `(${met[index]} ? 1 : 0)`,
      );
      out.line(`const ${ways} = ${[degree, ...less].join(" - ")};`);
    } else if (isKept) {
      out.line(`let ${ways} = ${kept}[${from}] - 1;`);
      out.block(`if (${[`${ways} < 0`, ...met].join(" || ")})`, () => {
        out.line(`${ways} = 0;`);
        countWays(operator, expansion, generator);
        const keep = `${kept}[${from}] = ${ways} + 1;`;
        const apart = operator.meetings.map(({ node }) => `${from} !== ${generator.local(node)}`);
        out.line(apart.length === 0 ? keep : `if (${apart.join(" && ")}) { ${keep} }`);
      });
    } else {
      out.line(`let ${ways} = 0;`);
      countWays(operator, expansion, generator);
    }
    out.block(`if (${ways} > 0)`, consume);
  });
}

/** A relationship that leaves the node it left before is always met again: every row has its own count. */
function meetsAlways({ meetings, from }: CountExpand): boolean {
  return meetings.some(({ node }) => node === from);
}

/** Relationships that are gone through before others have their turn: in loops without a `yield` V8 keeps all in registers. */
const LONGEST_RUN = 256;

function countWays(operator: CountExpand, expansion: string, generator: Generator): void {
  const { out, names } = generator;
  const [end, index, neighbours, relationships] = ["end", "i", "neighbours", "relationships"].map((stem) =>
    names.unique(stem),
  ) as [string, string, string, string];
  const isRelationshipAsked = operator.predicates.some((each) => freeVariables(each).has(operator.relationship));
  out.line(`const ${end} = ${expansion}.open(${generator.local(operator.from)});`);
  out.line(`const ${neighbours} = ${expansion}.neighbours;`);
  if (operator.meetings.length > 0 || isRelationshipAsked) {
    out.line(`const ${relationships} = ${expansion}.relationships;`);
  }
  const countOne = (): void => {
    out.line(`const ${generator.local(operator.to)} = ${neighbours}[${index}];`);
    if (isRelationshipAsked) {
      out.line(`const ${generator.local(operator.relationship)} = ${relationships}[${index}];`);
    }
    const conditions = [
      ...operator.meetings.map((meeting) => isAnother(meeting, operator, `${relationships}[${index}]`, generator)),
      ...operator.predicates.map((predicate) => generator.predicate(predicate)),
    ];
    out.block(`if (${conditions.join(" && ")})`, () => {
      out.line(`${generator.local(operator.count)} += 1;`);
    });
  };
  if (!generator.canYield) {
    out.block(`for (let ${index} = ${expansion}.first; ${index} < ${end}; ${index} += 1)`, countOne);
    return;
  }
  out.block(`for (let ${index} = ${expansion}.first; ${index} < ${end};)`, () => {
    const stop = names.unique("stop");
    out.line(`const ${stop} = Math.min(${end}, ${index} + ${LONGEST_RUN});`);
    out.line(`turns -= ${stop} - ${index};`);
    out.line("if (turns < 0) { turns = yield TICK; }");
    out.block(`for (; ${index} < ${stop}; ${index} += 1)`, countOne);
  });
}

/** Whether a relationship is not the one met before: only at the node that one has left can it be the same. */
function isAnother(
  { relationship, node }: CountExpand["meetings"][number],
  { from }: CountExpand,
  found: string,
  generator: Generator,
): string {
  const differs = `${found} !== ${generator.local(relationship)}`;
  return node === from ? differs : `(${generator.local(from)} !== ${generator.local(node)} || ${differs})`;
}
