import { type IndexDefinition } from "../../schema/definitions.ts";
import { type Tokens } from "../../tables/token-table.ts";
import { type PropertyValue } from "../../values/property-value.ts";
import { type EntityStates, hasToken } from "../indexed-values.ts";
import { LegacyIndex } from "../legacy/legacy-index.ts";
import { isList } from "../value-key.ts";
import { standardAnalyzer } from "./standard-analyzer.ts";

/** A text of an entity with the property it is from: what words are looked for in. */
export type IndexedText = readonly [property: string, text: string];

/**
 * The words of the newest committed texts. A view that sees another state of some entities puts its own in their place
 * (view/text-search.ts), so nothing older is kept here.
 */
export class FullTextIndex {
  readonly definition: IndexDefinition;
  readonly entries: LegacyIndex = newEntries();
  readonly #tokens: readonly number[];
  readonly #keys: readonly (readonly [property: string, key: number])[];

  constructor(definition: IndexDefinition, tokens: Tokens) {
    const table = definition.entity === "node" ? tokens.labels : tokens.relationshipTypes;
    this.definition = definition;
    this.#tokens = definition.tokens.map((name) => table.idOf(name));
    this.#keys = definition.properties.map((name) => [name, tokens.propertyKeys.idOf(name)]);
  }

  /** Enters the present texts of an entity in place of the former ones. */
  update(id: number, states: EntityStates): void {
    this.entries.removeEntity(id);
    for (const [property, text] of this.textsOf(id, states)) {
      this.entries.add(id, property, text);
    }
  }

  textsOf(id: number, states: EntityStates): readonly IndexedText[] {
    const { entity } = this.definition;
    if (!this.#tokens.some((token) => hasToken(states, entity, token, id))) {
      return [];
    }
    return this.#keys.flatMap(([property, key]) => {
      const value = entity === "node" ? states.nodeProperty(id, key) : states.relationshipProperty(id, key);
      return textsIn(value).map((text): IndexedText => [property, text]);
    });
  }

  /** Everything there is to enter; an entity with several of the labels comes once for each. */
  *candidates(states: EntityStates): Generator<number, void, void> {
    const cursors =
      this.definition.entity === "node"
        ? this.#tokens.map((token) => states.nodesWithLabel(token))
        : [states.allRelationships()];
    for (const cursor of cursors) {
      for (let id = cursor.next(); id >= 0; id = cursor.next()) {
        yield id;
      }
    }
  }
}

/** No texts yet, taken apart as this kind of index does. */
export function newEntries(): LegacyIndex {
  return new LegacyIndex({ type: "fulltext" }, standardAnalyzer);
}

/** Texts, and the texts of a list of them; other values have no words. */
function textsIn(value: PropertyValue | undefined): readonly string[] {
  if (value === undefined) {
    return [];
  }
  const values = isList(value) ? value : [value];
  return values.filter((each) => typeof each === "string");
}
