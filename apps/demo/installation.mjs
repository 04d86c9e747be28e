import { readFile } from "node:fs/promises";
import path from "node:path";

/**
 * What the first start left in the data folder, and proof that the system runs.
 *
 * @param {string} dataDirectory
 */
export async function findInstallation(dataDirectory) {
  const file = path.resolve(dataDirectory, "initial-credentials.json");
  let credentials;
  try {
    credentials = JSON.parse(await readFile(file, "utf8"));
  } catch {
    return stop(`No ${file}: start the system first with \`npm start\`, in another terminal.`);
  }
  try {
    await fetch(new URL("/health/ready", credentials.graph.endpoint));
  } catch {
    return stop("The system does not run: start it with `npm start`, in another terminal.");
  }
  return { ...credentials, dataDirectory: path.resolve(dataDirectory) };
}

/** @param {string} message @returns {never} */
function stop(message) {
  process.stderr.write(`${message}\n`);
  process.exit(3);
}
