import { promisify } from "node:util";
import createSeraph from "seraph";
import { line } from "./print.mjs";

/** @param {import("./graph-client.mjs").GraphClient} graph */
export async function readWithSeraph(graph) {
  const client = createSeraph({ server: graph.endpoint, user: graph.username, pass: graph.password });
  const [found] = await promisify(client.query)("MATCH (p:Package {name: {name}}) RETURN p", { name: "pino" });
  const read = await promisify(client.read)(found.id);
  line("query, then read by id", JSON.stringify(read));
}
