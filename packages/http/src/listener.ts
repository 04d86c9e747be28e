import { StartError } from "@trefoil/base";
import type { Server as HttpServer } from "node:http";
import type { Server as HttpsServer } from "node:https";
import type { AddressInfo } from "node:net";

export interface ListenerOptions {
  /** IP addresses; see `addressesToBind`. */
  readonly addresses: readonly string[];
  /** 0: the system chooses. */
  readonly port: number;
}

/** Where a server can be reached. */
export interface ListeningAddress {
  readonly protocol: "http" | "https";
  readonly address: string;
  readonly port: number;
  /** `http://127.0.0.1:7474`, without a final slash. */
  readonly url: string;
}

/** With port 0 the system's choice for the first address may be taken on the second: how often to choose again. */
const maxPortChoices = 10;

/**
 * Binds one node server per address, all to the same port, also when the port is 0 and the system chooses it.
 * A machine without ::1 is tolerated as long as there is another address.
 *
 * @throws StartError "port", naming address and port
 */
export async function listenOnAll(
  protocol: "http" | "https",
  addresses: readonly string[],
  port: number,
  createServer: () => HttpServer | HttpsServer,
): Promise<{ servers: (HttpServer | HttpsServer)[]; bound: ListeningAddress[] }> {
  for (let attempt = 1; ; attempt += 1) {
    const servers: (HttpServer | HttpsServer)[] = [];
    const bound: ListeningAddress[] = [];
    try {
      for (const address of addresses) {
        const server = createServer();
        const chosen = bound[0]?.port ?? port;
        if (await listen(server, address, chosen, addresses.length > 1)) {
          servers.push(server);
          bound.push(describe(protocol, server.address() as AddressInfo));
        }
      }
      if (bound.length === 0) {
        throw new StartError("port", `none of the addresses ${addresses.join(", ")} exists on this machine`);
      }
      return { servers, bound };
    } catch (error) {
      for (const server of servers) {
        server.close();
      }
      if (port !== 0 || attempt === maxPortChoices) {
        throw error;
      }
    }
  }
}

function listen(
  server: HttpServer | HttpsServer,
  address: string,
  port: number,
  isOneOfSeveral: boolean,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (isOneOfSeveral && address === "::1" && isMissingFamily(error)) {
        resolve(false);
      } else {
        reject(describeFailure(error, address, port));
      }
    });
    server.listen({ host: address, port, exclusive: true }, () => resolve(true));
  });
}

function isMissingFamily(error: NodeJS.ErrnoException): boolean {
  return error.code === "EADDRNOTAVAIL" || error.code === "EAFNOSUPPORT" || error.code === "EINVAL";
}

function describeFailure(error: NodeJS.ErrnoException, address: string, port: number): StartError {
  const where = `port ${port} of address ${address}`;
  const reason =
    {
      EADDRINUSE: `${where} is already in use by another process`,
      EACCES: `${where} may not be opened by this user (ports below 1024 need a privilege)`,
      EADDRNOTAVAIL: `address ${address} (for port ${port}) does not exist on this machine`,
      ENOTFOUND: `address ${address} (for port ${port}) cannot be resolved`,
    }[error.code ?? ""] ?? `${where} cannot be opened: ${error.message}`;
  return new StartError("port", reason, { cause: error });
}

function describe(protocol: "http" | "https", { address, port, family }: AddressInfo): ListeningAddress {
  const host = family === "IPv6" ? `[${address}]` : address;
  return { protocol, address, port, url: `${protocol}://${host}:${port}` };
}
