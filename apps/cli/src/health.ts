import { readFile } from "node:fs/promises";
import { get as getPlain, type IncomingMessage } from "node:http";
import { get as getTls } from "node:https";
import { certificateAuthorityFile } from "@trefoil/installation";
import type { ReportedAddress } from "@trefoil/server-process/supervision";

const patienceMs = 2_000;

/** Whether a server says that it is ready; `undefined` when it does not answer. */
export async function askReadiness(
  dataDirectory: string,
  addresses: readonly ReportedAddress[],
): Promise<boolean | undefined> {
  const address = addresses.find(({ protocol }) => protocol === "http") ?? addresses[0];
  if (address === undefined) {
    return undefined;
  }
  const host = { "0.0.0.0": "127.0.0.1", "::": "::1" }[address.address] ?? address.address;
  const ca = await readFile(certificateAuthorityFile(dataDirectory)).catch(() => undefined);
  const options = { host, port: address.port, path: "/health/ready", timeout: patienceMs, agent: false } as const;
  return new Promise((resolve) => {
    const read = (response: IncomingMessage): void => {
      response.resume();
      resolve(response.statusCode === 200);
    };
    const request =
      address.protocol === "https"
        ? getTls({ ...options, ...(ca === undefined ? {} : { ca }) }, read)
        : getPlain(options, read);
    request.on("timeout", () => request.destroy(new Error("no answer")));
    request.on("error", () => resolve(undefined));
  });
}
