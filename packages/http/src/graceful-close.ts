import type { Server as PlainServer } from "node:http";
import type { Server as TlsServer } from "node:https";
import type { OpenConnections } from "./open-connections.ts";

/** How often connections that became idle while closing are looked for. */
const idleCheckIntervalMs = 25;

/**
 * Takes no new connections, lets requests that are being answered finish, closes connections as they become idle and
 * those that no request ever came on, and after `graceMs` closes what is left.
 *
 * @param connections  of all `servers`
 */
export async function closeGracefully(
  servers: readonly (PlainServer | TlsServer)[],
  connections: OpenConnections,
  graceMs: number,
): Promise<void> {
  const closed = Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  const idleCheck = setInterval(() => {
    for (const server of servers) {
      server.closeIdleConnections();
    }
    connections.closeSilent();
  }, idleCheckIntervalMs);
  const deadline = setTimeout(() => connections.closeAll(), graceMs);
  await closed;
  clearInterval(idleCheck);
  clearTimeout(deadline);
}
