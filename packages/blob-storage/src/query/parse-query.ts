import {
  type AggregateName,
  AGGREGATES,
  type BinaryOperator,
  CAST_TYPES,
  type CastType,
  type Expression,
  type FunctionName,
  FUNCTIONS,
  type Query,
  type Scalar,
  type SelectedColumn,
} from "./query-expression.ts";
import { readTokens, type Token, unexpected } from "./query-tokens.ts";

/** Deeper than anybody writes; the parser calls itself for each level. */
const DEPTH_LIMIT = 100;
/** Operators in a row nest to the left: what runs them calls itself for each. */
const OPERATOR_LIMIT = 1000;

/**
 * Parses `SELECT … FROM BlobStorage [alias] [WHERE …] [LIMIT n]`.
 *
 * @throws StorageError `InvalidXmlNodeValue` of `Expression`, with the place and what was expected there
 */
export function parseQuery(text: string): Query {
  return new Parser(text).query();
}

/** Each level of precedence is a method; all read from the tokens at `#next`. */
class Parser {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;
  #operators = 0;
  /** Names of the table, which may stand before a column's. */
  readonly #tables = new Set(["BLOBSTORAGE"]);

  constructor(text: string) {
    this.#text = text;
    this.#tokens = readTokens(text);
  }

  query(): Query {
    this.#word("SELECT");
    // What stands before a column is only known after FROM.
    const beginning = this.#next;
    this.#columns();
    this.#from();
    const after = this.#next;
    this.#next = beginning;
    this.#operators = 0;
    const columns = this.#columns();
    this.#next = after;
    const where = this.#takeWord("WHERE") ? this.#expression() : undefined;
    const limit = this.#takeWord("LIMIT") ? this.#limit() : Number.POSITIVE_INFINITY;
    this.#takeSymbol(";");
    if (this.#peek().kind !== "end") {
      throw this.#unexpected("the end");
    }
    return { columns, where, limit };
  }

  #columns(): Query["columns"] {
    if (this.#takeSymbol("*")) {
      return "*";
    }
    const columns: SelectedColumn[] = [];
    do {
      const expression = this.#expression();
      const own = expression.kind === "column" ? expression.path.at(-1) : undefined;
      columns.push({ expression, name: this.#takeWord("AS") ? this.#name("a name") : own });
    } while (this.#takeSymbol(","));
    return columns;
  }

  #from(): void {
    this.#word("FROM");
    this.#word("BLOBSTORAGE");
    if (this.#takeSymbol("[")) {
      this.#symbol("*");
      this.#symbol("]");
    }
    this.#takeWord("AS");
    const { kind, text } = this.#peek();
    if (kind === "quoted" || (kind === "word" && !["WHERE", "LIMIT"].includes(text.toUpperCase()))) {
      this.#tables.add(this.#take().text.toUpperCase());
    }
  }

  #limit(): number {
    const { kind, text } = this.#peek();
    if (kind !== "number" || !/^\d+$/u.test(text)) {
      throw this.#unexpected("a whole number");
    }
    return Number(this.#take().text);
  }

  #expression(): Expression {
    this.#depth += 1;
    if (this.#depth > DEPTH_LIMIT) {
      throw this.#unexpected("something less deep");
    }
    let left = this.#and();
    while (this.#takeWord("OR")) {
      left = this.#joined("OR", left, this.#and());
    }
    this.#depth -= 1;
    return left;
  }

