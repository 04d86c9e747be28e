/**
 * A value as the TCK tells values apart: INTEGER from FLOAT, entities by what they hold. Temporal values are strings:
 * the TCK compares them by their text.
 */
export type TckValue =
  | { readonly kind: "null" }
  | { readonly kind: "boolean"; readonly value: boolean }
  | { readonly kind: "integer"; readonly value: bigint }
  | { readonly kind: "float"; readonly value: number }
  | { readonly kind: "string"; readonly value: string }
  | { readonly kind: "list"; readonly items: readonly TckValue[] }
  | { readonly kind: "map"; readonly entries: ReadonlyMap<string, TckValue> }
  | TckNode
  | TckRelationship
  | TckPath;

export interface TckNode {
  readonly kind: "node";
  readonly labels: readonly string[];
  readonly properties: ReadonlyMap<string, TckValue>;
}

export interface TckRelationship {
  readonly kind: "relationship";
  readonly type: string;
  readonly properties: ReadonlyMap<string, TckValue>;
}

export interface TckPath {
  readonly kind: "path";
  readonly start: TckNode;
  readonly steps: readonly {
    readonly relationship: TckRelationship;
    readonly forward: boolean;
    readonly node: TckNode;
  }[];
}

/**
 * One text per value: equal exactly for values that the TCK takes for the same. Map keys and labels are sorted,
 * `-0.0` equals `0.0`, and with `ignoreListOrder` lists are compared as bags.
 */
export function canonicalText(value: TckValue, ignoreListOrder: boolean): string {
  const write = (inner: TckValue): string => canonicalText(inner, ignoreListOrder);
  switch (value.kind) {
    case "null":
      return "null";
    case "boolean":
    case "integer":
      return String(value.value);
    case "float":
      return `float ${value.value + 0}`;
    case "string":
      return JSON.stringify(value.value);
    case "list": {
      const items = value.items.map(write);
      return `[${(ignoreListOrder ? items.sort() : items).join(", ")}]`;
    }
    case "map":
      return `{${entriesText(value.entries, write)}}`;
    case "node":
      return `(${[...value.labels]
        .sort()
        .map((label) => `:${label}`)
        .join("")} {${entriesText(value.properties, write)}})`;
    case "relationship":
      return `[:${value.type} {${entriesText(value.properties, write)}}]`;
    case "path":
      return `<${write(value.start)}${value.steps
        .map(
          (step) =>
            `${step.forward ? "-" : "<-"}${write(step.relationship)}${step.forward ? "->" : "-"}${write(step.node)}`,
        )
        .join("")}>`;
  }
}

function entriesText(entries: ReadonlyMap<string, TckValue>, write: (value: TckValue) => string): string {
  return [...entries.keys()]
    .sort()
    .map((key) => `${key}: ${write(entries.get(key)!)}`)
    .join(", ");
}
