// A tiny server over runServerProcess, for tests of processes. Needs the built packages (npm run build).
// TREFOIL_FIXTURE: slow-start, hang, fail, corrupt, crash-after-start.
import { StartError } from "@trefoil/base";
import { createHttpServer } from "@trefoil/http";
import { lockServerDirectory, SealedDataError } from "@trefoil/installation";
import { setTimeout as delay } from "node:timers/promises";
import { listenersOf, runServerProcess, ServerCertificates } from "../../dist/index.js";

const name = process.env.TREFOIL_FIXTURE_NAME ?? "graph";
const behaviour = process.env[`TREFOIL_FIXTURE_${name.toUpperCase()}`];

await runServerProcess({
  name,
  start: async ({ configuration, dataDirectory, logger, cliToken }) => {
    const lock = await lockServerDirectory(dataDirectory, name);
    if (behaviour === "hang") {
      await delay(1_000_000);
    }
    if (behaviour === "fail") {
      throw new StartError("store", "the fixture's store is foreign");
    }
    if (behaviour === "corrupt") {
      throw new SealedDataError("the fixture's secrets do not open");
    }
    const certificates = await ServerCertificates.open({ configuration, dataDirectory, logger });
    const server = createHttpServer({ name, logger, ...listenersOf(configuration, name, certificates.current) });
    server.app.get("/slow", async () => {
      await delay(500);
      return { finished: true };
    });
    server.app.get("/crash", () => process.kill(process.pid, "SIGKILL"));
    server.app.get("/throw", () => void setImmediate(() => Promise.reject(new Error("unhandled"))));
    server.app.get("/token", (request) => ({
      accepted: cliToken.matches((request.headers.authorization ?? "").replace("Bearer ", "")),
    }));
    const addresses = await server.listen();
    return {
      addresses,
      close: async () => {
        certificates.close();
        await server.close();
        await lock.release();
      },
    };
  },
});
