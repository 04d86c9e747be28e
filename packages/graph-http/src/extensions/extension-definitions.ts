import { type ProcedureDefinition, type SignatureType, type UserFunction } from "@trefoil/graph-engine";
import { type DatabaseServices, queryIn } from "./extension-database.ts";
import { type ExtensionField, type ExtensionFunction, type ExtensionProcedure } from "./extension-module.ts";
import { fromExtension, toExtension } from "./extension-values.ts";

/** A module's procedure as the engine calls it: arguments and rows change their form. @throws TypeError */
export function procedureOf(procedure: ExtensionProcedure, services: DatabaseServices): ProcedureDefinition {
  const { name, description, mode, call } = checked(procedure, "procedure");
  const outputs = fieldsOf(procedure.outputs, name);
  return {
    name,
    description,
    mode: mode ?? "read",
    inputs: fieldsOf(procedure.inputs, name),
    outputs,
    call: async (args, { view, tokens, transaction }) => {
      const graph = { view, tokens };
      const rows = await call(
        args.map((value) => toExtension(value, graph)),
        { query: queryIn(transaction, services) },
      );
      return Array.from(rows ?? [], (row) => {
        if (!Array.isArray(row) || row.length !== outputs.length) {
          throw new TypeError(`a row of ${name} must be an array of ${outputs.length} values`);
        }
        return outputs.map((field, index) => valueOf(row[index], field));
      });
    },
  };
}

/** A module's function as the engine calls it. @throws TypeError */
export function functionOf(definition: ExtensionFunction): UserFunction {
  const { name, description, deterministic, call } = checked(definition, "function");
  const inputs = fieldsOf(definition.inputs, name);
  const [output, ...more] = fieldsOf(definition.outputs, name);
  if (output === undefined || more.length > 0) {
    throw new TypeError(`the function ${name} must have one output`);
  }
  return {
    name,
    description,
    deterministic,
    parameters: inputs.map((field) => ({ name: field.name, types: typesOf(field.type), optional: false })),
    returns: /^FLOAT/i.test(output.type) ? "float" : (typesOf(output.type)[0] ?? "any"),
    call: (args, graph) => {
      const values = inputs.map((field, index) => {
        const value = args[index] ?? null;
        if (value === null && !field.nullable) {
          throw new TypeError(`the argument ${field.name} of ${name} must not be null`);
        }
        const given = toExtension(value, graph);
        return /^FLOAT/i.test(field.type) && typeof given === "bigint" ? Number(given) : given;
      });
      const result = call(values);
      if (result instanceof Promise) {
        throw new TypeError(`the function ${name} must answer at once; only procedures may take their time`);
      }
      return valueOf(result, output);
    },
  };
}

type Field = Required<ExtensionField>;

function valueOf(value: unknown, field: Field): ReturnType<typeof fromExtension> {
  const converted = fromExtension(value, "float", field.type);
  if (converted === null && !field.nullable) {
    throw new TypeError(`${field.name} must not be null`);
  }
  return converted;
}

function checked<D extends ExtensionProcedure | ExtensionFunction>(definition: D, what: string): D {
  if (
    typeof definition?.name !== "string" ||
    !/^[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*$/u.test(definition.name)
  ) {
    throw new TypeError(`a ${what} needs a name such as my.name, not ${JSON.stringify(definition?.name)}`);
  }
  if (typeof definition.call !== "function") {
    throw new TypeError(`the ${what} ${definition.name} needs a function call`);
  }
  return definition;
}

function fieldsOf(fields: readonly ExtensionField[] | undefined, owner: string): readonly Field[] {
  return (fields ?? []).map(({ name, type, nullable }) => {
    if (typeof name !== "string" || typeof type !== "string") {
      throw new TypeError(`inputs and outputs of ${owner} are {name, type, nullable}`);
    }
    return { name, type: type.replace(/\s*\?$/, ""), nullable: nullable ?? true };
  });
}

const SIGNATURE_TYPES: Readonly<Record<string, SignatureType>> = {
  BOOLEAN: "boolean",
  INTEGER: "integer",
  // An INTEGER becomes a FLOAT where that is wanted.
  FLOAT: "number",
  NUMBER: "number",
  STRING: "string",
  MAP: "map",
  NODE: "node",
  RELATIONSHIP: "relationship",
  PATH: "path",
  POINT: "point",
  DATE: "date",
  TIME: "time",
  LOCALTIME: "local time",
  DATETIME: "datetime",
  LOCALDATETIME: "local datetime",
  DURATION: "duration",
};

function typesOf(type: string): readonly SignatureType[] {
  const name = type.trim().toUpperCase();
  return [name.startsWith("LIST") ? "list" : (SIGNATURE_TYPES[name] ?? "any")];
}
