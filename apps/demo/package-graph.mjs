import { readPackageLock } from "./package-lock.mjs";
import { line } from "./print.mjs";

/**
 * (:Package {name}) <-[:OF]- (:Version {place, version}) -[:DEPENDS_ON {range}]-> (:Version)
 *
 * @param {import("./graph-client.mjs").GraphClient} graph
 */
export async function loadPackageLock(graph) {
  const { versions, dependencies } = await readPackageLock(new URL("../../package-lock.json", import.meta.url));
  await graph.run("MATCH (n) WHERE n:Package OR n:Version DETACH DELETE n");
  await graph.run("UNWIND {names} AS name CREATE (:Package {name: name})", {
    names: [...new Set(versions.map(({ name }) => name))],
  });
  await graph.run(
    `UNWIND {versions} AS v MATCH (p:Package {name: v.name})
     CREATE (:Version {place: v.place, name: v.name, version: v.version})-[:OF]->(p)`,
    { versions },
  );
  await graph.run(
    `UNWIND {dependencies} AS d MATCH (a:Version {place: d.from}), (b:Version {place: d.to})
     CREATE (a)-[:DEPENDS_ON {range: d.range}]->(b)`,
    { dependencies },
  );
  const [counted] = await graph.run(
    "MATCH (v:Version) OPTIONAL MATCH (v)-[d:DEPENDS_ON]->() RETURN count(DISTINCT v) AS versions, count(d) AS dependencies",
  );
  line("loaded", `${counted.versions} versions, ${counted.dependencies} dependencies`);
}

/** @param {import("./graph-client.mjs").GraphClient} graph */
export async function askTheGraph(graph) {
  const rests = await graph.run(
    `MATCH (v:Version)<-[:DEPENDS_ON*1..5]-(other:Version)
     RETURN v.name AS name, count(DISTINCT other) AS dependents ORDER BY dependents DESC, name LIMIT {limit}`,
    { limit: 3 },
  );
  line("what everything rests on", rests.map(({ name, dependents }) => `${name} (${dependents})`).join(", "));

  const [longest] = await graph.run(
    `MATCH p = (a:Version)-[:DEPENDS_ON*]->(b:Version)
     RETURN [v IN nodes(p) | v.name] AS chain ORDER BY length(p) DESC LIMIT 1`,
  );
  line("the longest chain", longest.chain.join(" → "));

  const name = "pino";
  const [asked] = await graph.run(
    `MATCH (:Package {name: {name}})<-[:OF]-(:Version)<-[:DEPENDS_ON]-(user:Version)
     WITH DISTINCT user.name AS user ORDER BY user RETURN collect(user) AS users`,
    { name },
  );
  line(`who pulls in ${name}`, asked.users.join(", "));
}
