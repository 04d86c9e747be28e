import { expect, test } from "vitest";
import { main } from "./graph-differential/main.ts";
import { CompatibleServer } from "./graph-suites/compatible-server.ts";

/** A real 2.3 server without authentication, for nothing but this: it is emptied. */
const model = process.env["TREFOIL_TEST_MODEL_SERVER"];

test.skipIf(model === undefined)(
  "generated requests are answered as a real 2.3 server answers them (needs TREFOIL_TEST_MODEL_SERVER=http://…)",
  { timeout: 300_000 },
  async () => {
    const server = await CompatibleServer.start({ "graph.auth_enabled": "false" });
    try {
      const seed = String(Math.floor(Math.random() * 1_000_000));
      expect(await main(["--model", model ?? "", "--ours", server.url, "--seed", seed]), `--seed ${seed}`).toBe(0);
    } finally {
      await server.stop();
    }
  },
);
