// Asks two servers the same generated requests and shows where their answers differ. Both are emptied.
//   node scripts/run-typescript.mjs tests/interop/graph-differential/main.ts --model http://127.0.0.1:17474 \
//     --ours http://127.0.0.1:7474 [--seed 1] [--count 2000]
// The model is a real 2.3 server without authentication; ours runs with graph.compatibility=2.3 and without as well.
import { isDeepStrictEqual, parseArgs } from "node:util";
import { type CanonicalAnswer, canonicalAnswer } from "./canonical-answer.ts";
import { Dice, type GeneratedRequest, generateRequest } from "./generate-request.ts";

/** After so many requests everything is emptied, so that a difference in state does not go on for ever. */
const ROUND = 60;

/** @returns  the exit code: 0 when all answers agree, 1 when some differ, 2 without the two addresses */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      model: { type: "string" },
      ours: { type: "string" },
      seed: { type: "string", default: "1" },
      count: { type: "string", default: "2000" },
    },
  });
  if (values.model === undefined || values.ours === undefined) {
    console.error("usage: --model <url> --ours <url> [--seed 1] [--count 2000]");
    return 2;
  }
  const differences = await compare(values.model, values.ours, Number(values.seed), Number(values.count));
  console.log(`${values.count} requests, ${differences} differences`);
  return differences === 0 ? 0 : 1;
}

async function compare(model: string, ours: string, seed: number, count: number): Promise<number> {
  const dice = new Dice(seed);
  const seen = new Set<string>();
  let pair = [new Side(model), new Side(ours)] as const;
  let differences = 0;
  for (let at = 0; at < count; at++) {
    if (at % ROUND === 0) {
      pair = [new Side(model), new Side(ours)];
      await Promise.all(pair.map((side) => side.empty()));
    }
    const [expected, actual] = pair;
    const request = generateRequest(dice, expected);
    const [wanted, given] = await Promise.all([expected.ask(request), actual.ask(request)]);
    if (!agrees(wanted, given)) {
      differences++;
      // One of a kind is shown whole: the rest would hide others.
      const kind = `${request.method} ${request.path.replaceAll(/[{\d}]+/g, "#")} ${wanted.status} ${given.status}`;
      if (!seen.has(kind)) {
        seen.add(kind);
        console.log(
          `${request.method} ${request.path} ${request.body ?? ""}\n  model ${shown(wanted)}\n  ours  ${shown(given)}`,
        );
      }
      at += ROUND - 1 - (at % ROUND);
    }
  }
  return differences;
}

/** Where the model server breaks down any error will do, and what it could not do at all is nothing to go by. */
function agrees(wanted: CanonicalAnswer, given: CanonicalAnswer): boolean {
  const { status, body } = wanted;
  if (status === 500 && body === null) {
    return given.status >= 400;
  }
  const isNamed = typeof body === "object" && body !== null && "exception" in body;
  const hasBrokenJob = Array.isArray(body) && body.some((job: { status?: number }) => job.status === 500);
  return hasBrokenJob || (isNamed && body.exception === "NullPointerException") || isDeepStrictEqual(wanted, given);
}

function shown(answer: CanonicalAnswer): string {
  return JSON.stringify(answer).slice(0, 700);
}

/** One of the two servers, with what was made there. */
class Side {
  readonly #base: string;
  readonly #nodes: string[] = [];
  readonly #relationships: string[] = [];

  constructor(base: string) {
    this.#base = base;
  }

  get nodes(): number {
    return this.#nodes.length;
  }

  get relationships(): number {
    return this.#relationships.length;
  }

  async ask(request: GeneratedRequest): Promise<CanonicalAnswer> {
    const response = await fetch(this.#base + this.#named(request.path), {
      method: request.method,
      headers: request.headers,
      redirect: "manual",
      ...(request.body === undefined ? {} : { body: this.#named(request.body) }),
    });
    const text = await response.text();
    const made = /\/(node|relationship)\/(\d+)$/.exec(response.headers.get("location") ?? "");
    if (made !== null) {
      (made[1] === "node" ? this.#nodes : this.#relationships).push(made[2] ?? "");
    }
    const names = { base: this.#base, nodes: this.#nodes, relationships: this.#relationships };
    return canonicalAnswer(response.status, response.headers, text, names);
  }

  /** Without nodes, relationships, indexes and constraints. */
  async empty(): Promise<void> {
    const run = (statement: string): Promise<Response> =>
      fetch(`${this.#base}/db/data/transaction/commit`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ statements: [{ statement }] }),
      });
    await run("MATCH (n) OPTIONAL MATCH (n)-[r]-() DELETE r, n");
    for (const index of ["node/first", "node/second", "relationship/first", "relationship/second"]) {
      const [kind = "", name] = index.split("/");
      await fetch(`${this.#base}/db/data/index/${index}`, { method: "DELETE" });
      // There from the beginning: the model server makes one even when it is asked to remove an entry of none.
      await fetch(`${this.#base}/db/data/index/${kind}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ name }),
      });
    }
    for (const [path, statement] of [
      [
        "constraint",
        (label: string, key: string) => `DROP CONSTRAINT ON (n:\`${label}\`) ASSERT n.\`${key}\` IS UNIQUE`,
      ],
      ["index", (label: string, key: string) => `DROP INDEX ON :\`${label}\`(\`${key}\`)`],
    ] as const) {
      const listed = await fetch(`${this.#base}/db/data/schema/${path}`);
      for (const { label, property_keys: keys } of (await listed.json()) as {
        label: string;
        property_keys: string[];
      }[]) {
        await run(statement(label, keys[0] ?? ""));
      }
    }
  }

  #named(text: string): string {
    return text
      .replaceAll("{base}", this.#base)
      .replace(/\{n(\d+)\}/g, (_, at: string) => this.#nodes[Number(at)] ?? "9999999")
      .replace(/\{r(\d+)\}/g, (_, at: string) => this.#relationships[Number(at)] ?? "9999999");
  }
}
