import { expressionText } from "../logical-plan/expression-text.ts";
import { type BoundExpression } from "../binder/bound-expression.ts";
import { type CreatePattern, type SetItem } from "../binder/bound-query.ts";
import { type Create, type Delete, type LockGuard, type SetProperties } from "../logical-plan/operator.ts";
import { type Variable } from "../binder/variable.ts";
import { type Consume, type Generator } from "./generator.ts";
import { type LibraryName } from "./library-name.ts";

export function produceCreate(operator: Create, generator: Generator, consume: Consume): void {
  generator.produce(operator.source, () => {
    createPattern(operator.pattern, generator, new Map());
    consume();
  });
}

export function produceSetProperties(operator: SetProperties, generator: Generator, consume: Consume): void {
  generator.produce(operator.source, () => {
    guarded(operator.guards, generator, () => {
      setItems(operator.items, generator);
      consume();
    });
  });
}

export function produceDelete(operator: Delete, generator: Generator, consume: Consume): void {
  generator.produce(operator.source, () => {
    guarded(operator.guards, generator, () => {
      for (const expression of operator.expressions) {
        const value = generator.expression(expression);
        const text = JSON.stringify(expressionText(expression));
        const detach = String(operator.detach);
        generator.out.line(`yield* ${generator.call("deleteValue", "statement", value, detach, text)};`);
      }
      consume();
    });
  });
}

/** Takes the locks of what is to be written; a row that had to wait goes on only if it would still be found. */
function guarded(guards: readonly LockGuard[], generator: Generator, write: () => void): void {
  const [guard, ...rest] = guards;
  if (guard === undefined) {
    write();
    return;
  }
  const { variable, predicates } = guard;
  const entity = variable.type.kind === "node" ? "Node" : "Relationship";
  const id = generator.local(variable);
  const stays = generator.names.unique("stays");
  generator.out.line(`let ${stays} = true;`);
  generator.out.block(`if (!transaction.lock${entity}(${id}))`, () => {
    generator.out.line(`do { yield WAIT_FOR_LOCK; } while (!transaction.lock${entity}(${id}));`);
    generator.out.line(`${stays} = view.${entity.toLowerCase()}Exists(${id});`);
    for (const predicate of predicates) {
      generator.out.block(`if (${stays})`, () => {
        const holds = generator.predicate(predicate);
        generator.out.line(`${stays} = ${holds};`);
      });
    }
  });
  generator.out.block(`if (${stays})`, () => {
    guarded(rest, generator, write);
  });
}

/** Property maps that were computed already, by the entity they belong to. */
export type ComputedProperties = ReadonlyMap<Variable, string>;

/** Nodes first, then relationships, each with its properties. */
export function createPattern(pattern: CreatePattern, generator: Generator, computed: ComputedProperties): void {
  const { out } = generator;
  for (const { variable, expression } of pattern.casts) {
    generator.assign(variable, expression);
  }
  const created = new Set<Variable>();
  for (const { variable, labels, properties } of pattern.nodes) {
    const ids = labels.map((label) => `transaction.labelId(${JSON.stringify(label)})`);
    const initialize = initialProperties("Node", variable, properties, generator, computed);
    out.line(`const ${generator.local(variable)} = transaction.createNode([${ids.join(", ")}]);`);
    created.add(variable);
    initialize();
  }
  for (const { variable, start, end, type, properties } of pattern.relationships) {
    for (const node of new Set([start, end])) {
      if (!created.has(node)) {
        const id = generator.local(node);
        out.line(`${generator.call("checkEnd", "statement", id, JSON.stringify(node.name))};`);
        generator.lock("Node", id);
      }
    }
    const initialize = initialProperties("Relationship", variable, properties, generator, computed);
    const typeId = `transaction.relationshipTypeId(${JSON.stringify(type)})`;
    out.line(
      `const ${generator.local(variable)} = transaction.createRelationship(${generator.local(start)}, ${typeId}, ${generator.local(end)});`,
    );
    initialize();
  }
  settleUniqueKeys(generator);
  for (const { variable, expression } of pattern.paths) {
    generator.assign(variable, expression);
  }
}

/** Computes the properties of an entity before it is made. @returns what writes them afterwards */
function initialProperties(
  entity: "Node" | "Relationship",
  variable: Variable,
  properties: BoundExpression | undefined,
  generator: Generator,
  computed: ComputedProperties,
): () => void {
  const write = (name: LibraryName, ...args: readonly string[]): void =>
    generator.out.line(`${generator.call(name, "statement", generator.local(variable), ...args)};`);
  if (properties === undefined) {
    return () => undefined;
  }
  const entries = computed.has(variable) || properties.kind !== "Map" ? undefined : properties.entries;
  if (entries !== undefined && new Set(entries.map(({ key }) => key)).size === entries.length) {
    // What is written out needs no map.
    const values = entries.map(({ key, value }) => [key, generator.keep(generator.expression(value), key)] as const);
    return () => {
      values.forEach(([key, value]) => write(`initialize${entity}Property`, JSON.stringify(key), value));
    };
  }
  const map = computed.get(variable) ?? keptMap(properties, generator);
  // Whether all come from one parameter, or an element of it.
  const isGiven = properties.kind !== "Map";
  return () => write(`initialize${entity}`, map, String(isGiven));
}

