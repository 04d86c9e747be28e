import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { CompatibleServer } from "./graph-suites/compatible-server.ts";
import { installClient, installNode, installPython } from "./graph-suites/old-programs.ts";
import { runToEnd } from "./graph-suites/run-to-end.ts";
import { CLIENT_SUITES, type ClientSuite } from "./graph-suites/suites.ts";

/** One line a client, shown at the end. */
const matrix: { client: string; passing: number; failing: number; asTheModelServer: number }[] = [];
const ALLOWED_MS = 400_000;

afterAll(() => {
  if (matrix.length > 0) {
    process.stdout.write(`${matrixText()}\n`);
  }
});

describe("suites of old clients, unmodified", () => {
  test.for(CLIENT_SUITES)("$client $version", { timeout: ALLOWED_MS }, async (suite, { skip }) => {
    const [folder, node] = await Promise.all([installClient(suite), installNode(suite.node)]).catch((error: unknown) =>
      skip(`the registry does not answer: ${String(error)}`),
    );
    const server = await CompatibleServer.start({
      "graph.auth_enabled": String(suite.authentication),
      ...(suite.password === undefined ? {} : { "graph.initial_password": suite.password }),
    });
    try {
      const report = await runMocha(suite, folder, node, server.port);
      const expected = new Set(Object.keys(suite.failing ?? {}));
      const unexpected = report.failures.filter((name) => !expected.has(name));
      matrix.push({
        client: `${suite.client} ${suite.version}`,
        passing: report.passing,
        failing: unexpected.length,
        asTheModelServer: report.failures.length - unexpected.length,
      });
      expect(unexpected, report.text.slice(-4_000)).toEqual([]);
      expect(report.passing).toBeGreaterThanOrEqual(suite.passing);
    } finally {
      await server.stop();
    }
  });

  test("neo4jrestclient 2.1.1 (Python)", { timeout: ALLOWED_MS }, async ({ skip }) => {
    const more = ["pytest<8", "requests<2.32", "six", "urllib3<2"];
    const { python } = await installPython("neo4jrestclient==2.1.1", more).catch((error: unknown) =>
      skip(`no Python, or its registry does not answer: ${String(error)}`),
    );
    const server = await CompatibleServer.start({ "graph.auth_enabled": "false" });
    try {
      const words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "--pyargs", "neo4jrestclient.tests"];
      const deselected = [
        // These two need a package of its own, and the server's port to end in 7474 (https is then 7473).
        "test_custom_cache_used",
        "test_connection_https",
      ].map((name) => `not ${name}`);
      const { stdout } = await runToEnd(python, [...words, "-k", deselected.join(" and ")], {
        cwd: path.dirname(python),
        environment: {
          NEO4J_URL: `${server.url}/db/data/`,
          NEO4J_VERSION: "2.3.12",
          PYTHONPATH: path.join(import.meta.dirname, "graph-suites/python"),
        },
        timeoutMs: 300_000,
        mayFail: true,
      });
      const count = (word: string): number => Number(new RegExp(`(\\d+) ${word}`).exec(stdout)?.[1] ?? 0);
      matrix.push({
        client: "neo4jrestclient 2.1.1",
        passing: count("passed"),
        failing: count("failed") + count("error"),
        asTheModelServer: 0,
      });
      expect([count("failed"), count("error")], stdout.slice(-4_000)).toEqual([0, 0]);
      expect(count("passed")).toBeGreaterThanOrEqual(174);
    } finally {
      await server.stop();
    }
  });
});

interface MochaReport {
  readonly passing: number;
  /** Full names. */
  readonly failures: readonly string[];
  readonly text: string;
}

async function runMocha(suite: ClientSuite, folder: string, node: string, port: number): Promise<MochaReport> {
  const preload = path.join(import.meta.dirname, "graph-suites", "preload.cjs");
  const mocha = path.join(folder, "node_modules/mocha/bin/_mocha");
  const { stdout, stderr } = await runToEnd(node, ["-r", preload, mocha, ...suite.mocha, "-R", "spec", "-C"], {
    cwd: folder,
    environment: { GRAPH_PORT: String(port), ...suite.environment },
    timeoutMs: 300_000,
    mayFail: true,
  });
  const passing = Number(/^\s+(\d+) passing/m.exec(stdout)?.[1] ?? 0);
  return { passing, failures: failureNames(stdout), text: stdout + stderr };
}

/** The headings of mocha's list of failures, which break over several lines in younger versions. */
function failureNames(text: string): string[] {
  const list = /^\s+\d+ failing\s*$/m.exec(text);
  if (list === null) {
    return [];
  }
  const blocks = text
    .slice(list.index)
    .split(/^ {2}\d+\) /m)
    .slice(1);
  return blocks.map((block) => {
    const heading = /^([\s\S]*?):\s*$/m.exec(block)?.[1] ?? block;
    return heading.replaceAll(/\s+/g, " ").trim();
  });
}

function matrixText(): string {
  const rows = matrix.map(({ client, passing, failing, asTheModelServer }) =>
    [
      client.padEnd(26),
      String(passing).padStart(7),
      String(failing).padStart(7),
      String(asTheModelServer).padStart(10),
    ].join(" "),
  );
  return [`${"client".padEnd(26)} passing failing like 2.3.12`, ...rows].join("\n");
}
