import { memoryBytes } from "./servers.mjs";

/** What is asked in turns: everything but what waits for password hashes, or needs a stock of assertions. */
const NAMES = ["client credentials, secret", "refresh, two tokens", "introspection", "userinfo", "discovery", "keys"];

/**
 * Keeps a server busy for some minutes and tells every minute how much was asked and what its memory is.
 *
 * @param {import("./servers.mjs").Server} server
 * @param {readonly import("./workloads.mjs").Workload[]} workloads
 * @param {(workload: object, server: object, seconds: number) => Promise<{rate: number}>} turn
 * @param {number} minutes
 */
export async function soak(server, workloads, turn, minutes) {
  const chosen = workloads.filter(({ name }) => NAMES.includes(name));
  const seconds = 60 / chosen.length;
  for (let minute = 1; minute <= minutes; minute += 1) {
    let requests = 0;
    for (const workload of chosen) {
      requests += (await turn(workload, server, seconds)).rate * seconds;
    }
    const { now, peak } = await memoryBytes(server.pid);
    const megabytes = (bytes) => `${(bytes / 1024 / 1024).toFixed(0)} MB`.padStart(7);
    console.log(
      `minute ${String(minute).padStart(2)}  ${requests.toFixed(0).padStart(8)} requests  resident ${megabytes(now)}, at its peak ${megabytes(peak)}`,
    );
  }
}
