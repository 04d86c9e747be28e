// Writes docs/configuration.md from the tables of packages/config. Run after changing a key:
//   npm run build && node scripts/generate-configuration-docs.mjs
import { writeFileSync } from "node:fs";
import { renderConfigurationDocumentation } from "../packages/config/dist/index.js";

writeFileSync(new URL("../docs/configuration.md", import.meta.url), renderConfigurationDocumentation());
