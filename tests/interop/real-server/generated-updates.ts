import { type Dice } from "./dice.ts";

/** What the generated updates start from. */
export const THREE = "CREATE (a:P {k: 1}), (b:P {k: 2}), (c:P {k: 3}), (a)-[r:R {w: 1}]->(b)";

/** One statement of the 2.3 language that changes {@link THREE}: up to three updates after a MATCH. */
export function generateUpdate(dice: Dice): string {
  return new UpdateGenerator(dice).statement();
}

class UpdateGenerator {
  readonly #dice: Dice;
  readonly #nodes: string[] = [];
  readonly #relationships: string[] = [];
  #made = 0;

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  statement(): string {
    const dice = this.#dice;
    let text = dice.do(
      () => this.#known(["a"], [], "MATCH (a:P {k: 1}) "),
      () => this.#known(["a"], [], "MATCH (a:P) "),
      () => this.#known(["a", "b"], [], "MATCH (a:P {k: 3}), (b:P {k: 2}) "),
      () => this.#known(["a", "b"], ["r"], "MATCH (a:P)-[r:R]->(b) "),
    );
    for (let count = dice.pick([1, 1, 2, 2, 3]); count > 0; count -= 1) {
      text += this.#update();
    }
    return `${text}RETURN count(*)`;
  }

  #known(nodes: readonly string[], relationships: readonly string[], text: string): string {
    this.#nodes.push(...nodes);
    this.#relationships.push(...relationships);
    return text;
  }

  #fresh(): string {
    this.#made += 1;
    return `n${this.#made}`;
  }

  #update(): string {
    const dice = this.#dice;
    const node = (): string => dice.pick(this.#nodes);
    const any = (): string => dice.pick([...this.#nodes, ...this.#relationships]);
    return dice.do(
      () => this.#create(),
      () => this.#create(),
      () => `SET ${any()}.x = ${this.#value()} `,
      () => `SET ${any()}.k = ${this.#value()}, ${node()}.y = ${this.#value()} `,
      () => `SET ${node()}:New `,
      () => `SET ${any()} = {z: ${this.#value()}} `,
      () => `SET ${any()} += {z: ${this.#value()}} `,
      () => `SET ${node()} = ${any()} `,
      () => `REMOVE ${any()}.k `,
      () => `REMOVE ${node()}:P `,
      () => (this.#relationships.length === 0 ? `REMOVE ${node()}.x ` : `DELETE ${dice.pick(this.#relationships)} `),
      () => `FOREACH (x IN ${dice.pick(["[1, 2]", "[]", "null", "range(1, 2)"])} | CREATE (:F {v: x})) `,
      () => `FOREACH (x IN [1, 2] | SET ${node()}.f = x) `,
      () => `MERGE (${node()})-[:${dice.pick(["R", "S"])}]->(${node()}) `,
    );
  }

  #create(): string {
    const { pick, chance } = { pick: this.#dice.pick.bind(this.#dice), chance: this.#dice.chance.bind(this.#dice) };
    const created = this.#fresh();
    const other = pick(this.#nodes);
    const node = `(${created}${pick(["", ":Q", ":Q:Z"])}${pick(["", ` {x: ${this.#value()}}`])})`;
    this.#nodes.push(created);
    if (chance(0.5)) {
      return `CREATE ${node} `;
    }
    const relationship = this.#fresh();
    this.#relationships.push(relationship);
    const type = `[${relationship}:S${pick(["", ` {w: ${this.#value()}}`])}]`;
    return `CREATE ${chance(0.5) ? `(${other})-${type}->${node}` : `${node}-${type}->(${other})`} `;
  }

  #value(): string {
    const dice = this.#dice;
    const property = `${dice.pick(this.#nodes)}.${dice.pick(["k", "nope"])}`;
    return dice.pick([
      "1",
      "2.5",
      "'x'",
      "true",
      "null",
      "[1, 2]",
      "['a']",
      "[]",
      "1 + 1",
      "{a: 1}",
      "[1, 'a']",
      property,
    ]);
  }
}
