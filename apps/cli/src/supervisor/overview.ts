import { certificateAuthorityFile, initialCredentialsFile } from "@trefoil/installation";
import type { ReportedAddress } from "@trefoil/server-process/supervision";
import { existsSync } from "node:fs";
import path from "node:path";
import { renderTable } from "../output/table.ts";
import type { ServerName } from "../server-names.ts";

/** A command worth typing after a start, by server. */
export const nextSteps: readonly (readonly [server: ServerName, command: string])[] = [
  ["identity", "npx trefoil app create my-app"],
  ["objects", "npx trefoil account list"],
  ["graph", 'npx trefoil graph query "RETURN 1"'],
];

/** What a start prints: what runs where, where the first credentials are, what to try next. Never a secret. */
export function renderOverview(
  dataDirectory: string,
  addresses: ReadonlyMap<ServerName, readonly ReportedAddress[]>,
): string {
  const rows = [...addresses].map(([server, list]) => ({
    server,
    http: findUrl(list, "http"),
    https: findUrl(list, "https"),
  }));
  const files: (readonly [name: string, file: string])[] = [
    ["First credentials", initialCredentialsFile(dataDirectory)],
    ["Certificate authority", certificateAuthorityFile(dataDirectory)],
  ];
  const lines = files
    .filter(([, file]) => existsSync(file))
    .map(([name, file]) => `${name.padEnd(23)}${displayPath(file)}`);
  const tries = nextSteps.filter(([server]) => addresses.has(server)).map(([, command]) => command);
  return [
    renderTable(rows.toSorted((a, b) => order(a.server) - order(b.server))),
    "",
    ...lines,
    ...[...tries, "npx trefoil tls trust"].map(
      (command, index) => (index === 0 ? "Try next" : "").padEnd(23) + command,
    ),
  ].join("\n");
}

function order(server: ServerName): number {
  return nextSteps.findIndex(([name]) => name === server);
}

/** By name where that leads here: it is what people type and what the certificate covers first. */
function findUrl(addresses: readonly ReportedAddress[], protocol: string): string {
  const address = addresses.find((candidate) => candidate.protocol === protocol);
  if (address === undefined) {
    return "-";
  }
  return ["127.0.0.1", "::1"].includes(address.address) ? `${protocol}://localhost:${address.port}` : address.url;
}

function displayPath(file: string): string {
  const relative = path.relative(process.cwd(), file);
  return relative.startsWith("..") ? file : relative;
}
