import type { Server as PlainServer } from "node:http";
import type { Server as TlsServer } from "node:https";
import type { Socket } from "node:net";

/**
 * The connections of servers, for closing those that node's own lists miss: it counts one as busy until its first
 * request is answered, also when nothing was ever sent on it (browsers and fetch open such in advance), and does not
 * know those whose TLS handshake is still going on.
 */
export class OpenConnections {
  readonly #sockets = new Set<Socket>();
  #silentBefore: ReadonlySet<Socket> = new Set();

  /** From now on; connections that are there already are missed. */
  watch(server: PlainServer | TlsServer): void {
    const add = (socket: Socket): void => {
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
    };
    server.on("connection", add);
    // With TLS that one carries the ciphertext, and this one what was sent.
    server.on("secureConnection", add);
  }

  /** Closes those that nothing had come on at the last call and nothing has come on since: it may have been on its way. */
  closeSilent(): void {
    const silent = new Set([...this.#sockets].filter(({ bytesRead }) => bytesRead === 0));
    for (const socket of silent) {
      if (this.#silentBefore.has(socket)) {
        socket.destroy();
      }
    }
    this.#silentBefore = silent;
  }

  closeAll(): void {
    for (const socket of this.#sockets) {
      socket.destroy();
    }
  }
}
