import { type IdCursor } from "../read-view.ts";
import { type EntityKind } from "../schema/definitions.ts";
import { type PropertyValue } from "../values/property-value.ts";
import { type NodeChange, type PropertyChanges, type RelationshipChange } from "../versions/changes.ts";
import { type IndexedEntity, type IndexedIds } from "./value-index.ts";

/** What an index needs to know of a state of the graph; every view knows it. */
export interface EntityStates {
  hasLabel(node: number, label: number): boolean;
  nodeProperty(node: number, key: number): PropertyValue | undefined;
  relationshipExists(relationship: number): boolean;
  typeOf(relationship: number): number;
  relationshipProperty(relationship: number, key: number): PropertyValue | undefined;
  nodesWithLabel(label: number): IdCursor;
  allRelationships(): IdCursor;
}

/** The values under which an entity is entered, `undefined` when it lacks the label or type or one of the properties. */
export function indexedValues(
  states: EntityStates,
  entity: EntityKind,
  { token, keys }: IndexedIds,
  id: number,
): readonly PropertyValue[] | undefined {
  if (!hasToken(states, entity, token, id)) {
    return undefined;
  }
  return entity === "node"
    ? allOf(keys, (key) => states.nodeProperty(id, key))
    : allOf(keys, (key) => states.relationshipProperty(id, key));
}

export function hasToken(states: EntityStates, entity: EntityKind, token: number, id: number): boolean {
  return entity === "node" ? states.hasLabel(id, token) : states.relationshipExists(id) && states.typeOf(id) === token;
}

/** The same after `change`, which `before` does not show yet. */
export function nodeValuesAfter(
  change: NodeChange,
  { token, keys }: IndexedIds,
  before: EntityStates,
): readonly PropertyValue[] | undefined {
  const isLabelled =
    !change.deleted &&
    (change.labelsAdded.includes(token) ||
      (!change.created && !change.labelsRemoved.includes(token) && before.hasLabel(change.node, token)));
  return isLabelled
    ? allOf(keys, (key) =>
        written(change.properties, key, () => (change.created ? undefined : before.nodeProperty(change.node, key))),
      )
    : undefined;
}

export function relationshipValuesAfter(
  change: RelationshipChange,
  { token, keys }: IndexedIds,
  before: EntityStates,
): readonly PropertyValue[] | undefined {
  const { relationship, created, deleted, type, properties } = change;
  return deleted || type !== token
    ? undefined
    : allOf(keys, (key) =>
        written(properties, key, () => (created ? undefined : before.relationshipProperty(relationship, key))),
      );
}

/** Everything there is to enter. */
export function* indexedEntities(
  states: EntityStates,
  entity: EntityKind,
  ids: IndexedIds,
): Generator<IndexedEntity, void, void> {
  const cursor = entity === "node" ? states.nodesWithLabel(ids.token) : states.allRelationships();
  for (let id = cursor.next(); id >= 0; id = cursor.next()) {
    const values = indexedValues(states, entity, ids, id);
    if (values !== undefined) {
      yield { id, values };
    }
  }
}

function written(
  properties: PropertyChanges,
  key: number,
  otherwise: () => PropertyValue | undefined,
): PropertyValue | undefined {
  const index = properties.indexOf(key);
  return index < 0 ? otherwise() : properties.values[index];
}

function allOf(
  keys: readonly number[],
  read: (key: number) => PropertyValue | undefined,
): readonly PropertyValue[] | undefined {
  const values: PropertyValue[] = [];
  for (const key of keys) {
    const value = read(key);
    if (value === undefined) {
      return undefined;
    }
    values.push(value);
  }
  return values;
}
