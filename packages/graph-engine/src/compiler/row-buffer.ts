import { type Variable } from "../binder/variable.ts";
import { type Consume, type Generator } from "./generator.ts";

/** Rows kept for later, a JavaScript array per column: no object per row. */
export class RowBuffer {
  readonly #generator: Generator;
  readonly #columns: readonly { readonly variable: Variable; readonly array: string }[];
  readonly size: string;

  /** Declares the arrays where the code is now. */
  constructor(generator: Generator, variables: Iterable<Variable>, stem: string) {
    this.#generator = generator;
    this.size = generator.names.unique(`${stem}_size`);
    this.#columns = [...variables].map((variable) => ({
      variable,
      array: generator.names.unique(`${stem}_${generator.local(variable)}`),
    }));
    generator.out.line(`let ${this.size} = 0;`);
    for (const { array } of this.#columns) {
      generator.out.line(`const ${array} = [];`);
    }
  }

  /** Adds the present row. */
  push(): void {
    for (const { variable, array } of this.#columns) {
      this.#generator.out.line(`${array}.push(${this.#generator.local(variable)});`);
    }
    this.#generator.out.line(`${this.size} += 1;`);
  }

  /** Keeps the present row at a place of the caller's choice, over the one that was there. */
  put(place: string): void {
    for (const { variable, array } of this.#columns) {
      this.#generator.out.line(`${array}[${place}] = ${this.#generator.local(variable)};`);
    }
  }

  /** Adds a row of nulls. */
  pushNulls(): void {
    for (const { variable, array } of this.#columns) {
      this.#generator.out.line(`${array}.push(${variable.isEntity ? "-1" : "null"});`);
    }
    this.#generator.out.line(`${this.size} += 1;`);
  }

  /** Every row in the order it came, or in that of the row numbers in `order`. */
  forEach(consume: Consume, order?: string): void {
    const { out } = this.#generator;
    const index = this.#generator.names.unique("i");
    out.block(
      `for (let ${index} = 0; ${index} < ${order === undefined ? this.size : `${order}.length`}; ${index} += 1)`,
      () => {
        this.#generator.tick();
        const row = order === undefined ? index : `${order}[${index}]`;
        this.load(row);
        consume();
      },
    );
  }

  /** Brings the variables of one row back. */
  load(row: string): void {
    for (const { variable, array } of this.#columns) {
      this.#generator.out.line(`const ${this.#generator.local(variable)} = ${array}[${row}];`);
    }
  }
}
