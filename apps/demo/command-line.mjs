import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";

const entry = path.resolve(import.meta.dirname, "../cli/bin/trefoil.js");

/**
 * Runs `npx trefoil …arguments --json` and reads its answer.
 *
 * @param {string} dataDirectory
 * @param {string[]} words
 */
export async function trefoil(dataDirectory, words) {
  const { stdout } = await promisify(execFile)(process.execPath, [
    entry,
    ...words,
    "--data-dir",
    dataDirectory,
    "--json",
  ]);
  return JSON.parse(stdout);
}
