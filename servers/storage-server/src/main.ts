import { runServerProcess } from "@trefoil/server-process";
import { startStorageServer } from "./server.ts";

await runServerProcess({ name: "objects", start: startStorageServer });
