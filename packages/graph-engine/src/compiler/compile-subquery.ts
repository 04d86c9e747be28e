import { type BoundSubquery } from "../binder/bound-expression.ts";
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

/** JavaScript of an array with the ids of relationship types; names nobody has used yet are -1, which matches none. */
export function typeIds(types: readonly string[], generator: Generator): string {
  return `[${types.map((type) => generator.token("relationshipTypes", type)).join(", ")}]`;
}
