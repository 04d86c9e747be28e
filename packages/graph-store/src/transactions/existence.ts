import { StoreError } from "../errors.ts";
import { type EntityStates, hasToken } from "../indexes/indexed-values.ts";
import { type ConstraintDefinition, isExistence } from "../schema/definitions.ts";
import { type Schema } from "../schema/schema.ts";
import { type Tokens } from "../tables/token-table.ts";
import { type ChangeSet } from "../versions/changes.ts";

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
export function missingProperty(
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

export function existenceViolation({ entity, token }: ConstraintDefinition, id: number, property: string): string {
  return entity === "node"
    ? `Node(${id}) with label \`${token}\` must have the property \`${property}\``
    : `Relationship(${id}) with type \`${token}\` must have the property \`${property}\``;
}
