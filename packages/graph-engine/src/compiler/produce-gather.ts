import { type Gather } from "../logical-plan/operator.ts";
import { type Consume, type Generator } from "./generator.ts";

/**
 * Takes the rows of the parts (read-threads/gathered-parts.ts), entities as bare ids. There may be much in a batch, lists
 * and sets of a whole range: memory is looked at after each.
 */
export function produceGather(operator: Gather, generator: Generator, consume: Consume): void {
  const { out, names } = generator;
  const [batch, index] = [names.unique("gathered"), names.unique("i")];
  const next = "yield statement.gathered.next()";
  out.block(`for (let ${batch} = ${next}; ${batch} !== undefined; ${batch} = ${next})`, () => {
    out.block(`for (let ${index} = 0; ${index} < ${batch}.length; ${index} += 1)`, () => {
      generator.tick();
      [...generator.liveAfter(operator)].forEach((variable, column) => {
        out.line(`const ${generator.local(variable)} = ${batch}[${index}][${column}];`);
      });
      consume();
    });
    out.line("yield PAUSE;");
  });
}

/** The other end: the rows of one part as {@link produceGather} takes them. */
export function producePart(operator: Gather, generator: Generator): void {
  generator.sharesCounts = true;
  generator.produce(operator.source, () => {
    const values = [...generator.liveAfter(operator)].map((variable) => generator.local(variable));
    generator.out.line(`rows.push([${values.join(", ")}]);`);
    generator.out.line("if (rows.length === MAXIMUM_BATCH_ROWS) { yield rows; rows = []; }");
  });
}
