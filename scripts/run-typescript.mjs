// Runs a TypeScript entry of the tests from source: `node scripts/run-typescript.mjs <file> [arguments]`.
// The file exports `main(arguments)`, which resolves to the exit code. For programs beside the product only
// (`npm run test:tck`); the servers run from `dist`.
import path from "node:path";
import process from "node:process";
import { createViteServer } from "vitest/node";

const [file, ...args] = process.argv.slice(2);
const conditions = ["source"];
const server = await createViteServer({
  configFile: false,
  logLevel: "error",
  server: { middlewareMode: true, ws: false, watch: null },
  optimizeDeps: { noDiscovery: true },
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ["node"] } },
});
try {
  const { main } = await server.ssrLoadModule(path.resolve(file));
  process.exitCode = await main(args);
} finally {
  await server.close();
}
