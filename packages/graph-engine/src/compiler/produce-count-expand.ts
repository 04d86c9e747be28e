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
    generator.prologue.line(`const ${kept} = new Int32Array(view.nodeIdLimit);`);
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

function countWays(operator: CountExpand, expansion: string, generator: Generator): void {
  const { out, names } = generator;
  const end = names.unique("end");
  const index = names.unique("i");
  out.line(`const ${end} = ${expansion}.open(${generator.local(operator.from)});`);
  out.block(`for (let ${index} = ${expansion}.first; ${index} < ${end}; ${index} += 1)`, () => {
    generator.tick();
    const relationship = generator.local(operator.relationship);
    out.line(`const ${generator.local(operator.to)} = ${expansion}.neighbours[${index}];`);
    if (
      operator.meetings.length > 0 ||
      operator.predicates.some((each) => freeVariables(each).has(operator.relationship))
    ) {
      out.line(`const ${relationship} = ${expansion}.relationships[${index}];`);
    }
    const conditions = [
      ...operator.meetings.map((met) => `${relationship} !== ${generator.local(met.relationship)}`),
      ...operator.predicates.map((predicate) => generator.predicate(predicate)),
    ];
    out.block(`if (${conditions.join(" && ")})`, () => {
      out.line(`${generator.local(operator.count)} += 1;`);
    });
  });
}
