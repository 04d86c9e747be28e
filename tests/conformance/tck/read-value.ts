import { type TckNode, type TckPath, type TckRelationship, type TckValue } from "./tck-value.ts";

/**
 * Reads a value in the TCK's notation: `1`, `1.0`, `NaN`, `'text'`, `[…]`, `{k: v}`, `(:A {p: 1})`, `[:T {p: 1}]`,
 * `<(:A)-[:T]->(:B)>`.
 *
 * @throws Error  naming the text, when it is none
 */
export function readValue(text: string): TckValue {
  const reader = new ValueReader(text);
  const value = reader.value();
  reader.end();
  return value;
}

class ValueReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(): TckValue {
    this.#blanks();
    switch (this.#text[this.#at]) {
      case "'":
        return { kind: "string", value: this.#string() };
      case "[":
        return /^\[\s*:/.test(this.#rest()) ? this.#relationship() : this.#list();
      case "{":
        return { kind: "map", entries: this.#entries() };
      case "(":
        return this.#node();
      case "<":
        return this.#path();
      default:
        return this.#word();
    }
  }

  end(): void {
    this.#blanks();
    if (this.#at !== this.#text.length) {
      throw this.#error();
    }
  }

  #word(): TckValue {
    const word = /^[^\s,\]}]+/.exec(this.#rest())?.[0] ?? "";
    this.#at += word.length;
    if (word === "null") {
      return { kind: "null" };
    }
    if (word === "true" || word === "false") {
      return { kind: "boolean", value: word === "true" };
    }
    if (/^[+-]?\d+$/.test(word)) {
      return { kind: "integer", value: BigInt(word) };
    }
    const named = { NaN: Number.NaN, Inf: Infinity, "-Inf": -Infinity }[word];
    const float = named ?? (/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(word) ? Number(word) : undefined);
    if (float === undefined) {
      throw this.#error();
    }
    return { kind: "float", value: float };
  }

  #string(): string {
    this.#take("'");
    let value = "";
    while (this.#text[this.#at] !== "'") {
      if (this.#at >= this.#text.length) {
        throw this.#error();
      }
      if (this.#text[this.#at] === "\\" && "'\\".includes(this.#text[this.#at + 1] ?? " ")) {
        this.#at += 1;
      }
      value += this.#text[this.#at];
      this.#at += 1;
    }
    this.#take("'");
    return value;
  }

  #list(): TckValue {
    const items: TckValue[] = [];
    this.#take("[");
    while (!this.#tookIf("]")) {
      items.push(this.value());
      this.#tookIf(",");
    }
    return { kind: "list", items };
  }

  #entries(): Map<string, TckValue> {
    const entries = new Map<string, TckValue>();
    this.#take("{");
    while (!this.#tookIf("}")) {
      const key = this.#name();
      this.#take(":");
      entries.set(key, this.value());
      this.#tookIf(",");
    }
    return entries;
  }

  #node(): TckNode {
    const labels: string[] = [];
    this.#take("(");
    while (this.#tookIf(":")) {
      labels.push(this.#name());
    }
    const properties = this.#properties();
    this.#take(")");
    return { kind: "node", labels, properties };
  }

  #relationship(): TckRelationship {
    this.#take("[");
    this.#take(":");
    const type = this.#name();
    const properties = this.#properties();
    this.#take("]");
    return { kind: "relationship", type, properties };
  }

  #properties(): Map<string, TckValue> {
    this.#blanks();
    return this.#text[this.#at] === "{" ? this.#entries() : new Map();
  }

  #path(): TckPath {
    this.#take("<");
    const start = this.#node();
    const steps: TckPath["steps"][number][] = [];
    while (!this.#tookIf(">")) {
      const backward = this.#tookIf("<");
      this.#take("-");
      const relationship = this.#relationship();
      this.#take("-");
      if (!backward) {
        this.#take(">");
      }
      steps.push({ relationship, forward: !backward, node: this.#node() });
    }
    return { kind: "path", start, steps };
  }

  #name(): string {
    this.#blanks();
    const name = /^(?:`([^`]+)`|[^\s:{}()[\],]+)/.exec(this.#rest());
    if (name === null) {
      throw this.#error();
    }
    this.#at += name[0].length;
    return name[1] ?? name[0];
  }

  #take(token: string): void {
    if (!this.#tookIf(token)) {
      throw this.#error();
    }
  }

  #tookIf(token: string): boolean {
    this.#blanks();
    const found = this.#text.startsWith(token, this.#at);
    this.#at += found ? token.length : 0;
    return found;
  }

  #blanks(): void {
    while (/\s/.test(this.#text[this.#at] ?? "x")) {
      this.#at += 1;
    }
  }

  #rest(): string {
    return this.#text.slice(this.#at);
  }

  #error(): Error {
    return new Error(`no value of the TCK at ${this.#at}: ${this.#text}`);
  }
}
