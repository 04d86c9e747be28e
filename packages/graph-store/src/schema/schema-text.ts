import { type ConstraintDefinition, type EntityKind } from "./definitions.ts";
import { type PropertyValue } from "../values/property-value.ts";
import { PointValue } from "../values/temporal-values.ts";
import { WholeFloat } from "../values/whole-float.ts";

/** A constraint as the 2.x language writes it, its variable the label in lower case (graph-measured, "Cypher"). */
export function constraintText({ kind, entity, token, properties }: ConstraintDefinition): string {
  const variable = token.toLowerCase();
  const pattern = entity === "node" ? `( ${variable}:${token} )` : `()-[ ${variable}:${token} ]-()`;
  const each = properties.map((property) => `${variable}.${property}`);
  const subject = each.length === 1 ? (each[0] ?? "") : `(${each.join(", ")})`;
  const requirement = {
    unique: `${subject} IS UNIQUE`,
    exists: `exists(${each.join(", ")})`,
    key: `${subject} IS ${entity === "node" ? "NODE" : "RELATIONSHIP"} KEY`,
  }[kind];
  return `CONSTRAINT ON ${pattern} ASSERT ${requirement}`;
}

/** `label 'L' on property 'p'`: what a message about an index names it by. */
export function indexPlace(entity: EntityKind, token: string, properties: readonly string[]): string {
  const kind = entity === "node" ? "label" : "relationship type";
  const quoted = properties.map((property) => `'${property}'`).join(", ");
  return `${kind} '${token}' on ${properties.length === 1 ? "property" : "properties"} ${quoted}`;
}

/** The same with texts in quotes. */
export function quotedValue(value: PropertyValue): string {
  if (isList(value)) {
    return `[${value.map(quotedValue).join(", ")}]`;
  }
  return typeof value === "string" ? `'${value}'` : valueInMessage(value);
}

/** A value as a message shows it: texts bare, a FLOAT with its point. */
export function valueInMessage(value: PropertyValue): string {
  if (value instanceof WholeFloat) {
    return `${Object.is(value.value, -0) ? "-0" : value.value}.0`;
  }
  if (value instanceof PointValue) {
    return `point(${value.coordinates.join(", ")})`;
  }
  if (isList(value)) {
    return `[${value.map(valueInMessage).join(", ")}]`;
  }
  if (typeof value === "object") {
    return JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? String(part) : part));
  }
  return String(value);
}

function isList(value: PropertyValue): value is readonly Exclude<PropertyValue, readonly unknown[]>[] {
  return Array.isArray(value);
}
