import { expressionText } from "../logical-plan/expression-text.ts";
import { type BoundAggregate, type BoundExpression } from "../binder/bound-expression.ts";
import { type Aggregation, type Distinct } from "../logical-plan/operator.ts";
import { type StaticType } from "../binder/static-type.ts";
import { type Variable } from "../binder/variable.ts";
import { columnRead } from "./base-reads.ts";
import { type Consume, type Generator } from "./generator.ts";

/** Groups are numbers (runtime/groups.ts); keys and accumulators stand in an array per column. */
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
      isPlainCount(expression)
        ? `let ${state} = 0;`
        : `const ${state} = ${newState(expression, false, operator, generator)};`,
    );
    return { state, variable, expression };
  });
  generator.produce(operator.source, () => {
    for (const { state, expression } of states) {
      addTo(state, expression, operator, generator);
    }
  });
  generator.out.block("", () => {
    for (const { state, variable, expression } of states) {
      bindResult(variable, resultOf(state, expression, operator, generator), generator);
    }
    consume();
  });
}

function produceGroups(operator: Aggregation, generator: Generator, consume: Consume): void {
  const { out, names } = generator;
  const groups = names.unique("groups");
  out.line(`const ${groups} = ${generator.call("newGroups")};`);
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
    const { key, values } = groupOf(keys, generator);
    const group = names.unique("group");
    generator.out.line(`let ${group} = ${groups}.find(${key});`);
    generator.out.block(`if (${group} < 0)`, () => {
      generator.out.line(`${group} = ${groups}.add(${key});`);
      keys.forEach(({ array }, index) => {
        generator.out.line(`${array}.push(${values[index] ?? "null"});`);
      });
      for (const { array, expression } of states) {
        generator.out.line(`${array}.push(${newState(expression, true, operator, generator)});`);
      }
    });
    for (const { array, expression } of states) {
      addTo(`${array}[${group}]`, expression, operator, generator);
    }
  });
  const group = names.unique("group");
  generator.out.block(`for (let ${group} = 0; ${group} < ${groups}.size; ${group} += 1)`, () => {
    generator.tick();
    for (const { array, variable } of keys) {
      generator.out.line(`const ${generator.local(variable)} = ${array}[${group}];`);
    }
    for (const { array, variable, expression } of states) {
      bindResult(variable, resultOf(`${array}[${group}]`, expression, operator, generator), generator);
    }
    consume();
  });
}

/** What tells the row's group from others, and the JavaScript of the group's keys. */
function groupOf(
  keys: readonly { readonly variable: Variable; readonly expression: BoundExpression }[],
  generator: Generator,
): { readonly key: string; readonly values: readonly string[] } {
  const parts = keys.map(({ variable, expression }) => {
    const read = columnRead(expression, generator);
    if (read !== undefined && !read.nullable && !variable.isEntity) {
      // The value itself is only made for the first row of its group.
      return { key: `${read.reader}.groupKey(${read.id})`, value: `${read.reader}.get(${read.id})` };
    }
    const code = variable.isEntity ? generator.entityId(expression) : generator.expression(expression);
    const value = generator.keep(code, "key");
    return { key: keyOf(variable, value, generator), value };
  });
  const key = rowKey(
    parts.map((part) => part.key),
    generator,
  );
  return { key, values: parts.map((part) => part.value) };
}

/** One row for each combination of values, as they first come. */
export function produceDistinct(operator: Distinct, generator: Generator, consume: Consume): void {
  const seen = generator.names.unique("seen");
  const [only] = operator.columns;
  if (only?.isEntity === true && operator.columns.length === 1 && !generator.options.updating) {
    generator.out.line(`const ${seen} = ${newIdSet(only, false, generator)};`);
    generator.produce(operator.source, () => {
      generator.out.block(`if (${seen}.add(${generator.local(only)}))`, consume);
    });
    return;
  }
  generator.out.line(`const ${seen} = ${generator.call("newGroups")};`);
  generator.produce(operator.source, () => {
    const keys = operator.columns.map((variable) => keyOf(variable, generator.local(variable), generator));
    const key = rowKey(keys, generator);
    generator.out.block(`if (${seen}.find(${key}) < 0)`, () => {
      generator.out.line(`${seen}.add(${key});`);
      consume();
    });
  });
}

/** JavaScript of what tells one column's values apart; ids stand for their entities, since a column is of one kind. */
function keyOf(variable: Variable, value: string, generator: Generator): string {
  return variable.isEntity ? value : generator.call("equivalenceKey", value, "mode");
}