/** Values that must be unique are checked as they are written, but may have to wait for who else has written them. */
function settleUniqueKeys({ out }: Generator): void {
  out.line("while (!transaction.settleUniqueKeys()) { yield WAIT_FOR_LOCK; }");
}

/**
 * Computes the properties MERGE looks for and refuses nulls among them. CREATE UNIQUE makes what is without them; so does
 * 2.3's MERGE with nodes at the ends of relationships (measured).
 */
export function checkMerge(pattern: CreatePattern, isUnique: boolean, generator: Generator): ComputedProperties {
  const computed = new Map<Variable, string>();
  const check = (
    variable: Variable,
    properties: BoundExpression | undefined,
    entity: "node" | "relationship",
  ): void => {
    if (properties !== undefined) {
      const map = keptMap(properties, generator);
      computed.set(variable, map);
      const isEnd = generator.mode === "2.3" && entity === "node" && pattern.relationships.length > 0;
      if (!isUnique && !isEnd) {
        generator.out.line(`${generator.call("checkMergeProperties", map, JSON.stringify(entity))};`);
      }
    }
  };
  pattern.nodes.forEach((node) => {
    check(node.variable, node.properties, "node");
  });
  pattern.relationships.forEach((relationship) => {
    check(relationship.variable, relationship.properties, "relationship");
  });
  return computed;
}

function keptMap(properties: BoundExpression, generator: Generator): string {
  return generator.keep(generator.expression(properties), "properties");
}

/** SET and REMOVE, item by item: the lock first, then the value, which so is of what is locked. */
export function setItems(items: readonly SetItem[], generator: Generator): void {
  for (const item of items) {
    const { subject } = item;
    const variable = subject.kind === "VariableReference" && subject.variable.isEntity ? subject.variable : undefined;
    if (variable === undefined) {
      setOnValue(item, generator);
    } else if (variable.nullable) {
      generator.out.block(`if (${generator.local(variable)} >= 0)`, () => {
        setOnEntity(item, variable, generator);
      });
      if (item.kind === "Labels" && generator.mode === "2.3") {
        generator.out.line(`else { ${generator.call("refuseLabelsOfNull")}; }`);
      }
      if (item.kind === "Properties" && generator.mode === "2.3") {
        const value = generator.expression(item.value);
        generator.out.line(
          `else { ${generator.call("refusePropertiesOfNull", value, JSON.stringify(variable.name))}; }`,
        );
      }
    } else {
      generator.out.block("", () => {
        setOnEntity(item, variable, generator);
      });
    }
  }
  settleUniqueKeys(generator);
}

function setOnEntity(item: SetItem, variable: Variable, generator: Generator): void {
  const { out } = generator;
  const id = generator.local(variable);
  const entity = variable.type.kind === "node" ? "Node" : "Relationship";
  generator.lock(entity, id);
  switch (item.kind) {
    case "Property":
    case "DynamicProperty": {
      if (item.kind === "DynamicProperty") {
        setOnValue(item, generator);
        return;
      }
      const value = generator.expression(item.value);
      const set = entity === "Node" ? "setNodeProperty" : "setRelationshipProperty";
      out.line(`${generator.call(set, "statement", id, JSON.stringify(item.key), value)};`);
      break;
    }
    case "RemoveProperty": {
      const remove = entity === "Node" ? "removeNodeProperty" : "removeRelationshipProperty";
      out.line(`${generator.call(remove, "statement", id, JSON.stringify(item.key))};`);
      break;
    }
    case "Properties": {
      const value = generator.expression(item.value);
      const set = entity === "Node" ? "setNodeProperties" : "setRelationshipProperties";
      out.line(`${generator.call(set, "statement", id, value, String(item.merge), JSON.stringify(variable.name))};`);
      break;
    }
    case "Labels":
      if (entity === "Relationship") {
        setOnValue(item, generator);
      } else {
        out.line(`${generator.call("setLabels", "statement", id, JSON.stringify(item.labels), String(item.remove))};`);
      }
      break;
  }
}

/** The entity is known by its value only. */
function setOnValue(item: SetItem, generator: Generator): void {
  const subject = generator.expression(item.subject);
  const call = (): string => {
    switch (item.kind) {
      case "Property":
        return generator.call(
          "setPropertyOf",
          "statement",
          subject,
          JSON.stringify(item.key),
          generator.expression(item.value),
        );
      case "DynamicProperty":
        return generator.call(
          "setPropertyOf",
          "statement",
          subject,
          generator.expression(item.key),
          generator.expression(item.value),
        );
      case "RemoveProperty":
        return generator.call("removePropertyOf", "statement", subject, JSON.stringify(item.key));
      case "Properties":
        return generator.call(
          "setPropertiesOf",
          "statement",
          subject,
          generator.expression(item.value),
          String(item.merge),
          JSON.stringify(item.subject.kind === "VariableReference" ? item.subject.variable.name : "it"),
        );
      case "Labels":
        return generator.call("setLabelsOf", "statement", subject, JSON.stringify(item.labels), String(item.remove));
    }
  };
  generator.out.line(`yield* ${call()};`);
}
