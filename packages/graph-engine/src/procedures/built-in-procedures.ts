import { type TokenTable } from "@trefoil/graph-store";
import { builtInFunctions } from "../functions/registry.ts";
import { schemaProcedures } from "./schema-procedures.ts";
import { type ProcedureContext, type ProcedureDefinition, procedureSignature } from "./procedure.ts";

const noInputs: ProcedureDefinition["inputs"] = [];
const text = (name: string): ProcedureDefinition["outputs"][number] => ({ name, type: "STRING", nullable: false });

/**
 * What every engine offers.
 *
 * @param all      the procedures defined when a call happens
 * @param version  what `dbms.components` reports
 */
export function builtInProcedures(
  all: () => readonly ProcedureDefinition[],
  version: string,
): readonly ProcedureDefinition[] {
  return [
    {
      name: "db.labels",
      description: "All labels in use.",
      mode: "read",
      inputs: noInputs,
      outputs: [text("label")],
      call: (_args, { view, tokens }) => namesInUse(tokens.labels, (label) => view.nodeCount(label)),
    },
    {
      name: "db.relationshipTypes",
      description: "All relationship types in use.",
      mode: "read",
      inputs: noInputs,
      outputs: [text("relationshipType")],
      call: (_args, { view, tokens }) => namesInUse(tokens.relationshipTypes, (type) => view.relationshipCount(type)),
    },
    {
      name: "db.propertyKeys",
      description: "All property keys.",
      mode: "read",
      inputs: noInputs,
      outputs: [text("propertyKey")],
      call: (_args, { tokens }: ProcedureContext) => namesInUse(tokens.propertyKeys, () => 1),
    },
    {
      name: "dbms.procedures",
      description: "All procedures.",
      mode: "read",
      inputs: noInputs,
      outputs: [text("name"), text("signature"), text("description"), text("mode")],
      call: () =>
        all()
          .toSorted((left, right) => (left.name < right.name ? -1 : 1))
          .map((each) => [each.name, procedureSignature(each), each.description ?? "", each.mode.toUpperCase()]),
    },
    {
      name: "dbms.functions",
      description: "All functions.",
      mode: "read",
      inputs: noInputs,
      outputs: [text("name"), text("description")],
      call: () =>
        builtInFunctions
          .filter((each) => each.modes.includes("modern"))
          .map((each) => [each.name, each.description])
          .toSorted(([left = ""], [right = ""]) => (left < right ? -1 : 1)),
    },
    {
      name: "dbms.components",
      description: "This server and its version.",
      mode: "read",
      inputs: noInputs,
      outputs: [text("name"), { name: "versions", type: "LIST<STRING>", nullable: false }, text("edition")],
      call: () => [["Trefoil Graph", [version], "community"]],
    },
    ...schemaProcedures,
  ];
}

function namesInUse(table: TokenTable, count: (id: number) => number): string[][] {
  const names: string[] = [];
  for (let id = 0; id < table.size; id += 1) {
    if (count(id) > 0) {
      names.push(table.nameOf(id));
    }
  }
  return names.toSorted().map((name) => [name]);
}
