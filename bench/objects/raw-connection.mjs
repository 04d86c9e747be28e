import { connect } from "node:net";

const HEADERS_END = Buffer.from("\r\n\r\n");
const CHUNKS_END = Buffer.from("0\r\n\r\n");

/**
 * One kept-alive connection that sends prepared bytes and reads one answer. A whole HTTP client would take more of the
 * processor than the servers under test, and they share it.
 */
export class RawConnection {
  #socket;
  #waiting;
  #answer;

  /** @param {number} port */
  static async open(port) {
    const connection = new RawConnection();
    connection.#socket = connect({ host: "127.0.0.1", port, noDelay: true });
    await new Promise((resolve, reject) => connection.#socket.once("connect", resolve).once("error", reject));
    connection.#socket.on("data", (part) => connection.#take(part));
    const fail = (error) => connection.#waiting?.reject(error ?? new Error("the server closed the connection"));
    connection.#socket.on("error", fail).on("close", () => fail());
    return connection;
  }

  /**
   * @param {Buffer | readonly Buffer[]} request  head and body, together or in parts, which leave in one call
   * @param {boolean} keepsBody  whether the answer's body is wanted, for a check
   * @returns {Promise<{status: number, bytes: number, body?: Buffer}>}
   */
  exchange(request, keepsBody = false) {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#answer = { head: undefined, parts: keepsBody ? [] : undefined, bytes: 0, tail: Buffer.alloc(0) };
      this.#send(request);
    });
  }

  get isClosed() {
    return this.#socket.destroyed;
  }

  close() {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  #send(request) {
    if (!Array.isArray(request)) {
      this.#socket.write(request);
      return;
    }
    this.#socket.cork();
    request.forEach((part) => this.#socket.write(part));
    this.#socket.uncork();
  }

  #take(part) {
    const answer = this.#answer;
    if (answer === undefined) {
      return;
    }
    let body = part;
    if (answer.head === undefined) {
      answer.tail = answer.tail.length === 0 ? part : Buffer.concat([answer.tail, part]);
      const end = answer.tail.indexOf(HEADERS_END);
      if (end < 0) {
        return;
      }
      answer.head = readHead(answer.tail.toString("latin1", 0, end));
      body = answer.tail.subarray(end + HEADERS_END.length);
      answer.tail = Buffer.alloc(0);
    }
    answer.bytes += body.length;
    answer.parts?.push(body);
    if (this.#isComplete(answer, body)) {
      this.#answer = undefined;
      const whole = answer.parts === undefined ? undefined : Buffer.concat(answer.parts);
      this.#waiting.resolve({ status: answer.head.status, bytes: answer.bytes, body: whole });
    }
  }

  #isComplete(answer, body) {
    if (!answer.head.chunked) {
      return answer.bytes >= answer.head.length;
    }
    answer.tail = Buffer.concat([answer.tail, body]).subarray(-CHUNKS_END.length);
    return answer.tail.equals(CHUNKS_END);
  }
}

function readHead(text) {
  return {
    status: Number(text.slice(9, 12)),
    length: Number(/\r\ncontent-length: *(\d+)/i.exec(text)?.[1] ?? 0),
    chunked: /\r\ntransfer-encoding: *chunked/i.test(text),
  };
}
