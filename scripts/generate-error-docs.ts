// Writes docs/errors.md from the error table of the identity provider. Run after changing a row:
//   node scripts/run-typescript.mjs scripts/generate-error-docs.ts
import { writeFileSync } from "node:fs";
import { renderErrorDocumentation } from "@trefoil/identity";

/** @returns the exit code */
export function main(): number {
  // From the folder of the repository: the module's own address is that of a bundle.
  writeFileSync("docs/errors.md", renderErrorDocumentation());
  return 0;
}
