import { type GraphAccess } from "@trefoil/graph-engine";
import { type PropertyValue } from "@trefoil/graph-store";
import { type JsonValue } from "../json/json-reader.ts";
import { scalarText } from "../json/json-writer.ts";
import { stringText } from "../json/string-text.ts";

/** The properties of a node as a JSON object; empty for a node that this transaction deleted. */
export function nodePropertiesText(node: number, { view, tokens }: GraphAccess): string {
  if (!view.nodeExists(node)) {
    return "{}";
  }
  let text = "";
  for (const key of view.nodePropertyKeys(node)) {
    const value = view.nodeProperty(node, key);
    if (value !== undefined) {
      text += `${text === "" ? "" : ","}${stringText(tokens.propertyKeys.nameOf(key))}:${propertyText(value)}`;
    }
  }
  return `{${text}}`;
}

/** The properties of a relationship as a JSON object; empty for one that this transaction deleted. */
export function relationshipPropertiesText(relationship: number, { view, tokens }: GraphAccess): string {
  if (!view.relationshipExists(relationship)) {
    return "{}";
  }
  let text = "";
  for (const key of view.relationshipPropertyKeys(relationship)) {
    const value = view.relationshipProperty(relationship, key);
    if (value !== undefined) {
      text += `${text === "" ? "" : ","}${stringText(tokens.propertyKeys.nameOf(key))}:${propertyText(value)}`;
    }
  }
  return `{${text}}`;
}

export function nodeProperties(node: number, { view, tokens }: GraphAccess): ReadonlyMap<string, JsonValue> {
  const properties = new Map<string, JsonValue>();
  for (const key of view.nodePropertyKeys(node)) {
    const value = view.nodeProperty(node, key);
    if (value !== undefined) {
      properties.set(tokens.propertyKeys.nameOf(key), value);
    }
  }
  return properties;
}

export function relationshipProperties(
  relationship: number,
  { view, tokens }: GraphAccess,
): ReadonlyMap<string, JsonValue> {
  const properties = new Map<string, JsonValue>();
  for (const key of view.relationshipPropertyKeys(relationship)) {
    const value = view.relationshipProperty(relationship, key);
    if (value !== undefined) {
      properties.set(tokens.propertyKeys.nameOf(key), value);
    }
  }
  return properties;
}

/** Label names in the order the view gives them. */
export function labelNames(node: number, { view, tokens }: GraphAccess): string[] {
  return view.labelsOf(node).map((label) => tokens.labels.nameOf(label));
}

export function typeName(relationship: number, { view, tokens }: GraphAccess): string {
  return tokens.relationshipTypes.nameOf(view.typeOf(relationship));
}

function propertyText(value: PropertyValue): string {
  return isList(value) ? `[${value.map(scalarText).join(",")}]` : scalarText(value);
}

/** `Array.isArray` does not narrow unions with readonly arrays. */
function isList(value: PropertyValue): value is Extract<PropertyValue, readonly unknown[]> {
  return Array.isArray(value);
}