  #and(): Expression {
    let left = this.#not();
    while (this.#takeWord("AND")) {
      left = this.#joined("AND", left, this.#not());
    }
    return left;
  }

  #not(): Expression {
    let isNegated = false;
    while (this.#takeWord("NOT")) {
      isNegated = !isNegated;
    }
    const operand = this.#predicate();
    return isNegated ? { kind: "not", operand } : operand;
  }

  #predicate(): Expression {
    const operand = this.#sum();
    if (this.#takeWord("IS")) {
      const isNegated = this.#takeWord("NOT");
      this.#word("NULL");
      return negated({ kind: "isNull", operand }, isNegated);
    }
    const isNegated = this.#takeWord("NOT");
    if (this.#takeWord("IN")) {
      return negated({ kind: "in", operand, choices: this.#list() }, isNegated);
    }
    if (this.#takeWord("BETWEEN")) {
      const least: Expression = { kind: "binary", operator: ">=", left: operand, right: this.#sum() };
      this.#word("AND");
      const most: Expression = { kind: "binary", operator: "<=", left: operand, right: this.#sum() };
      return negated({ kind: "binary", operator: "AND", left: least, right: most }, isNegated);
    }
    if (this.#takeWord("LIKE")) {
      const pattern = this.#sum();
      return negated({ kind: "like", operand, pattern, escape: this.#escape() }, isNegated);
    }
    if (isNegated) {
      throw this.#unexpected("IN, BETWEEN or LIKE");
    }
    for (const operator of ["=", "<>", "!=", "<=", ">=", "<", ">"] as const) {
      if (this.#takeSymbol(operator)) {
        const right = this.#sum();
        return { kind: "binary", operator: operator === "!=" ? "<>" : operator, left: operand, right };
      }
    }
    return operand;
  }

  #escape(): string {
    if (!this.#takeWord("ESCAPE")) {
      return "";
    }
    const { kind, text } = this.#peek();
    if (kind !== "string" || text.length !== 1) {
      throw this.#unexpected("a text of one character");
    }
    return this.#take().text;
  }

  #sum(): Expression {
    return this.#chain(["+", "-", "||"], () => this.#chain(["*", "/", "%"], () => this.#unary()));
  }

  #chain(operators: readonly BinaryOperator[], operand: () => Expression): Expression {
    let left = operand();
    for (;;) {
      const operator = operators.find((symbol) => this.#takeSymbol(symbol));
      if (operator === undefined) {
        return left;
      }
      left = this.#joined(operator, left, operand());
    }
  }

  #joined(operator: BinaryOperator, left: Expression, right: Expression): Expression {
    this.#operators += 1;
    if (this.#operators > OPERATOR_LIMIT) {
      throw this.#unexpected(`no more than ${OPERATOR_LIMIT} operators`);
    }
    return { kind: "binary", operator, left, right };
  }

  #unary(): Expression {
    let isNegative = false;
    for (;;) {
      if (this.#takeSymbol("-")) {
        isNegative = !isNegative;
      } else if (!this.#takeSymbol("+")) {
        break;
      }
    }
    const operand = this.#primary();
    return isNegative ? { kind: "negate", operand } : operand;
  }

  #primary(): Expression {
    if (this.#takeSymbol("(")) {
      const inner = this.#expression();
      this.#symbol(")");
      return inner;
    }
    const { kind, text } = this.#peek();
    if (kind === "number" || kind === "string") {
      this.#take();
      return { kind: "literal", value: kind === "number" ? Number(text) : text };
    }
    const known = kind === "word" ? text.toUpperCase() : "";
    if (LITERALS.has(known)) {
      this.#take();
      return { kind: "literal", value: LITERALS.get(known) ?? null };
    }
    const after = this.#tokens[this.#next + 1];
    const isCall = kind === "word" && after?.kind === "symbol" && after.text === "(";
    return isCall ? this.#call() : this.#column();
  }

  #call(): Expression {
    const start = this.#next;
    const written = this.#take().text.toUpperCase();
    const name = written === "CHARACTER_LENGTH" ? "CHAR_LENGTH" : written;
    if (name === "CAST") {
      return this.#cast();
    }
    if (isAggregate(name)) {
      return this.#aggregate(name);
    }
    if (!isFunction(name)) {
      this.#next = start;
      throw this.#unexpected(`one of ${[...Object.keys(FUNCTIONS), ...AGGREGATES, "CAST"].join(", ")}`);
    }
    const parameters = this.#list();
    const [least, most] = FUNCTIONS[name];
    if (parameters.length < least || parameters.length > most) {
      this.#next = start;
      throw this.#unexpected(`${name} with ${least} to ${most} parameters`);
    }
    return { kind: "call", name, parameters };
  }

  #cast(): Expression {
    this.#symbol("(");
    const operand = this.#expression();
    this.#word("AS");
    const written = this.#peek().text.toUpperCase();
    const type = CAST_NAMES.get(written);
    if (type === undefined) {
      throw this.#unexpected(`one of ${CAST_TYPES.join(", ")}`);
    }
    this.#take();
    this.#symbol(")");
    return { kind: "cast", operand, type };
  }

  #aggregate(name: AggregateName): Expression {
    this.#symbol("(");
    const operand = name === "COUNT" && this.#takeSymbol("*") ? undefined : this.#expression();
    this.#symbol(")");
    return { kind: "aggregate", name, operand };
  }

  #column(): Expression {
    const path = [this.#name("a value")];
    while (this.#takeSymbol(".")) {
      path.push(this.#name("a name"));
    }
    return {
      kind: "column",
      path: path.length > 1 && this.#tables.has(path[0]?.toUpperCase() ?? "") ? path.slice(1) : path,
    };
  }

  #list(): readonly Expression[] {
    this.#symbol("(");
    const items = [this.#expression()];
    while (this.#takeSymbol(",")) {
      items.push(this.#expression());
    }
    this.#symbol(")");
    return items;
  }

  #name(wanted: string): string {
    const { kind, text } = this.#peek();
    if (kind !== "quoted" && (kind !== "word" || RESERVED.has(text.toUpperCase()))) {
      throw this.#unexpected(wanted);
    }
    return this.#take().text;
  }

  #peek(): Token {
    return this.#tokens[this.#next] ?? { kind: "end", text: "", at: this.#text.length };
  }

  #take(): Token {
    const token = this.#peek();
    this.#next += 1;
    return token;
  }

  #takeWord(word: string): boolean {
    const { kind, text } = this.#peek();
    const isThere = kind === "word" && text.toUpperCase() === word;
    this.#next += isThere ? 1 : 0;
    return isThere;
  }

  #takeSymbol(symbol: string): boolean {
    const { kind, text } = this.#peek();
    const isThere = kind === "symbol" && text === symbol;
    this.#next += isThere ? 1 : 0;
    return isThere;
  }

  #word(word: string): void {
    if (!this.#takeWord(word)) {
      throw this.#unexpected(word);
    }
  }

  #symbol(symbol: string): void {
    if (!this.#takeSymbol(symbol)) {
      throw this.#unexpected(symbol);
    }
  }

  #unexpected(wanted: string): Error {
    return unexpected(this.#text, this.#peek().at, wanted);
  }
}

const LITERALS: ReadonlyMap<string, Scalar> = new Map<string, Scalar>([
  ["TRUE", true],
  ["FALSE", false],
  ["NULL", null],
]);

const RESERVED: ReadonlySet<string> = new Set(["SELECT", "FROM", "WHERE", "LIMIT", "AND", "OR", "NOT", "AS", "IN"]);

const CAST_NAMES: ReadonlyMap<string, CastType> = new Map<string, CastType>([
  ...CAST_TYPES.map((type) => [type, type] as const),
  ["INTEGER", "INT"],
  ["DECIMAL", "FLOAT"],
  ["NUMERIC", "FLOAT"],
  ["BOOLEAN", "BOOL"],
]);

function negated(operand: Expression, isNegated: boolean): Expression {
  return isNegated ? { kind: "not", operand } : operand;
}

function isFunction(name: string): name is FunctionName {
  return Object.hasOwn(FUNCTIONS, name);
}

function isAggregate(name: string): name is AggregateName {
  return (AGGREGATES as readonly string[]).includes(name);
}
