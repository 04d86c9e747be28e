import { type BoundExpression, type BoundSubquery } from "../binder/bound-expression.ts";
import { type Variable } from "../binder/variable.ts";
import { type Generator } from "./generator.ts";

/** EXISTS, COUNT and COLLECT: the inner plan's loops stand before the expression. */
export function compileSubquery(expression: BoundSubquery, generator: Generator): string {
  const { out } = generator;
  const plan = generator.options.planSubquery(expression);
  const result = generator.names.unique(expression.form === "collect" ? "list" : expression.form);
  switch (expression.form) {
    case "exists": {
      const search = generator.names.unique("search");
      out.line(`let ${result} = false;`);
      out.block(`${search}:`, () => {
        generator.produceInner(plan, () => {
          generator.out.line(`${result} = true;`);
          generator.out.line(`break ${search};`);
        });
      });
      return result;
    }
    case "count":
      out.line(`let ${result} = 0;`);
      out.block("", () => {
        generator.produceInner(plan, () => {
          generator.out.line(`${result} += 1;`);
        });
      });
      return result;
    case "collect": {
      const [column] = expression.query.columns;
      out.line(`const ${result} = [];`);
      out.block("", () => {
        generator.produceInner(plan, () => {
          generator.out.line(`${result}.push(${column === undefined ? "null" : generator.valueOf(column)});`);
        });
      });
      return result;
    }
  }
}

/** `shortestPath(…)` as a value: the path or null; `allShortestPaths(…)`: a list. */
export function compileShortestPath(
  expression: BoundExpression & { kind: "ShortestPath" },
  generator: Generator,
): string {
  const call = generator.call(
    generator.canYield ? "searchShortestPaths" : "shortestPaths",
    "view",
    generator.local(expression.start),
    generator.local(expression.end),
    JSON.stringify(expression.direction),
    typeIds(expression.types, generator),
    String(expression.minimum),
    String(expression.maximum ?? -1),
    String(expression.all),
    `{ accept: ${acceptFunction(expression.accept, expression.relationship, generator)} }`,
  );
  const paths = generator.canYield ? `(yield* ${call})` : call;
  return expression.all ? paths : `(${paths}[0] ?? null)`;
}

/** JavaScript of an array with the ids of relationship types; names nobody has used yet are -1, which matches none. */
export function typeIds(types: readonly string[], generator: Generator): string {
  return `[${types.map((type) => generator.token("relationshipTypes", type)).join(", ")}]`;
}

/** A plain function that judges one relationship: nothing in it can yield. */
export function acceptFunction(
  accept: BoundExpression | undefined,
  relationship: Variable,
  generator: Generator,
): string {
  if (accept === undefined) {
    return "undefined";
  }
  const name = generator.names.unique("accept");
  const before = generator.canYield;
  generator.canYield = false;
  generator.out.block(`const ${name} = (${generator.local(relationship)}) =>`, () => {
    generator.out.line(`return ${generator.predicate(accept)};`);
  });
  generator.canYield = before;
  return name;
}
