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
        out.line(met.length === 0 ? keep : `if (!(${met.join(" || ")})) { ${keep} }`);
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
    out.line(`const ${generator.local(operator.to)} = ${expansion}.neighbours[${index}];`);
    out.line(`const ${generator.local(operator.relationship)} = ${expansion}.relationships[${index}];`);
    const distinct = operator.meetings.map(
      ({ relationship }) => `${generator.local(operator.relationship)} !== ${generator.local(relationship)}`,
    );
    const block = (conditions: readonly string[], body: Consume): void => {
      out.block(`if (${conditions.join(" && ")})`, body);
    };
    const count = (): void => {
      const judged = operator.predicates.map((predicate) => generator.predicate(predicate));
      block(judged, () => {
        out.line(`${generator.local(operator.count)} += 1;`);
      });
    };
    if (distinct.length === 0) {
      count();
    } else {
      block(distinct, count);
    }
  });
}
