import { type BaseColumn, type BaseStrings, floatOf, NO_INT32 } from "@trefoil/graph-store";
import { nodeProperty, relationshipProperty } from "../values/element-access.ts";
import { equals } from "../values/equality.ts";
import { type EquivalenceKey, equivalenceKey } from "../values/equivalence.ts";
import { type Value } from "../values/value.ts";
import { type StatementContext } from "./statement-context.ts";

/** Reads one property of many nodes, or of many relationships, in a statement that does not write. */
export function newColumnReader(
  entity: "node" | "relationship",
  key: number,
  statement: StatementContext,
): ColumnReader {
  return new ColumnReader(entity, key, statement);
}

/** Over a clean view values come from the base column itself; else, and for kinds without a loop, from the view. */
export class ColumnReader {
  readonly #entity: "node" | "relationship";
  readonly #key: number;
  readonly #statement: StatementContext;
  readonly #column: BaseColumn | undefined;
  readonly #strings: BaseStrings;

  constructor(entity: "node" | "relationship", key: number, statement: StatementContext) {
    this.#entity = entity;
    this.#key = key;
    this.#statement = statement;
    const { view } = statement;
    this.#strings = view.base.strings;
    if (view.clean) {
      const column = (entity === "node" ? view.base.nodeProperties : view.base.relationshipProperties).column(key);
      this.#column = column?.dense === true ? column : undefined;
      switch (this.#column?.kind) {
        case "int32":
          this.numbers = this.#column.values as Int32Array;
          this.none = NO_INT32;
          break;
        case "integer":
        case "float":
          this.numbers = this.#column.values as Float64Array;
          break;
        case "string":
          this.codes = this.#column.values as Int32Array;
          break;
        default:
          break;
      }
    }
  }

  /** A column of numbers by entity, `undefined` when the property is anything else. */
  readonly numbers: Int32Array | Float64Array | undefined = undefined;
  /** What `numbers` has where there is no value; NaN is unlike everything, itself included. */
  readonly none: number = Number.NaN;
  /** A column of dictionary codes by entity, `undefined` when the property is anything else. */
  readonly codes: Int32Array | undefined = undefined;

  get(entity: number): Value {
    if (this.codes !== undefined) {
      const code = this.codes[entity] ?? 0;
      return code === 0 ? null : this.#strings.textOf(code);
    }
    const number = this.numbers?.[entity];
    if (number !== undefined) {
      if (number === this.none || Number.isNaN(number)) {
        return null;
      }
      return this.#column?.kind === "float" ? floatOf(number) : number;
    }
    const { context, mode } = this.#statement;
    return this.#entity === "node"
      ? nodeProperty(entity, this.#key, context, mode)
      : relationshipProperty(entity, this.#key, context, mode);
  }

  /** Tells values apart as grouping does, as long as all keys come from this reader: a text is its code. */
  groupKey(entity: number): EquivalenceKey {
    return this.codes === undefined
      ? equivalenceKey(this.get(entity), this.#statement.mode)
      : (this.codes[entity] ?? 0);
  }

  /** `numbers`, to be compared with `operand` in JavaScript: a plain number, or nothing will do. */
  numbersBeside(operand: Value | undefined): Int32Array | Float64Array | undefined {
    return typeof operand === "number" && Number.isFinite(operand) ? this.numbers : undefined;
  }

  /** Tells which entities' value equals `operand`. */
  matcher(operand: Value): ColumnMatcher {
    return new ColumnMatcher(this, operand, this.#statement, this.#codeOf(operand));
  }

  /** The code of a text; NaN, which no entity has, when it is no text or no property holds it. */
  #codeOf(operand: Value): number {
    const code = typeof operand === "string" ? this.#strings.find(operand) : 0;
    return code === 0 ? Number.NaN : code;
  }
}

/** A test of equality against one value: numbers and codes of texts are compared where they lie. */
export class ColumnMatcher {
  readonly #reader: ColumnReader;
  readonly #operand: Value;
  readonly #statement: StatementContext;
  readonly #values: Int32Array | Float64Array | undefined;
  readonly #wanted: number;

  constructor(reader: ColumnReader, operand: Value, statement: StatementContext, code: number) {
    this.#reader = reader;
    this.#operand = operand;
    this.#statement = statement;
    const numbers = reader.numbersBeside(operand);
    this.#values = typeof operand === "string" ? reader.codes : numbers;
    // What stands for "no value" is no value that the column could have.
    this.#wanted = typeof operand !== "number" ? code : operand === reader.none ? Number.NaN : operand;
  }

  test(entity: number): boolean {
    if (this.#values !== undefined) {
      return this.#values[entity] === this.#wanted;
    }
    const { context, mode } = this.#statement;
    return equals(this.#reader.get(entity), this.#operand, mode, context) === true;
  }
}
