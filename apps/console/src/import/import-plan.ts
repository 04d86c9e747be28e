import { nameText } from "../values/value-text.ts";
import { cellJson, type ColumnType } from "./column-types.ts";

/** One column of a file, and what becomes of it. */
export interface ColumnPlan {
  /** As the file names it. */
  readonly header: string;
  readonly property: string;
  readonly type: ColumnType;
  readonly isUsed: boolean;
}

/** One end of relationships: an existing node found by a property. */
export interface EndPlan {
  readonly label: string;
  readonly property: string;
  /** Place of the column with the values. */
  readonly column: number;
}

export type ImportPlan =
  | {
      readonly kind: "nodes";
      readonly label: string;
      readonly columns: readonly ColumnPlan[];
      /** Place of the column that tells nodes apart: known ones are updated. Undefined: each row makes a node. */
      readonly key: number | undefined;
    }
  | {
      readonly kind: "relationships";
      readonly type: string;
      readonly columns: readonly ColumnPlan[];
      readonly from: EndPlan;
      readonly to: EndPlan;
    };

/** The statement each batch is sent with, in syntax every language mode reads; `rows` holds a list per row. */
export function importStatement(plan: ImportPlan): string {
  const set = (variable: string, without: readonly number[]): string => {
    const parts = plan.columns.flatMap(({ property, isUsed }, index) =>
      isUsed && !without.includes(index) ? [`${variable}.${nameText(property)} = row[${index}]`] : [],
    );
    return parts.length === 0 ? "" : `\nSET ${parts.join(", ")}`;
  };
  if (plan.kind === "nodes") {
    const key = plan.key === undefined ? undefined : plan.columns[plan.key];
    const pattern =
      key === undefined || plan.key === undefined
        ? `CREATE (n:${nameText(plan.label)})`
        : `MERGE (n:${nameText(plan.label)} {${nameText(key.property)}: row[${plan.key}]})`;
    return `UNWIND {rows} AS row\n${pattern}${set("n", plan.key === undefined ? [] : [plan.key])}`;
  }
  const end = (variable: string, { label, property, column }: EndPlan): string =>
    `(${variable}:${nameText(label)} {${nameText(property)}: row[${column}]})`;
  return (
    `UNWIND {rows} AS row\nMATCH ${end("a", plan.from)}, ${end("b", plan.to)}\n` +
    `CREATE (a)-[r:${nameText(plan.type)}]->(b)${set("r", [plan.from.column, plan.to.column])}`
  );
}

/** The parameter `rows` of a batch as JSON text. Rows without their key make nothing, so they are left out. */
export function batchJson(plan: ImportPlan, rows: readonly (readonly string[])[]): string {
  const needed =
    plan.kind === "nodes" ? (plan.key === undefined ? [] : [plan.key]) : [plan.from.column, plan.to.column];
  const lists = rows
    .filter((row) => needed.every((index) => (row[index] ?? "") !== ""))
    .map((row) => `[${plan.columns.map(({ type }, index) => cellJson(row[index] ?? "", type)).join(",")}]`);
  return `[${lists.join(",")}]`;
}

/** `People list.csv` → `PeopleList` */
export function labelOf(fileName: string): string {
  const words = fileName.replace(/\.[^.]*$/, "").split(/[^\p{L}\p{N}]+/u);
  const label = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return label === "" ? "Row" : label;
}
