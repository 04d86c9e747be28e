import { type ExpandIntersect } from "../logical-plan/operator.ts";
import { type Consume, type Generator } from "./generator.ts";
import { wantedTypes } from "./produce-expand.ts";

/** A loop over the nodes that all legs lead to, which are found before the first of them is gone on with. */
export function produceIntersect(operator: ExpandIntersect, generator: Generator, consume: Consume): void {
  const { names } = generator;
  const { legs, to } = operator;
  const intersection = names.unique("meeting");
  const isSettled = !generator.options.updating;
  const sets = legs.map(({ direction, types }) => {
    const wanted = wantedTypes(types, generator);
    return `{ view, direction: ${JSON.stringify(direction)}, types: ${wanted}, isSettled: ${isSettled} }`;
  });
  generator.prologue.line(`const ${intersection} = ${generator.call("newIntersection", ...sets)};`);
  const opened = legs.map((_leg, index) => {
    const set = names.unique("neighbours");
    generator.prologue.line(`const ${set} = ${intersection}.sets[${index}];`);
    return set;
  });
  generator.produce(operator.source, () => {
    const { out } = generator;
    const end = names.unique("end");
    legs.forEach(({ from }, index) => out.line(`${opened[index]}.open(${generator.local(from)});`));
    out.line(`const ${end} = ${intersection}.meet();`);
    if (generator.canYield) {
      out.line(`turns -= ${intersection}.looked;`);
      out.line("if (turns < 0) { turns = yield TICK; }");
    }
    const nodes = names.unique("nodes");
    out.line(`const ${nodes} = ${intersection}.nodes;`);
    const needed = legs.flatMap(({ relationship }, index) => {
      if (!generator.liveAfter(operator).has(relationship)) {
        return [];
      }
      const column = names.unique("relationships");
      out.line(`const ${column} = ${intersection}.relationships[${index}];`);
      return [{ relationship, column }];
    });
    const row = names.unique("i");
    out.block(`for (let ${row} = 0; ${row} < ${end}; ${row} += 1)`, () => {
      generator.tick();
      out.line(`const ${generator.local(to)} = ${nodes}[${row}];`);
      for (const { relationship, column } of needed) {
        out.line(`const ${generator.local(relationship)} = ${column}[${row}];`);
      }
      consume();
    });
  });
}
