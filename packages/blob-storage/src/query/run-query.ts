import { DelimitedReader, writeDelimited } from "./delimited-text.ts";
import { asNumber, compareValues, compileExpression, type Evaluate } from "./evaluate.ts";
import { JsonReader, writeJson } from "./json-text.ts";
import { type AggregateName, type Expression, type Query, type SelectedColumn } from "./query-expression.ts";
import { invalidNode, type QueryRequest, type TextFormat } from "./read-query-request.ts";
import { type DataRecord, type RecordReader, type Value } from "./records.ts";
import { WorkBudget } from "./work-budget.ts";

type Entries = readonly (readonly [name: string, value: Value])[];

/** A query over one blob: takes records one by one, gives lines of the answer. */
export class RunningQuery {
  readonly reader: RecordReader;
  readonly #query: Query;
  readonly #output: TextFormat;
  readonly #where: Evaluate | undefined;
  readonly #columns: readonly { readonly name: string; readonly evaluate: Evaluate }[];
  readonly #totals: Total[] = [];
  readonly #budget = new WorkBudget();
  #given = 0;
  #isHeaderDue: boolean;

  /** @throws StorageError for aggregates where there can be none, or beside columns of single records */
  constructor(query: Query, { expression, input, output }: QueryRequest) {
    this.#query = query;
    this.#output = output;
    this.#isHeaderDue = output.kind === "delimited" && output.hasHeaders;
    this.reader = input.kind === "json" ? new JsonReader(input) : new DelimitedReader(input);
    this.#where = query.where && this.#compile(query.where, () => refuse(expression, "an aggregate in WHERE"));
    const columns: readonly SelectedColumn[] = query.columns === "*" ? [] : query.columns;
    this.#columns = columns.map((column, index) => ({
      name: column.name ?? `_${index + 1}`,
      evaluate: this.#compile(column.expression, (aggregate) => this.#total(aggregate, expression)),
    }));
    if (this.#totals.length > 0 && columns.some((column) => isSingle(column.expression))) {
      refuse(expression, "columns of single records beside an aggregate");
    }
  }

  /** Whether no further record can change the answer. */
  get isDone(): boolean {
    return this.#totals.length === 0 && this.#given >= this.#query.limit;
  }

  /** @returns what the record adds to the answer @throws DataError */
  take(record: DataRecord): string {
    this.#budget.restart();
    if (this.isDone || (this.#where !== undefined && this.#where(record) !== true)) {
      return "";
    }
    if (this.#totals.length > 0) {
      for (const total of this.#totals) {
        total.add(record);
      }
      return "";
    }
    this.#given += 1;
    return this.#write(this.#query.columns === "*" ? record.entries() : this.#row(record));
  }

  /** What comes when all records have been taken. */
  finish(): string {
    this.#budget.restart();
    return this.#totals.length > 0 && this.#query.limit > 0 ? this.#write(this.#row(NO_RECORD)) : "";
  }

  #compile(expression: Expression, aggregated: (aggregate: Expression & { kind: "aggregate" }) => Evaluate): Evaluate {
    return compileExpression(expression, aggregated, this.#budget);
  }

  #row(record: DataRecord): Entries {
    return this.#columns.map(({ name, evaluate }) => [name, evaluate(record)] as const);
  }

  #write(entries: Entries): string {
    if (this.#output.kind === "json") {
      return writeJson(entries, this.#output);
    }
    const values = entries.map(([, value]) => value);
    const line = writeDelimited(values, this.#output);
    if (!this.#isHeaderDue) {
      return line;
    }
    this.#isHeaderDue = false;
    const names = entries.map(([name]) => name);
    return writeDelimited(names, this.#output) + line;
  }

  #total({ name, operand }: Expression & { kind: "aggregate" }, expression: string): Evaluate {
    const inner = operand && this.#compile(operand, () => refuse(expression, "an aggregate within another"));
    const total = new Total(name, inner);
    this.#totals.push(total);
    return () => total.value;
  }
}

const NO_RECORD: DataRecord = { find: () => null, entries: () => [] };

function refuse(expression: string, what: string): never {
  throw invalidNode("Expression", expression, `${what} cannot be`);
}

/** Whether it asks for something of a single record outside of aggregates. */
function isSingle(expression: Expression): boolean {
  switch (expression.kind) {
    case "literal":
    case "aggregate":
      return false;
    case "column":
      return true;
    case "binary":
      return isSingle(expression.left) || isSingle(expression.right);
    case "in":
      return [expression.operand, ...expression.choices].some(isSingle);
    case "like":
      return isSingle(expression.operand) || isSingle(expression.pattern);
    case "call":
      return expression.parameters.some(isSingle);
    case "not":
    case "negate":
    case "isNull":
    case "cast":
      return isSingle(expression.operand);
  }
}

/** One aggregate over all records; what is null doesn't count. */
class Total {
  readonly #name: AggregateName;
  readonly #operand: Evaluate | undefined;
  #count = 0;
  #sum = 0;
  #best: Value = null;

  constructor(name: AggregateName, operand: Evaluate | undefined) {
    this.#name = name;
    this.#operand = operand;
  }

  add(record: DataRecord): void {
    const value = this.#operand === undefined ? true : this.#operand(record);
    const number = this.#name === "SUM" || this.#name === "AVG" ? asNumber(value) : 0;
    if (value === null || number === null) {
      return;
    }
    this.#count += 1;
    this.#sum += number;
    const order = this.#best === null ? null : compareValues(value, this.#best);
    const isBetter = this.#name === "MIN" ? order === -1 : order === 1;
    this.#best = this.#best === null || isBetter ? value : this.#best;
  }

  get value(): Value {
    switch (this.#name) {
      case "COUNT":
        return this.#count;
      case "SUM":
        return this.#count === 0 ? null : this.#sum;
      case "AVG":
        return this.#count === 0 ? null : this.#sum / this.#count;
      case "MIN":
      case "MAX":
        return this.#best;
    }
  }
}
