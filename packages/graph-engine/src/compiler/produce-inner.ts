import { type Apply, type Foreach, type Merge, type Optional, type Union } from "../logical-plan/operator.ts";
import { type Consume, type Generator } from "./generator.ts";
import { checkMerge, type ComputedProperties, createPattern, setItems } from "./produce-updates.ts";
import { RowBuffer } from "./row-buffer.ts";

/** Inner rows are kept until it is known whether there are any, so that what follows is written once. */
export function produceOptional(operator: Optional, generator: Generator, consume: Consume): void {
  generator.produce(operator.source, () => {
    const needed = generator.liveAfter(operator);
    const buffer = new RowBuffer(
      generator,
      operator.introduces.filter((each) => needed.has(each)),
      "optional",
    );
    generator.out.block("", () => {
      generator.produceInner(operator.inner, () => {
        buffer.push();
      });
    });
    generator.out.block(`if (${buffer.size} === 0)`, () => {
      buffer.pushNulls();
    });
    buffer.forEach(consume);
  });
}

export function produceApply(operator: Apply, generator: Generator, consume: Consume): void {
  generator.produce(operator.source, () => {
    if (operator.forEffects) {
      generator.out.block("", () => {
        generator.produceInner(operator.inner, () => {});
      });
      consume();
    } else {
      generator.produceInner(operator.inner, consume);
    }
  });
}

export function produceForeach(operator: Foreach, generator: Generator, consume: Consume): void {
  generator.produce(operator.source, () => {
    const { out, names } = generator;
    out.block("", () => {
      const list = generator.keep(generator.call("unwound", generator.expression(operator.list)), "list");
      const index = names.unique("i");
      out.block(`for (let ${index} = 0; ${index} < ${list}.length; ${index} += 1)`, () => {
        generator.tick();
        const element = `${list}[${index}]`;
        const value = operator.variable.isEntity
          ? generator.call(operator.variable.type.kind === "node" ? "nodeId" : "relationshipId", element)
          : element;
        out.line(`const ${generator.local(operator.variable)} = ${value};`);
        generator.produceInner(operator.inner, () => {});
      });
    });
    consume();
  });
}

/**
 * The parts one after the other. At the top what follows is little and written for each part; inside another plan the
 * rows are kept first.
 */
export function produceUnion(operator: Union, generator: Generator, consume: Consume): void {
  const needed = generator.liveAfter(operator);
  const columns = operator.columns.filter((column) => needed.has(column));
  const nested = generator.depth > 0;
  const buffer = nested ? new RowBuffer(generator, columns, "union") : undefined;
  for (const part of operator.parts) {
    generator.out.block("", () => {
      generator.produce(part.plan, () => {
        operator.columns.forEach((column, index) => {
          const source = part.columns[index];
          if (source !== undefined && source !== column) {
            generator.assign(column, { kind: "VariableReference", type: source.type, variable: source });
          }
        });
        if (buffer === undefined) {
          consume();
        } else {
          buffer.push();
        }
      });
    });
  }
  buffer?.forEach(consume);
}

/** Looks, and makes what is not there; the ON actions run before anything behind MERGE sees the rows. */
export function produceMerge(operator: Merge, generator: Generator, consume: Consume): void {
  generator.produce(operator.source, () => {
    const { out } = generator;
    const checked = checkMerge(operator.create, operator.onlyMatch !== undefined, generator);
    const buffer = new RowBuffer(generator, operator.introduces, "merged");
    lookLocked(operator, checked, buffer, generator);
    if (operator.onlyMatch !== undefined) {
      const refusal = generator.call("severalMatches", JSON.stringify(operator.onlyMatch));
      out.line(`if (${buffer.size} > 1) { throw ${refusal}; }`);
    }
    const created = generator.names.unique("created");
    out.line(`const ${created} = ${buffer.size} === 0;`);
    out.block(`if (${created})`, () => {
      if (operator.create.relationships.length === 0) {
        for (const { variable, labels } of operator.unique) {
          const map = checked.get(variable) ?? "null";
          out.line(`${generator.call("checkMergeKeys", "statement", JSON.stringify(labels), map)};`);
        }
      }
      createPattern(operator.create, generator, checked);
      buffer.push();
    });
    buffer.forEach(() => {
      if (operator.onCreate.length > 0) {
        out.block(`if (${created})`, () => {
          setItems(operator.onCreate, generator);
        });
      }
      if (operator.onMatch.length > 0) {
        out.block(`if (!${created})`, () => {
          setItems(operator.onMatch, generator);
        });
      }
      consume();
    });
  });
}

/**
 * Looks for the pattern; where nothing is found and unique values are at stake, takes the locks on them and looks again:
 * of several that merge the same at once, one makes it and the others find it.
 */
function lookLocked(operator: Merge, checked: ComputedProperties, buffer: RowBuffer, generator: Generator): void {
  const { out } = generator;
  const look = (): void => {
    generator.produceInner(operator.inner, () => {
      buffer.push();
    });
  };
  if (operator.unique.length === 0) {
    out.block("", look);
    return;
  }
  const locked = generator.names.unique("locked");
  out.line(`let ${locked} = false;`);
  out.block("for (;;)", () => {
    out.block("", look);
    out.line(`if (${locked} || ${buffer.size} > 0) { break; }`);
    for (const { variable, labels } of operator.unique) {
      const lock = generator.call(
        "lockMergeKeys",
        "statement",
        JSON.stringify(labels),
        checked.get(variable) ?? "null",
      );
      out.line(`while (!${lock}) { yield WAIT_FOR_LOCK; }`);
    }
    out.line(`${locked} = true;`);
  });
}
