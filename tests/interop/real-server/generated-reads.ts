import { type Dice } from "./dice.ts";

/** What the generated statements are about: five nodes, seven relationships, one of them a loop. */
export const PEOPLE = `CREATE (a:Person {name: 'Ann', age: 30, tags: ['x', 'y']}), (b:Person {name: 'Bob', age: 40}),
  (c:Person:Admin {name: 'Cid', age: 50}), (d:Person {name: 'Dee'}), (e:City {name: 'Oslo', pop: 1000000}),
  (a)-[:KNOWS {since: 2000}]->(b), (b)-[:KNOWS {since: 2005}]->(c), (c)-[:KNOWS {since: 2010}]->(a),
  (c)-[:LIKES]->(d), (a)-[:LIVES_IN]->(e), (b)-[:LIVES_IN]->(e), (d)-[:LIKES]->(d)`;

export const PARAMETERS = { i: 1, name: "Ann", list: [1, 2, null] };

const LABELS = ["", "", ":Person", ":City", ":Admin", ":Nope", ":Person:Admin"];
const TYPES = ["", "", ":KNOWS", ":LIKES", ":LIVES_IN", ":KNOWS|LIKES", ":KNOWS|:LIKES", ":NOPE"];
const LENGTHS = ["*", "*1..2", "*0..1", "*2", "*..2", "*2..", "*0.."];
const ARROWS = [
  ["-", "->"],
  ["<-", "-"],
  ["-", "-"],
] as const;

/** One statement of the 2.3 language that reads {@link PEOPLE}; about one in four is wrong in some way. */
export function generateRead(dice: Dice): string {
  return new ReadGenerator(dice).statement();
}

class ReadGenerator {
  readonly #dice: Dice;
  #nodes = new Set<string>();
  #relationships = new Set<string>();
  #hasPath = false;

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  statement(): string {
    const dice = this.#dice;
    let text = "";
    for (let clause = 0; clause < dice.pick([1, 1, 1, 2]); clause += 1) {
      text += dice.chance(0.12) ? this.#unwind() : this.#match(clause > 0);
      if (dice.chance(0.15) && this.#nodes.size > 0) {
        text += this.#with();
      }
    }
    return `${text}RETURN ${this.#results()}`;
  }

