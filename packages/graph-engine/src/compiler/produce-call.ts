import { type ProcedureCall } from "../logical-plan/operator.ts";
import { type Consume, type Generator } from "./generator.ts";

/** The rows a procedure gives for each row; one without outputs passes its rows on. */
export function produceProcedureCall(operator: ProcedureCall, generator: Generator, consume: Consume): void {
  generator.produce(operator.source, () => {
    const { out, names } = generator;
    const args = operator.arguments.map((argument) => generator.expression(argument)).join(", ");
    const procedure = generator.constant(operator.procedure, "procedure");
    const results = names.unique("results");
    out.line(`const ${results} = yield* ${generator.call("callProcedure", procedure, `[${args}]`, "statement")};`);
    if (operator.procedure.outputs.length === 0) {
      consume();
      return;
    }
    const index = names.unique("i");
    out.block(`for (let ${index} = 0; ${index} < ${results}.length; ${index} += 1)`, () => {
      generator.tick();
      for (const { index: column, variable } of operator.yields) {
        const value = `${results}[${index}][${column}]`;
        const code = variable.isEntity
          ? generator.call(variable.type.kind === "node" ? "nodeId" : "relationshipId", value)
          : value;
        out.line(`const ${generator.local(variable)} = ${code};`);
      }
      consume();
    });
  });
}
