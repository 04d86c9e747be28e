import { runServerProcess } from "@trefoil/server-process";
import { startGraphServer } from "./server.ts";

await runServerProcess({ name: "graph", start: startGraphServer });
