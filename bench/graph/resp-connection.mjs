import { connect } from "node:net";

const CARRIAGE_RETURN = 13;

/** One connection that speaks RESP2: a command at a time, and its answer as arrays, texts, numbers and nulls. */
export class RespConnection {
  #socket;
  #waiting;
  #bytes = Buffer.alloc(0);
  #at = 0;

  /** @param {number} port */
  static async open(port) {
    const connection = new RespConnection();
    connection.#socket = connect({ host: "127.0.0.1", port, noDelay: true });
    await new Promise((resolve, reject) => connection.#socket.once("connect", resolve).once("error", reject));
    connection.#socket.on("data", (part) => connection.#take(part));
    const fail = (error) => connection.#waiting?.reject(error ?? new Error("the server closed the connection"));
    connection.#socket.on("error", fail).on("close", () => fail());
    return connection;
  }

  /** @param {readonly string[]} words @throws the server's error */
  command(words) {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`);
      this.#socket.write(`*${words.length}\r\n${parts.join("")}`);
    });
  }

  get isClosed() {
    return this.#socket.destroyed;
  }

  close() {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  #take(part) {
    this.#bytes = this.#bytes.length === 0 ? part : Buffer.concat([this.#bytes, part]);
    // A long answer is read once it seems whole: to try at every part would take the square of its length.
    if (this.#bytes.at(-1) !== 10) {
      return;
    }
    this.#at = 0;
    let value;
    try {
      value = this.#value();
    } catch (error) {
      if (error instanceof Incomplete) {
        return;
      }
      throw error;
    }
    this.#bytes = Buffer.alloc(0);
    const { resolve, reject } = this.#waiting;
    (value instanceof Error ? reject : resolve)(value);
  }

  #value() {
    const line = this.#line();
    const rest = line.slice(1);
    switch (line[0]) {
      case "+":
        return rest;
      case "-":
        return new Error(rest);
      case ":":
        return Number(rest);
      case "$":
        return rest === "-1" ? null : this.#text(Number(rest));
      default:
        return rest === "-1" ? null : Array.from({ length: Number(rest) }, () => this.#value());
    }
  }

  #line() {
    const end = this.#bytes.indexOf(CARRIAGE_RETURN, this.#at);
    if (end < 0 || end + 2 > this.#bytes.length) {
      throw new Incomplete();
    }
    const line = this.#bytes.latin1Slice(this.#at, end);
    this.#at = end + 2;
    return line;
  }

  #text(length) {
    const end = this.#at + length;
    if (end + 2 > this.#bytes.length) {
      throw new Incomplete();
    }
    const text = this.#bytes.utf8Slice(this.#at, end);
    this.#at = end + 2;
    return text;
  }
}

class Incomplete extends Error {}
