/** Connections that are handed from one operation to the next, so that as many are open as operations ran at once. */
export class ConnectionPool {
  #open;
  #idle = [];
  #all = new Set();

  /** @param {() => Promise<{isClosed: boolean, close: () => void}>} open */
  constructor(open) {
    this.#open = open;
  }

  /** @template T @param {(connection: any) => Promise<T>} use @returns {Promise<T>} */
  async with(use) {
    const connection = this.#openIdle() ?? (await this.#open());
    this.#all.add(connection);
    try {
      const result = await use(connection);
      this.#idle.push(connection);
      return result;
    } catch (error) {
      this.#forget(connection);
      throw error;
    }
  }

  /** Servers close what nobody has used for long: who writes to it waits for ever. */
  #openIdle() {
    for (;;) {
      const connection = this.#idle.pop();
      if (connection?.isClosed !== true) {
        return connection;
      }
      this.#forget(connection);
    }
  }

  #forget(connection) {
    connection.close();
    this.#all.delete(connection);
  }

  close() {
    this.#all.forEach((connection) => connection.close());
    this.#all.clear();
    this.#idle = [];
  }
}
