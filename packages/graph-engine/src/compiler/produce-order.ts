import { type SortKey } from "../binder/bound-query.ts";
import { type BoundExpression } from "../binder/bound-expression.ts";
import { type Eager, type Limit, type Skip, type Sort, type Top } from "../logical-plan/operator.ts";
import { type CountTexts } from "./legacy-pipe-text.ts";
import { type Consume, type Generator } from "./generator.ts";
import { RowBuffer } from "./row-buffer.ts";

export function produceEager(operator: Eager, generator: Generator, consume: Consume): void {
  const buffer = new RowBuffer(generator, generator.liveAfter(operator), "eager");
  generator.produce(operator.source, () => {
    buffer.push();
  });
  buffer.forEach(consume);
}

export function produceSort(operator: Sort, generator: Generator, consume: Consume): void {
  const sorting = new Sorting(operator, operator.keys, generator, "sort");
  generator.produce(operator.source, () => {
    sorting.push();
  });
  const sort = generator.canYield ? `yield* ${generator.use("orderInSteps")}` : generator.use("sortedOrder");
  sorting.forEach(sort, consume);
}

/** ORDER BY with LIMIT: never keeps more rows than the limit. */
export function produceTop(operator: Top, generator: Generator, consume: Consume): void {
  const { out, names } = generator;
  const counts = operator.counts.map((count) => rowCount(count, "LIMIT", generator));
  const buffer = new RowBuffer(generator, generator.liveAfter(operator), "top");
  const top = names.unique("top");
  const descending = `[${operator.keys.map((key) => key.descending).join(", ")}]`;
  out.line(`const ${top} = ${generator.call("newTopRows", counts.join(" + "), descending, "mode", "context")};`);
  generator.produce(operator.source, () => {
    operator.keys.forEach((key, index) => {
      generator.out.line(`${top}.keys[${index}] = ${generator.expression(key.expression)};`);
    });
    const place = names.unique("place");
    generator.out.line(`const ${place} = ${top}.place();`);
    generator.out.block(`if (${place} >= 0)`, () => {
      buffer.put(place);
    });
  });
  const order = names.unique("order");
  generator.out.line(`const ${order} = ${top}.order();`);
  buffer.forEach(consume, order);
}

export function produceSkip(operator: Skip, generator: Generator, consume: Consume): void {
  const limit = rowCount(operator.count, "SKIP", generator);
  const skipped = generator.names.unique("skipped");
  generator.out.line(`let ${skipped} = 0;`);
  generator.produce(operator.source, () => {
    generator.out.line(`if (${skipped} < ${limit}) {`);
    generator.out.line(`${skipped} += 1;`);
    generator.out.line("} else {");
    consume();
    generator.out.line("}");
  });
}

/** Leaves the loops of the source as soon as there are rows enough. */
export function produceLimit(operator: Limit, generator: Generator, consume: Consume): void {
  const limit = rowCount(operator.count, "LIMIT", generator);
  const taken = generator.names.unique("taken");
  const enough = generator.names.unique("enough");
  generator.out.line(`let ${taken} = 0;`);
  generator.out.block(`${enough}:`, () => {
    generator.produce(operator.source, () => {
      generator.out.line(`if (${taken} >= ${limit}) { break ${enough}; }`);
      generator.out.line(`${taken} += 1;`);
      consume();
      generator.out.line(`if (${taken} >= ${limit}) { break ${enough}; }`);
    });
  });
}

function rowCount(count: BoundExpression, word: keyof CountTexts, generator: Generator): string {
  if (count.kind === "Literal" && typeof count.value === "number") {
    return String(count.value);
  }
  const kept = generator.keep(
    generator.call("rowCount", generator.expression(count), JSON.stringify(generator.options.countTexts[word]), "mode"),
    word.toLowerCase(),
  );
  if (generator.beginsWith === "counts") {
    generator.out.line("statement.hasBegun = true;");
  }
  return kept;
}

/** Rows with their sort keys, to be read back in order. */
class Sorting {
  readonly #buffer: RowBuffer;
  readonly #keys: readonly { readonly key: SortKey; readonly array: string }[];
  readonly #generator: Generator;

  constructor(operator: Sort, keys: readonly SortKey[], generator: Generator, stem: string) {
    this.#generator = generator;
    this.#buffer = new RowBuffer(generator, generator.liveAfter(operator), stem);
    this.#keys = keys.map((key) => ({ key, array: generator.names.unique(`${stem}_key`) }));
    for (const { array } of this.#keys) {
      generator.out.line(`const ${array} = [];`);
    }
  }

  push(): void {
    for (const { key, array } of this.#keys) {
      this.#generator.out.line(`${array}.push(${this.#generator.expression(key.expression)});`);
    }
    this.#buffer.push();
  }

  forEach(order: string, consume: Consume): void {
    const { out, names } = this.#generator;
    const rows = names.unique("order");
    const keys = `[${this.#keys.map(({ array }) => array).join(", ")}]`;
    const descending = `[${this.#keys.map(({ key }) => key.descending).join(", ")}]`;
    const args = [this.#buffer.size, keys, descending, "mode", "context"];
    out.line(`const ${rows} = ${order}(${args.join(", ")});`);
    this.#buffer.forEach(consume, rows);
  }
}
