// `npm run test:tck`: runs the openCypher TCK against the engine in this process (or a server) and prints a table by folder.
//   -- --only clauses/match   scenarios below that folder or file
//   -- --http                 over HTTP, against a server that is started for it (`npm run build` first)
//   -- --failures             each failing scenario with its first difference
import { parseArgs } from "node:util";
import { findTck, HOW_TO_GET_IT, loadCases, loadGraphs } from "./find-tck.ts";
import { HttpTarget } from "./http-target.ts";
import { InProcessTarget } from "./in-process-target.ts";
import { renderFailures, renderTable, type Verdict } from "./report.ts";
import { runCase } from "./run-case.ts";
import { type TckTarget } from "./target.ts";

/** @returns the exit code: 0 when every scenario passed, 1 when one failed, 2 when there is no TCK */
export async function main(args: readonly string[]): Promise<number> {
  const { values: options } = parseArgs({
    args: [...args],
    options: { only: { type: "string" }, failures: { type: "boolean" }, http: { type: "boolean" } },
  });
  const folder = findTck();
  if (folder === undefined) {
    console.error(HOW_TO_GET_IT);
    return 2;
  }
  const target = options.http === true ? await HttpTarget.start() : new InProcessTarget();
  const verdicts = await runAll(folder, options.only ?? "", target).finally(() => target.close());
  if (options.failures === true) {
    console.log(renderFailures(verdicts));
  }
  console.log(renderTable(verdicts));
  return verdicts.some(({ wrong }) => wrong !== undefined) ? 1 : 0;
}

async function runAll(folder: string, only: string, target: TckTarget): Promise<Verdict[]> {
  const graphs = loadGraphs(folder);
  const verdicts: Verdict[] = [];
  for (const tckCase of loadCases(folder, only)) {
    verdicts.push({ file: tckCase.file, name: tckCase.name, wrong: await runCase(target, tckCase, graphs) });
  }
  return verdicts;
}
