import { runServerProcess } from "@trefoil/server-process";
import { startIdentityServer } from "./server.ts";

await runServerProcess({ name: "identity", start: startIdentityServer });
