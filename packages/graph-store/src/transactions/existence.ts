import { StoreError } from "../errors.ts";
import { type EntityStates, hasToken } from "../indexes/indexed-values.ts";
import { type ConstraintDefinition, isExistence } from "../schema/definitions.ts";
import { type Schema } from "../schema/schema.ts";
import { type Tokens } from "../tables/token-table.ts";
import { type ChangeSet } from "../versions/changes.ts";
import { type VersionStore } from "../versions/version-store.ts";

/**
 * Checks that every changed entity has the properties its label or type demands.
 *
 * @param states  what would be committed
 * @throws StoreError  `Schema.ConstraintViolation`
 */
export function checkExistence(changes: ChangeSet, states: EntityStates, schema: Schema, tokens: Tokens): void {
  for (const constraint of schema.constraints.filter(isExistence)) {
    const changed = constraint.entity === "node" ? changes.nodes : changes.relationships;
    for (const id of changed.keys()) {
      const missing = missingProperty(constraint, states, id, tokens);
      if (missing !== undefined) {
        throw new StoreError("ClientError.Schema.ConstraintViolation", existenceViolation(constraint, id, missing));
      }
    }
  }
}

/** The first property that the entity should have and has not. */
function missingProperty(
  { entity, token, properties }: ConstraintDefinition,
  states: EntityStates,
  id: number,
  tokens: Tokens,
): string | undefined {
  const tokenId = (entity === "node" ? tokens.labels : tokens.relationshipTypes).find(token);
  if (tokenId < 0 || !hasToken(states, entity, tokenId, id)) {
    return undefined;
  }
  return properties.find((property) => {
    const key = tokens.propertyKeys.find(property);
    const value = entity === "node" ? states.nodeProperty(id, key) : states.relationshipProperty(id, key);
    return key < 0 || value === undefined;
  });
}

/** The same for everything that there is, as an import leaves it. @throws StoreError  `Schema.ConstraintViolation` */
export function checkAllExistence({ newest, catalog }: VersionStore, tokens: Tokens): void {
  for (const constraint of catalog.schema.constraints.filter(isExistence)) {
    for (const violation of existenceViolations(constraint, newest, tokens)) {
      throw new StoreError("ClientError.Schema.ConstraintViolation", violation);
    }
  }
}

/** What is wrong with all that there is, entity by entity. */
export function* existenceViolations(
  constraint: ConstraintDefinition,
  states: VersionStore["newest"],
  tokens: Tokens,
): Generator<string, void, void> {
  const table = constraint.entity === "node" ? tokens.labels : tokens.relationshipTypes;
  const token = table.find(constraint.token);
  const cursor = constraint.entity === "node" ? states.nodesWithLabel(token) : states.allRelationships();
  for (let id = cursor.next(); id >= 0; id = cursor.next()) {
    const missing = missingProperty(constraint, states, id, tokens);
    if (missing !== undefined) {
      yield existenceViolation(constraint, id, missing);
    }
  }
}

function existenceViolation({ entity, token }: ConstraintDefinition, id: number, property: string): string {
  return entity === "node"
    ? `Node(${id}) with label \`${token}\` must have the property \`${property}\``
    : `Relationship(${id}) with type \`${token}\` must have the property \`${property}\``;
}
