import { type Join } from "../logical-plan/operator.ts";
import { type Consume, type Generator } from "./generator.ts";
import { RowBuffer } from "./row-buffer.ts";

/** The inner rows are kept when the first row of the source comes, and looked up by key where there is one. */
export function produceJoin(operator: Join, generator: Generator, consume: Consume): void {
  const { names } = generator;
  const needed = generator.liveAfter(operator);
  const kept = operator.introduces.filter((each) => needed.has(each));
  const buffer = new RowBuffer(generator, kept, "joined");
  const [key] = operator.keys;
  const table = names.unique("by_key");
  const isKept = names.unique("is_joined");
  generator.out.line(`let ${isKept} = false;`);
  if (key !== undefined) {
    generator.out.line(`const ${table} = ${generator.call("newJoinTable", "mode")};`);
  }
  generator.produce(operator.source, () => {
    generator.out.block(`if (!${isKept})`, () => {
      generator.out.line(`${isKept} = true;`);
      generator.produceInner(operator.inner, () => {
        if (key !== undefined) {
          generator.out.line(`${table}.add(${generator.expression(key.inner)}, ${buffer.size});`);
        }
        buffer.push();
      });
    });
    if (key === undefined) {
      buffer.forEach(consume);
    } else {
      const rows = names.unique("matching");
      generator.out.line(`const ${rows} = ${table}.find(${generator.expression(key.outer)});`);
      buffer.forEach(consume, rows);
    }
  });
}
