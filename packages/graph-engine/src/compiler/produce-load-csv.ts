import { type LoadCsv } from "../logical-plan/operator.ts";
import { type Consume, type Generator } from "./generator.ts";

/** Rows come in portions as the file is read; it is closed however the loop ends. */
export function produceLoadCsv(operator: LoadCsv, generator: Generator, consume: Consume): void {
  generator.produce(operator.source, () => {
    const { out, names } = generator;
    const { withHeaders, fieldTerminator } = operator;
    const csv = names.unique("csv");
    const portion = names.unique("portion");
    const index = names.unique("i");
    const format = generator.constant({ withHeaders, fieldTerminator }, "format");
    const url = generator.expression(operator.url);
    out.line(`const ${csv} = yield ${generator.call("openCsv", "statement", url, format)};`);
    const count = commitCounter(operator, generator);
    out.block("try", () => {
      out.block(`for (let ${portion}; (${portion} = yield ${csv}.next()) !== undefined;)`, () => {
        out.block(`for (let ${index} = 0; ${index} < ${portion}.length; ${index} += 1)`, () => {
          generator.tick();
          out.line(`const ${generator.local(operator.variable)} = ${portion}[${index}];`);
          count();
          consume();
        });
      });
    });
    out.block("finally", () => {
      out.line(`${csv}.close();`);
    });
  });
}

/** Writes the counter of USING PERIODIC COMMIT; returns what writes its step, before each row. */
function commitCounter({ commitEvery }: LoadCsv, generator: Generator): () => void {
  const { out, names } = generator;
  if (commitEvery === undefined) {
    return () => {};
  }
  generator.renewsView = true;
  const counter = names.unique("rowsToCommit");
  out.line(`let ${counter} = ${commitEvery};`);
  return () => {
    generator.out.block(`if (--${counter} < 0)`, () => {
      generator.out.line(`yield ${generator.call("commitSoFar", "statement")};`);
      generator.out.line("({ view, context } = statement);");
      generator.out.line(`${counter} = ${commitEvery - 1};`);
    });
  };
}
