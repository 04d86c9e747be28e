import { floatOf } from "@trefoil/graph-store";
import { fieldType } from "../binder/field-type.ts";
import { type ProcedureField } from "../procedures/procedure.ts";
import { typeError } from "../values/query-errors.ts";
import { describeType } from "../values/type-of.ts";
import { isInteger, isList, isNumber, kindOf, toDouble } from "../values/value-kind.ts";
import { type Value } from "../values/value.ts";

/**
 * A value as the procedure's input asks for it: an INTEGER becomes a FLOAT where that is wanted.
 *
 * @throws  InvalidType when it cannot be
 */
export function coerceArgument(value: Value, field: ProcedureField): Value {
  const type = fieldType(field.type);
  if (value === null) {
    if (field.nullable) {
      return null;
    }
    throw typeError(`Procedure argument \`${field.name}\` of type ${field.type} must not be null`);
  }
  if (type.kind === "float" && isInteger(value)) {
    return floatOf(toDouble(value));
  }
  const fits =
    type.kind === "any" ||
    (type.kind === "number" && isNumber(value)) ||
    (type.kind === "list" ? isList(value) : type.kind === kindOf(value));
  if (!fits) {
    throw typeError(
      `Type mismatch: procedure argument \`${field.name}\` is of type ${field.type} but was given ${describeType(value)}`,
    );
  }
  return value;
}
