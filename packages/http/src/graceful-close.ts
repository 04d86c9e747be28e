import type { Server as PlainServer } from "node:http";
import type { Server as TlsServer } from "node:https";

/** How often connections that became idle while closing are looked for. */
const idleCheckIntervalMs = 25;

/**
 * Takes no new connections, lets requests that are being answered finish, closes connections as they become idle,
 * and after `graceMs` closes what is left.
 */
export async function closeGracefully(servers: readonly (PlainServer | TlsServer)[], graceMs: number): Promise<void> {
  const closed = Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  const idleCheck = setInterval(() => {
    for (const server of servers) {
      server.closeIdleConnections();
    }
  }, idleCheckIntervalMs);
  const deadline = setTimeout(() => {
    for (const server of servers) {
      server.closeAllConnections();
    }
  }, graceMs);
  await closed;
  clearInterval(idleCheck);
  clearTimeout(deadline);
}