  #unwind(): string {
    const list = this.#dice.pick(["[1, 2, 3]", "{list}", "[]", "range(1, 3)", "null", "['Ann', 'Bob']"]);
    return `UNWIND ${list} AS ${this.#dice.pick(["i", "j"])} `;
  }

  #match(isLater: boolean): string {
    const dice = this.#dice;
    const optional = dice.chance(isLater ? 0.5 : 0.08) ? "OPTIONAL " : "";
    const second = dice.chance(0.15) ? `, ${this.#path()}` : "";
    const where = dice.chance(0.4);
    const pattern = `${optional}MATCH ${this.#namedPath()}${second} `;
    return where ? `${pattern}WHERE ${this.#predicate(0)} ` : pattern;
  }

  #with(): string {
    const kept = [...this.#nodes].slice(0, 2);
    const more = this.#dice.pick(["", "", ", count(*) AS n", ", size((" + (kept[0] ?? "") + ")--()) AS n"]);
    this.#nodes = new Set(kept);
    this.#relationships = new Set();
    this.#hasPath = false;
    const where = this.#dice.chance(0.3) ? `WHERE ${this.#predicate(0)} ` : "";
    return `WITH ${kept.join(", ")}${more} ${where}`;
  }

  #namedPath(): string {
    if (this.#hasPath || !this.#dice.chance(0.2)) {
      return this.#path();
    }
    const path = this.#path();
    this.#hasPath = true;
    return `p = ${path}`;
  }

  #path(): string {
    const dice = this.#dice;
    let text = this.#node();
    for (let hop = 0; hop < dice.pick([0, 1, 1, 1, 2, 2, 3]); hop += 1) {
      text += this.#relationship(dice.chance(0.5)) + this.#node();
    }
    return text;
  }

  #node(): string {
    const dice = this.#dice;
    const name = dice.chance(0.15) ? "" : dice.pick(["a", "b", "c", "d"]);
    if (name !== "") {
      this.#nodes.add(name);
    }
    const map = dice.chance(0.15) ? ` {${dice.pick(["name: 'Ann'", "age: 30", "age: 40", "name: {name}"])}}` : "";
    return `(${name}${dice.pick(LABELS)}${map})`;
  }

  #relationship(mayHaveName: boolean): string {
    const dice = this.#dice;
    const [from, to] = dice.pick(ARROWS);
    const length = dice.chance(0.25) ? dice.pick(LENGTHS) : "";
    const name = mayHaveName && length === "" ? dice.pick(["r", "s", "t"]) : "";
    if (name !== "") {
      this.#relationships.add(name);
    }
    const inside = name + dice.pick(TYPES) + length;
    return `${from}${inside === "" ? "" : `[${inside}]`}${to}`;
  }

  #results(): string {
    const dice = this.#dice;
    const all = [...this.#nodes, ...this.#relationships, ...(this.#hasPath ? ["p"] : [])];
    const items = Array.from({ length: dice.pick([1, 1, 2, 2, 3]) }, (_unused, index) => {
      const item = dice.chance(0.25) && all.length > 0 ? dice.pick(all) : this.#column();
      return `${item} AS c${index}`;
    });
    return `${dice.chance(0.15) ? "DISTINCT " : ""}${items.join(", ")}`;
  }

  #column(): string {
    const dice = this.#dice;
    const aggregate = dice.pick(["count", "count", "count", "sum", "min", "max", "avg"]);
    return dice.chance(0.25) ? `${aggregate}(${this.#value(1)})` : this.#value(0);
  }

  #value(depth: number): string {
    const dice = this.#dice;
    const inner = (): string => this.#value(depth + 1);
    const literal = (): string =>
      dice.pick([
        "1",
        "2",
        "-1",
        "0",
        "2.5",
        "'a'",
        "'Ann'",
        "true",
        "null",
        "{i}",
        "{name}",
        "{list}",
        "[1, 2, 3]",
        "[]",
      ]);
    if (depth > 2) {
      return literal();
    }
    const nodes = [...this.#nodes];
    const relationships = [...this.#relationships];
    const property = (): string =>
      nodes.length === 0 ? literal() : `${dice.pick(nodes)}.${dice.pick(["name", "age", "pop", "tags", "nope"])}`;
    return dice.do(
      literal,
      property,
      property,
      property,
      () => (relationships.length === 0 ? literal() : `type(${dice.pick(relationships)})`),
      () => (relationships.length === 0 ? literal() : `${dice.pick(relationships)}.since`),
      () => (nodes.length === 0 ? literal() : `size(labels(${dice.pick(nodes)}))`),
      () => (this.#hasPath ? dice.pick(["length(p)", "size(nodes(p))", "[x IN rels(p) | type(x)]"]) : literal()),
      () => `${inner()} ${dice.pick(["+", "-", "*"])} ${inner()}`,
      () => `${dice.pick(["size", "toString", "head", "last", "upper", "trim", "abs", "tail"])}(${inner()})`,
      () => `coalesce(${inner()}, ${inner()})`,
      () => `CASE WHEN ${this.#predicate(depth + 1)} THEN ${inner()} ELSE ${inner()} END`,
      () => `[x IN ${dice.pick(["[1, 2, 3]", "range(0, 3)"])} WHERE x > 1 | ${dice.pick(["x", "x + 1", "x * x"])}]`,
      () => `[1, 2, 3][${dice.pick(["0", "-1", "5", "1..2", "..2", "1..", "{i}"])}]`,
      () => `[${inner()}, ${inner()}]`,
    );
  }

  #predicate(depth: number): string {
    const dice = this.#dice;
    const value = (): string => this.#value(depth + 1);
    const comparison = (): string => `${value()} ${dice.pick(["=", "<>", "=", "<", ">="])} ${value()}`;
    if (depth > 2) {
      return comparison();
    }
    const inner = (): string => this.#predicate(depth + 1);
    const node = (): string => dice.pick([...this.#nodes]);
    const onNode = (text: () => string): string => (this.#nodes.size === 0 ? comparison() : text());
    return dice.do(
      comparison,
      comparison,
      () => `${value()} IS ${dice.pick(["", "NOT "])}NULL`,
      () => onNode(() => `${node()}${dice.pick([":Person", ":City", ":Admin"])}`),
      () => onNode(() => `${dice.pick(["has", "exists"])}(${node()}.age)`),
      () =>
        onNode(() => `${dice.pick(["", "NOT "])}(${node()})${this.#relationship(false)}(${dice.pick(["", ":City"])})`),
      () => `(${inner()}) ${dice.pick(["AND", "OR", "XOR"])} (${inner()})`,
      () => `NOT (${inner()})`,
      () => `${value()} IN ${dice.pick(["[1, 2]", "{list}", "['Ann', 'Bob']", "[30, null]"])}`,
      () =>
        onNode(
          () =>
            `${node()}.name ${dice.pick(["=~", "STARTS WITH", "ENDS WITH", "CONTAINS"])} ${dice.pick(["'A.*'", "'A'", "'n'", "null"])}`,
        ),
      () =>
        `${dice.pick(["all", "any", "none", "single"])}(x IN [1, 2, 3] WHERE x ${dice.pick(["> 1", "= 1", "<> 2"])})`,
    );
  }
}
