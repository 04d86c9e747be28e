/** Where and why a text stopped being JSON. The wording is the one clients of this interface match on. */
export class JsonError extends Error {
  override readonly name = "JsonError";
  /** From 1. */
  readonly line: number;
  /** From 1; the column after the character that could not be read. */
  readonly column: number;

  constructor(message: string, line: number, column: number) {
    super(message);
    this.line = line;
    this.column = column;
  }

  /** The text of the transactional endpoint: the place is a line of its own (graph §7, graph-http §4.2). */
  get withSource(): string {
    return `${this.message}\n at [Source: HttpInput; line: ${this.line}, column: ${this.column}]`;
  }

  /** The text of the REST endpoints: the place follows in brackets. */
  get withPlace(): string {
    return `${this.message} [line: ${this.line}, column: ${this.column}]`;
  }
}
