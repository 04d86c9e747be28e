/** Connections that are handed from one operation to the next, so that as many are open as operations ran at once. */
export class ConnectionPool {
  #open;
  #idle = [];
  #all = new Set();

  /** @param {() => Promise<{close: () => void}>} open */
  constructor(open) {
    this.#open = open;
  }

  /** @template T @param {(connection: any) => Promise<T>} use @returns {Promise<T>} */
  async with(use) {
    const connection = this.#idle.pop() ?? (await this.#open());
    this.#all.add(connection);
    const result = await use(connection);
    this.#idle.push(connection);
    return result;
  }

  close() {
    this.#all.forEach((connection) => connection.close());
    this.#all.clear();
    this.#idle = [];
  }
}
