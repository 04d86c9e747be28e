import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { readCase, type TckCase } from "./expectation.ts";
import { readFeature } from "./read-feature.ts";

/** How to get the TCK where it is missing. */
export const HOW_TO_GET_IT =
  "The openCypher TCK is not here. Clone https://github.com/opencypher/openCypher and set TREFOIL_TCK to its `tck` folder " +
  "(the one that holds `features` and `graphs`), or put that folder at ../shared/tck beside this checkout.";

/** The folder that holds `features` and `graphs`: `TREFOIL_TCK`, or `shared/tck` beside the checkout. */
export function findTck(): string | undefined {
  const beside = path.resolve(fileURLToPath(import.meta.url), "../../../../../shared/tck");
  return [process.env["TREFOIL_TCK"], beside].find(
    (folder) => folder !== undefined && existsSync(path.join(folder, "features")),
  );
}

/** All scenarios below `features/<only>`, outlines expanded, in order of file and place. */
export function loadCases(folder: string, only: string = ""): TckCase[] {
  const features = path.join(folder, "features");
  return readdirSync(features, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".feature") && file.startsWith(only))
    .sort()
    .flatMap((file) => readFeature(file.replace(/\.feature$/, ""), readFileSync(path.join(features, file), "utf8")))
    .map(readCase);
}

/** The queries that make the named graphs, by the name scenarios use: `binary-tree-1 graph`. */
export function loadGraphs(folder: string): Map<string, string> {
  const graphs = path.join(folder, "graphs");
  return new Map(
    readdirSync(graphs).map((name) => [
      `${name} graph`,
      readFileSync(path.join(graphs, name, `${name}.cypher`), "utf8"),
    ]),
  );
}