/** One key for the keys of all columns, pair by pair. */
function rowKey(keys: readonly string[], generator: Generator): string {
  const [first = "0", ...others] = keys;
  const joined = others.reduce((left, right) => {
    const pairs = generator.names.unique("pairs");
    generator.prologue.line(`const ${pairs} = ${generator.call("newKeyPairs")};`);
    return `${pairs}.of(${left}, ${right})`;
  }, first);
  return generator.keep(joined, "groupKey");
}

/** `count(*)` and `count(x)` are numbers; everything else is an accumulator. */
function isPlainCount(aggregate: BoundAggregate): boolean {
  return aggregate.name === "count" && !aggregate.distinct;
}

function addTo(state: string, aggregate: BoundAggregate, { weight, stage }: Aggregation, generator: Generator): void {
  const [first, second] = aggregate.arguments;
  const counted = countedEntity(aggregate, stage, generator);
  if (counted !== undefined && stage !== "final") {
    const id = generator.local(counted);
    generator.out.line(counted.nullable ? `if (${id} >= 0) { ${state}.add(${id}); }` : `${state}.add(${id});`);
    return;
  }
  if (!isPlainCount(aggregate)) {
    const args = [first, second].flatMap((argument) =>
      argument === undefined ? [] : [generator.expression(argument)],
    );
    generator.out.line(`${state}.${counted === undefined ? "add" : "addAll"}(${args.join(", ")});`);
    return;
  }
  if (stage === "final" && first !== undefined) {
    generator.out.line(`${state} += ${generator.expression(first)};`);
    return;
  }
  const rows = weight === undefined ? "1" : generator.local(weight);
  const entity = first?.kind === "VariableReference" && first.variable.isEntity ? first.variable : undefined;
  if (first === undefined || entity?.nullable === false) {
    generator.out.line(`${state} += ${rows};`);
    return;
  }
  const present = entity === undefined ? `${generator.expression(first)} !== null` : `${generator.local(entity)} >= 0`;
  generator.out.line(`if (${present}) { ${state} += ${rows}; }`);
}

function bindResult(variable: Variable, code: string, generator: Generator): void {
  const value = variable.isEntity
    ? generator.call(variable.type.kind === "node" ? "nodeId" : "relationshipId", code)
    : code;
  generator.out.line(`const ${generator.local(variable)} = ${value};`);
}

const ACCUMULATORS = { partial: "newPartialAccumulator", final: "newMergingAccumulator" } as const;

/** What a group keeps for an aggregate while rows come; `many` when there may be many groups. */
function newState(aggregate: BoundAggregate, many: boolean, { stage }: Aggregation, generator: Generator): string {
  if (isPlainCount(aggregate)) {
    return "0";
  }
  const counted = countedEntity(aggregate, stage, generator);
  return counted === undefined
    ? generator.call(
        stage === undefined ? "newAccumulator" : ACCUMULATORS[stage],
        JSON.stringify(aggregate.name),
        String(aggregate.distinct),
        "mode",
        JSON.stringify(aggregate.arguments.slice(0, 1).map(expressionText).join("")),
      )
    : newIdSet(counted, many, generator);
}

function resultOf(state: string, aggregate: BoundAggregate, { stage }: Aggregation, generator: Generator): string {
  if (isPlainCount(aggregate)) {
    return state;
  }
  if (countedEntity(aggregate, stage, generator) === undefined) {
    return `${state}.result()`;
  }
  return stage === "partial" ? `${state}.ids()` : `${state}.size`;
}

/**
 * `count(DISTINCT node)`: the ids are counted. Not in statements that write: they make ids beyond the limit. What is to be
 * merged of it is known by its type, a list.
 */
function countedEntity(
  aggregate: BoundAggregate,
  stage: Aggregation["stage"],
  generator: Generator,
): Variable | undefined {
  const [argument] = aggregate.arguments;
  return aggregate.name === "count" &&
    aggregate.distinct &&
    !generator.options.updating &&
    argument?.kind === "VariableReference" &&
    isEntityType(stage === "final" && argument.type.kind === "list" ? argument.type.element : argument.type)
    ? argument.variable
    : undefined;
}

function newIdSet({ type }: Variable, many: boolean, generator: Generator): string {
  const { kind } = type.kind === "list" ? type.element : type;
  const limit = kind === "node" ? "view.nodeIdLimit" : "view.relationshipIdLimit";
  return generator.call("newIdSet", limit, String(many || generator.depth > 0));
}

function isEntityType({ kind }: StaticType): boolean {
  return kind === "node" || kind === "relationship";
}

function stemOf(aggregate: BoundAggregate): string {
  return aggregate.name.replace(/\W/gu, "");
}
