import { type GraphAccess } from "@trefoil/graph-engine";
import { type ReadView } from "@trefoil/graph-store";
import { type JsonValue } from "../json/json-reader.ts";
import { writeJson } from "../json/json-writer.ts";
import { propertyJson } from "./property-json.ts";
import { DeletedEntityError } from "./deleted-entity-error.ts";
import { stringText } from "../json/string-text.ts";

/** The properties of a node as a JSON object. @throws DeletedEntityError */
export function nodePropertiesText(node: number, { view, tokens }: GraphAccess): string {
  requireNode(node, view);
  let text = "";
  for (const key of view.nodePropertyKeys(node)) {
    const value = view.nodeProperty(node, key);
    if (value !== undefined) {
      text += `${text === "" ? "" : ","}${stringText(tokens.propertyKeys.nameOf(key))}:${writeJson(propertyJson(value), "compact")}`;
    }
  }
  return `{${text}}`;
}

/** The properties of a relationship as a JSON object. @throws DeletedEntityError */
export function relationshipPropertiesText(relationship: number, { view, tokens }: GraphAccess): string {
  requireRelationship(relationship, view);
  let text = "";
  for (const key of view.relationshipPropertyKeys(relationship)) {
    const value = view.relationshipProperty(relationship, key);
    if (value !== undefined) {
      text += `${text === "" ? "" : ","}${stringText(tokens.propertyKeys.nameOf(key))}:${writeJson(propertyJson(value), "compact")}`;
    }
  }
  return `{${text}}`;
}

/** @throws DeletedEntityError */
export function requireNode(node: number, view: ReadView): void {
  if (!view.nodeExists(node)) {
    throw new DeletedEntityError("node", node);
  }
}

/** @throws DeletedEntityError */
export function requireRelationship(relationship: number, view: ReadView): void {
  if (!view.relationshipExists(relationship)) {
    throw new DeletedEntityError("relationship", relationship);
  }
}

/** @throws DeletedEntityError */
export function nodeProperties(node: number, { view, tokens }: GraphAccess): ReadonlyMap<string, JsonValue> {
  requireNode(node, view);
  const properties = new Map<string, JsonValue>();
  for (const key of view.nodePropertyKeys(node)) {
    const value = view.nodeProperty(node, key);
    if (value !== undefined) {
      properties.set(tokens.propertyKeys.nameOf(key), propertyJson(value));
    }
  }
  return properties;
}

/** @throws DeletedEntityError */
export function relationshipProperties(
  relationship: number,
  { view, tokens }: GraphAccess,
): ReadonlyMap<string, JsonValue> {
  requireRelationship(relationship, view);
  const properties = new Map<string, JsonValue>();
  for (const key of view.relationshipPropertyKeys(relationship)) {
    const value = view.relationshipProperty(relationship, key);
    if (value !== undefined) {
      properties.set(tokens.propertyKeys.nameOf(key), propertyJson(value));
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
