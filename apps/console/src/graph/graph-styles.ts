import { type Signal } from "@preact/signals";
import { type KeptTexts, storedSignal } from "../state/stored-signal.ts";
import { type NodeValue, type RelationshipValue } from "../values/value.ts";
import { cellText } from "../values/value-text.ts";
import { PALETTE } from "./palette.ts";

/** How nodes of a label, or relationships of a type, are drawn. */
export interface EntityStyle {
  /** `#rrggbb` */
  readonly color: string;
  /** Radius of a node, or width of a line, in pixels at scale 1. */
  readonly size: number;
  /** A property key, `<id>`, `<label>` or `<type>`; undefined: chosen by `captionKeys`. */
  readonly caption?: string | undefined;
}

type StyleTable = Readonly<Record<string, EntityStyle>>;

export const NODE_SIZES: readonly number[] = [16, 22, 28, 36, 46];
export const LINE_WIDTHS: readonly number[] = [1, 1.5, 3, 5];

/** Styles by label and type, kept between visits. A label's first style takes the next colour of the palette. */
export class GraphStyles {
  readonly labels: Signal<StyleTable>;
  readonly types: Signal<StyleTable>;

  constructor(kept: KeptTexts) {
    this.labels = storedSignal<StyleTable>(kept, "trefoil.graph.labels", {}, readStyles);
    this.types = storedSignal<StyleTable>(kept, "trefoil.graph.types", {}, readStyles);
  }

  /** Gives every label a colour of its own, in the order given, before anything is drawn. */
  prepare(labels: Iterable<string>): void {
    const table = { ...this.labels.value };
    let isChanged = false;
    for (const label of labels) {
      if (!Object.hasOwn(table, label)) {
        const color = PALETTE[Object.keys(table).length % PALETTE.length] ?? PALETTE_FALLBACK;
        table[label] = { color, size: DEFAULT_NODE_SIZE };
        isChanged = true;
      }
    }
    if (isChanged) {
      this.labels.value = table;
    }
  }

  ofLabel(label: string | undefined): EntityStyle {
    const table = this.labels.value;
    return label !== undefined && Object.hasOwn(table, label) ? (table[label] ?? NO_LABEL) : NO_LABEL;
  }

  ofType(type: string): EntityStyle {
    const table = this.types.value;
    return Object.hasOwn(table, type) ? (table[type] ?? LINE) : LINE;
  }

  changeLabel(label: string, change: Partial<EntityStyle>): void {
    this.labels.value = { ...this.labels.value, [label]: { ...this.ofLabel(label), ...change } };
  }

  changeType(type: string, change: Partial<EntityStyle>): void {
    this.types.value = { ...this.types.value, [type]: { ...this.ofType(type), ...change } };
  }

  reset(): void {
    this.labels.value = {};
    this.types.value = {};
  }

  nodeCaption(node: NodeValue): string {
    const chosen = this.ofLabel(node.labels[0]).caption;
    if (chosen === "<id>") {
      return node.id;
    }
    if (chosen === "<label>") {
      return node.labels[0] ?? "";
    }
    const key = chosen ?? captionKeys(node).at(0);
    const value = key === undefined ? undefined : node.properties.get(key);
    return value === undefined ? (node.labels[0] ?? node.id) : cellText(value);
  }

  relationshipCaption(relationship: RelationshipValue): string {
    const chosen = this.ofType(relationship.type).caption;
    if (chosen === "<id>") {
      return relationship.id;
    }
    const value = chosen === undefined ? undefined : relationship.properties.get(chosen);
    return value === undefined ? relationship.type : cellText(value);
  }
}

/** Keys of a node, likely captions first: names and titles, then other texts, then the rest. */
function captionKeys({ properties }: NodeValue): readonly string[] {
  const rank = (key: string): number => {
    const known = LIKELY_CAPTIONS.indexOf(key.toLowerCase());
    return known !== -1
      ? known
      : typeof properties.get(key) === "string"
        ? LIKELY_CAPTIONS.length
        : LIKELY_CAPTIONS.length + 1;
  };
  return [...properties.keys()].toSorted((left, right) => rank(left) - rank(right));
}

const LIKELY_CAPTIONS = ["name", "title", "label", "fullname", "username", "caption", "code", "key", "id", "uid"];
const DEFAULT_NODE_SIZE = 28;
const PALETTE_FALLBACK = "#8391a5";
const NO_LABEL: EntityStyle = { color: PALETTE_FALLBACK, size: DEFAULT_NODE_SIZE };
const LINE: EntityStyle = { color: "#98a5a0", size: 1.5 };

function readStyles(value: unknown): StyleTable | undefined {
  if (typeof value !== "object" || value === null) {
    return undefined;
  }
  const read = Object.entries(value).flatMap(([name, style]): [string, EntityStyle][] => {
    const { color, size, caption } = style as Partial<Record<keyof EntityStyle, unknown>>;
    return typeof color === "string" && /^#[0-9a-f]{6}$/i.test(color) && typeof size === "number"
      ? [[name, typeof caption === "string" ? { color, size, caption } : { color, size }]]
      : [];
  });
  return Object.fromEntries(read);
}
