import {
  type Filter,
  type Operator,
  type ProduceResults,
  type Projection,
  type Unwind,
} from "../logical-plan/operator.ts";
import { inputsOf } from "../logical-plan/operator-tree.ts";
import { type BoundExpression } from "../binder/bound-expression.ts";
import { type Consume, type Generator } from "./generator.ts";

/** Nested `if`s: what a later predicate needs computed is only computed when the earlier ones hold. */
export function produceFilter(operator: Filter, generator: Generator, consume: Consume): void {
  generator.produce(operator.source, () => {
    filterBy(operator.predicates, generator, consume);
  });
}

function filterBy(predicates: readonly BoundExpression[], generator: Generator, consume: Consume): void {
  const conditions: string[] = [];
  for (const [index, predicate] of predicates.entries()) {
    const compiled = generator.aside(() => generator.predicate(predicate));
    if (!compiled.statements.isEmpty && conditions.length > 0) {
      generator.out.block(`if (${conditions.join(" && ")})`, () => {
        filterBy(predicates.slice(index), generator, consume);
      });
      return;
    }
    generator.out.append(compiled.statements);
    conditions.push(compiled.result);
  }
  const [only] = conditions;
  const condition = only !== undefined && conditions.length === 1 ? withoutParentheses(only) : conditions.join(" && ");
  generator.out.block(`if (${condition})`, consume);
}

/** `(a > b)` is `a > b` where it stands alone. */
function withoutParentheses(code: string): string {
  let depth = 0;
  for (let index = 0; index < code.length; index += 1) {
    depth += code[index] === "(" ? 1 : code[index] === ")" ? -1 : 0;
    if (depth === 0 && index < code.length - 1) {
      return code;
    }
  }
  return code.startsWith("(") && depth === 0 && !/["'`]/u.test(code) ? code.slice(1, -1) : code;
}

export function produceProjection(operator: Projection, generator: Generator, consume: Consume): void {
  generator.produce(operator.source, () => {
    const needed = generator.liveAfter(operator);
    for (const { variable, expression } of operator.items) {
      // What nobody reads is still computed when it can fail.
      if (needed.has(variable) || expression.kind !== "PathOf") {
        generator.assign(variable, expression);
      }
    }
    consume();
  });
}

export function produceUnwind(operator: Unwind, generator: Generator, consume: Consume): void {
  generator.produce(operator.source, () => {
    const { out, names } = generator;
    const list = generator.keep(generator.call("unwound", generator.expression(operator.list)), "list");
    const index = names.unique("i");
    if (generator.beginsWith === operator) {
      out.line("statement.hasBegun = true;");
    }
    out.block(`for (let ${index} = 0; ${index} < ${list}.length; ${index} += 1)`, () => {
      generator.tick();
      const element = `${list}[${index}]`;
      const value = operator.variable.isEntity
        ? generator.call(operator.variable.type.kind === "node" ? "nodeId" : "relationshipId", element)
        : element;
      out.line(`const ${generator.local(operator.variable)} = ${value};`);
      consume();
    });
  });
}

/** The operators whose rows become results one for one, computed but not judged. */
function belowProjections(operator: Operator): readonly Operator[] {
  switch (operator.kind) {
    case "Projection":
    case "Skip":
    case "Limit":
      return belowProjections(operator.source);
    case "Union":
      return operator.parts.flatMap((part) => belowProjections(part.plan));
    default:
      return [operator];
  }
}

/** Where 2.3 is when it gives out the columns; see {@link Generator.beginsWith}. */
function beginningOf(operator: Operator): Generator["beginsWith"] {
  let below: Operator | undefined = operator;
  let hasCount = false;
  while (below !== undefined && below.kind !== "Unwind") {
    hasCount ||= (below.kind === "Skip" || below.kind === "Limit") && below.count.kind !== "Literal";
    const inputs = inputsOf(below);
    below = inputs.length === 1 ? inputs[0] : undefined;
  }
  return below ?? (hasCount ? "counts" : undefined);
}

/** Full batches go out as they come; the rest at the end (compile.ts). */
export function produceResults(operator: ProduceResults, generator: Generator, consume: Consume): void {
  const looksAhead = generator.mode === "2.3";
  if (looksAhead) {
    generator.projectedFrom = new Set(belowProjections(operator.source));
    generator.beginsWith = beginningOf(operator.source);
  }
  generator.produce(operator.source, () => {
    const values = operator.columns.map((column) => generator.valueOf(column));
    generator.out.line(`rows.push([${values.join(", ")}]);`);
    if (looksAhead) {
      generator.out.line("isProjecting = false;");
    }
    generator.out.line("if (rows.length === MAXIMUM_BATCH_ROWS) { yield rows; rows = []; }");
    consume();
  });
}
