import { type BoundAggregate } from "../binder/bound-expression.ts";
import { type Aggregation, type Distinct } from "../logical-plan/operator.ts";
import { type Variable } from "../binder/variable.ts";
import { type Consume, type Generator } from "./generator.ts";

/** Groups in a Map from key to group number; keys and accumulators in an array per column. */
export function produceAggregation(operator: Aggregation, generator: Generator, consume: Consume): void {
  if (operator.keys.length === 0) {
    produceSingleGroup(operator, generator, consume);
  } else {
    produceGroups(operator, generator, consume);
  }
}

/** Without grouping keys there is one group, also when there are no rows. */
function produceSingleGroup(operator: Aggregation, generator: Generator, consume: Consume): void {
  const { out } = generator;
  const states = operator.aggregates.map(({ variable, expression }) => {
    const state = generator.names.unique(stemOf(expression));
    out.line(
      isPlainCount(expression) ? `let ${state} = 0;` : `const ${state} = ${newAccumulator(expression, generator)};`,
    );
    return { state, variable, expression };
  });
  generator.produce(operator.source, () => {
    for (const { state, expression } of states) {
      addTo(state, expression, generator);
    }
  });
  generator.out.block("", () => {
    for (const { state, variable, expression } of states) {
      bindResult(variable, isPlainCount(expression) ? state : `${state}.result()`, generator);
    }
    consume();
  });
}

function produceGroups(operator: Aggregation, generator: Generator, consume: Consume): void {
  const { out, names } = generator;
  const groups = names.unique("groups");
  out.line(`const ${groups} = new Map();`);
  const keys = operator.keys.map(({ variable, expression }) => {
    const array = names.unique(`key_${generator.local(variable)}`);
    out.line(`const ${array} = [];`);
    return { array, variable, expression };
  });
  const states = operator.aggregates.map(({ variable, expression }) => {
    const array = names.unique(stemOf(expression));
    out.line(`const ${array} = [];`);
    return { array, variable, expression };
  });
  generator.produce(operator.source, () => {
    const values = keys.map(({ variable, expression }) => ({
      variable,
      code: generator.keep(
        variable.isEntity ? generator.entityId(expression) : generator.expression(expression),
        "key",
      ),
    }));
    const key = rowKey(values, generator);
    const group = names.unique("group");
    generator.out.line(`let ${group} = ${groups}.get(${key});`);
    generator.out.block(`if (${group} === undefined)`, () => {
      generator.out.line(`${group} = ${groups}.size;`);
      generator.out.line(`${groups}.set(${key}, ${group});`);
      keys.forEach(({ array }, index) => {
        generator.out.line(`${array}.push(${values[index]?.code ?? "null"});`);
      });
      for (const { array, expression } of states) {
        generator.out.line(`${array}.push(${isPlainCount(expression) ? "0" : newAccumulator(expression, generator)});`);
      }
    });
    for (const { array, expression } of states) {
      addTo(`${array}[${group}]`, expression, generator);
    }
  });
  const group = names.unique("group");
  generator.out.block(`for (let ${group} = 0; ${group} < ${groups}.size; ${group} += 1)`, () => {
    generator.tick();
    for (const { array, variable } of keys) {
      generator.out.line(`const ${generator.local(variable)} = ${array}[${group}];`);
    }
    for (const { array, variable, expression } of states) {
      bindResult(variable, isPlainCount(expression) ? `${array}[${group}]` : `${array}[${group}].result()`, generator);
    }
    consume();
  });
}

/** One row for each combination of values, as they first come. */
export function produceDistinct(operator: Distinct, generator: Generator, consume: Consume): void {
  const seen = generator.names.unique("seen");
  generator.out.line(`const ${seen} = new Set();`);
  generator.produce(operator.source, () => {
    const values = operator.columns.map((variable) => ({ variable, code: generator.local(variable) }));
    const key = rowKey(values, generator);
    generator.out.block(`if (!${seen}.has(${key}))`, () => {
      generator.out.line(`${seen}.add(${key});`);
      consume();
    });
  });
}

/** What a Map or Set tells rows apart by; ids are their own keys. */
function rowKey(
  values: readonly { readonly variable: Variable; readonly code: string }[],
  generator: Generator,
): string {
  const [only] = values;
  if (only !== undefined && values.length === 1) {
    return only.variable.isEntity
      ? only.code
      : generator.keep(generator.call("equivalenceKey", only.code, "mode"), "groupKey");
  }
  if (values.every(({ variable }) => variable.isEntity)) {
    return generator.keep(`\`${values.map(({ code }) => `\${${code}}`).join(",")}\``, "groupKey");
  }
  // Ids stand for their entities: within one column all are of one kind.
  return generator.keep(
    generator.call("equivalenceKeyOfRow", `[${values.map(({ code }) => code).join(", ")}]`, "mode"),
    "groupKey",
  );
}

/** `count(*)` and `count(x)` are numbers; everything else is an accumulator. */
function isPlainCount(aggregate: BoundAggregate): boolean {
  return aggregate.name === "count" && !aggregate.distinct;
}

function addTo(state: string, aggregate: BoundAggregate, generator: Generator): void {
  const [first, second] = aggregate.arguments;
  if (!isPlainCount(aggregate)) {
    const args = [first, second].flatMap((argument) =>
      argument === undefined ? [] : [generator.expression(argument)],
    );
    generator.out.line(`${state}.add(${args.join(", ")});`);
    return;
  }
  if (first === undefined) {
    generator.out.line(`${state} += 1;`);
    return;
  }
  const entity = first.kind === "VariableReference" && first.variable.isEntity;
  if (entity && !first.variable.nullable) {
    generator.out.line(`${state} += 1;`);
    return;
  }
  const present = entity ? `${generator.local(first.variable)} >= 0` : `${generator.expression(first)} !== null`;
  generator.out.line(`if (${present}) { ${state} += 1; }`);
}

function bindResult(variable: Variable, code: string, generator: Generator): void {
  const value = variable.isEntity
    ? generator.call(variable.type.kind === "node" ? "nodeId" : "relationshipId", code)
    : code;
  generator.out.line(`const ${generator.local(variable)} = ${value};`);
}

function newAccumulator(aggregate: BoundAggregate, generator: Generator): string {
  return generator.call("newAccumulator", JSON.stringify(aggregate.name), String(aggregate.distinct), "mode");
}

function stemOf(aggregate: BoundAggregate): string {
  return aggregate.name.replace(/\W/gu, "");
}
