/** How a client program and its test talk: JSON in on standard input, JSON out on standard output. */
export async function readInput() {
  const chunks = [];
  for await (const chunk of process.stdin) {
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString());
}

/** @param {unknown} value */
export function answer(value) {
  process.stdout.write(JSON.stringify(value));
}

/** What a client did: one cell of the matrix per flow and version of the endpoints. */
export class Flows {
  #cells = [];

  /**
   * Runs one flow; its failure is a cell as well, and the others go on.
   *
   * @param {string} flow
   * @param {1 | 2} version  of the endpoints
   * @param {() => Promise<{ token?: string, fact?: unknown }>} run  the access or id token that came out, or a fact
   * @returns {Promise<unknown>} what `run` gave, for flows that go on from there
   */
  async run(flow, version, run) {
    try {
      const result = await run();
      this.#cells.push({ flow, version, ...pick(result) });
      return result;
    } catch (error) {
      this.#cells.push({ flow, version, failure: [error, error.cause].map(String).join(" | ").slice(0, 1000) });
      return {};
    }
  }

  /** Tells the test everything. */
  answer() {
    answer(this.#cells);
  }
}

function pick({ token, fact }) {
  return { ...(token === undefined ? {} : { token }), ...(fact === undefined ? {} : { fact }) };
}
