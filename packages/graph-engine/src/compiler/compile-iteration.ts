import {
  type BoundCase,
  type BoundExpression,
  type BoundListComprehension,
  type BoundReduce,
} from "../binder/bound-expression.ts";
import { type Variable } from "../binder/variable.ts";
import { type Generator } from "./generator.ts";

/** `[x IN list WHERE p | e]` as a loop that fills an array. */
export function compileListComprehension(expression: BoundListComprehension, generator: Generator): string {
  const list = iteratedList(expression.list, generator);
  const result = generator.names.unique("list");
  generator.out.line(`const ${result} = ${list} === null ? null : [];`);
  forEachElement(list, expression.variable, generator, () => {
    const push = (): void => {
      const value =
        expression.projection === undefined
          ? generator.valueOf(expression.variable)
          : generator.expression(expression.projection);
      generator.out.line(`${result}.push(${value});`);
    };
    if (expression.where === undefined) {
      push();
    } else {
      const { where } = expression;
      const isTrue =
        where.type.kind === "boolean"
          ? generator.predicate(where)
          : `${generator.call("truthOf", generator.expression(where), "mode")} === true`;
      generator.out.block(`if (${isTrue})`, push);
    }
  });
  return result;
}

/** `all(x IN list WHERE p)` and its like: stops as soon as the answer is settled. */
export function compileQuantified(expression: BoundExpression & { kind: "Quantified" }, generator: Generator): string {
  const list = iteratedList(expression.list, generator);
  const quantifier = generator.names.unique(expression.quantifier);
  generator.out.line(
    `const ${quantifier} = ${generator.call("newQuantifier", JSON.stringify(expression.quantifier))};`,
  );
  forEachElement(list, expression.variable, generator, () => {
    const truth = generator.call("truthOf", generator.expression(expression.where), "mode");
    generator.out.line(`if (${quantifier}.add(${truth})) { break; }`);
  });
  return `(${list} === null ? null : ${quantifier}.result())`;
}

/** `reduce(total = 0, x IN list | total + x)`. */
export function compileReduce(expression: BoundReduce, generator: Generator): string {
  const accumulator = generator.local(expression.accumulator);
  generator.out.line(`let ${accumulator} = ${generator.expression(expression.initial)};`);
  const list = iteratedList(expression.list, generator);
  forEachElement(list, expression.variable, generator, () => {
    generator.out.line(`${accumulator} = ${generator.expression(expression.expression)};`);
  });
  return `(${list} === null ? null : ${accumulator})`;
}

/** CASE: a conditional expression, or branches when a part takes statements. */
export function compileCase(expression: BoundCase, generator: Generator): string {
  const subject =
    expression.subject === undefined ? undefined : generator.keep(generator.expression(expression.subject), "subject");
  const condition = (when: BoundExpression): string =>
    subject === undefined ? generator.predicate(when) : caseMatch(subject, generator.expression(when), generator);
  const branches = expression.alternatives.map(({ when, result }) => ({
    condition: generator.aside(() => condition(when)),
    result: generator.aside(() => generator.expression(result)),
  }));
  const otherwise = generator.aside(() => generator.expression(expression.otherwise));
  const simple =
    otherwise.statements.isEmpty &&
    branches.every((branch) => branch.condition.statements.isEmpty && branch.result.statements.isEmpty);
  if (simple) {
    const chain = branches.map((branch) => `${branch.condition.result} ? ${branch.result.result} : `).join("");
    return `(${chain}${otherwise.result})`;
  }
  const result = generator.names.unique("chosen");
  const { out } = generator;
  out.line(`let ${result};`);
  for (const branch of branches) {
    out.append(branch.condition.statements);
    out.line(`if (${branch.condition.result}) {`);
    out.append(branch.result.statements);
    out.line(`${result} = ${branch.result.result};`);
    out.line("} else {");
  }
  out.append(otherwise.statements);
  out.line(`${result} = ${otherwise.result};`);
  branches.forEach(() => {
    out.line("}");
  });
  return result;
}

/** A null matches a null in 2.3 and nothing later (graph-measured.md). */
function caseMatch(subject: string, value: string, generator: Generator): string {
  const equal = `${generator.call("equals", subject, value, "mode", "context")} === true`;
  return generator.mode === "2.3" ? `(${subject} === null ? ${value} === null : ${equal})` : `(${equal})`;
}

function iteratedList(list: BoundExpression, generator: Generator): string {
  return generator.keep(generator.call("iterated", generator.expression(list), "mode"), "elements");
}

function forEachElement(list: string, variable: Variable, generator: Generator, body: () => void): void {
  const index = generator.names.unique("i");
  const before = generator.canYield;
  generator.out.block(`for (let ${index} = 0; ${list} !== null && ${index} < ${list}.length; ${index} += 1)`, () => {
    generator.tick();
    const element = `${list}[${index}]`;
    const value = variable.isEntity
      ? generator.call(variable.type.kind === "node" ? "nodeId" : "relationshipId", element)
      : element;
    generator.out.line(`const ${generator.local(variable)} = ${value};`);
    body();
  });
  generator.canYield = before;
}
