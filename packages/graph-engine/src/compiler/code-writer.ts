/** Collects generated code line by line; a section inserted early can be filled later. */
export class CodeWriter {
  readonly #parts: (string | CodeWriter)[] = [];

  get isEmpty(): boolean {
    return this.#parts.every((part) => typeof part !== "string" && part.isEmpty);
  }

  line(text: string): void {
    this.#parts.push(text);
  }

  /** `header {`, the lines of `body`, `}`. */
  block(header: string, body: () => void): void {
    this.#parts.push(header === "" ? "{" : `${header} {`);
    body();
    this.#parts.push("}");
  }

  /** A place in the code that is written to later. */
  section(): CodeWriter {
    const section = new CodeWriter();
    this.#parts.push(section);
    return section;
  }

  append(other: CodeWriter): void {
    this.#parts.push(other);
  }

  toString(): string {
    const lines: string[] = [];
    this.#collect(lines);
    return indent(lines);
  }

  #collect(lines: string[]): void {
    for (const part of this.#parts) {
      if (typeof part === "string") {
        lines.push(part);
      } else {
        part.#collect(lines);
      }
    }
  }
}

/** Two blanks for every block that is open: the lines themselves never carry any. */
function indent(lines: readonly string[]): string {
  let depth = 0;
  return lines
    .map((line) => {
      depth -= line.startsWith("}") ? 1 : 0;
      const indented = "  ".repeat(depth) + line;
      depth += line.endsWith("{") ? 1 : 0;
      return indented;
    })
    .join("\n");
}
