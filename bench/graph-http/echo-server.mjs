// Fastify as it comes, answering a JSON body with itself: what the framework alone makes of this machine. Prints its port.
import { createRequire } from "node:module";

// The version that our server runs on.
const require = createRequire(new URL("../../packages/graph-http/package.json", import.meta.url));
const app = require("fastify")();
app.post("/", (request) => request.body);
await app.listen({ host: "127.0.0.1", port: 0 });
process.stdout.write(`${app.server.address().port}\n`);
