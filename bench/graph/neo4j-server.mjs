import { execFileSync, spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { firstAnswer, loadInBatches } from "./load-in-batches.mjs";
import { folderBytes, freePort, processorMs, residentBytes, whenGone, whenReady } from "./process-figures.mjs";
import { TIME_LIMIT_MS } from "./time-limit.mjs";

const VERSION = "5.26.0";
const DRIVER = "neo4j-driver@5.28.1";

const PROJECT = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>bench</groupId><artifactId>neo4j</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.neo4j</groupId><artifactId>neo4j</artifactId><version>${VERSION}</version></dependency>
  </dependencies>
</project>`;

/** The database of the community edition with its binary protocol. */
const PROGRAM = `import java.nio.file.Path;
import org.neo4j.configuration.GraphDatabaseSettings;
import org.neo4j.configuration.connectors.BoltConnector;
import org.neo4j.configuration.helpers.SocketAddress;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;

public class Launch {
  public static void main(String[] words) {
    var service = new DatabaseManagementServiceBuilder(Path.of(words[0]))
        .setConfig(BoltConnector.enabled, true)
        .setConfig(BoltConnector.listen_address, new SocketAddress("127.0.0.1", Integer.parseInt(words[1])))
        .setConfig(GraphDatabaseSettings.auth_enabled, false)
        .setConfig(GraphDatabaseSettings.pagecache_memory, 512L * 1024 * 1024)
        .build();
    Runtime.getRuntime().addShutdownHook(new Thread(service::shutdown));
  }
}`;

/** Fetched with Maven and npm into `folder` for this run only; needs Java 17. Asked over Bolt. */
export async function startNeo4j(folder, graph) {
  const home = path.join(folder, "neo4j");
  const data = path.join(home, "data");
  await mkdir(data, { recursive: true });
  await writeFile(path.join(home, "pom.xml"), PROJECT);
  await writeFile(path.join(home, "Launch.java"), PROGRAM);
  execFileSync("mvn", ["-q", "-B", "dependency:copy-dependencies", "-DoutputDirectory=lib"], {
    cwd: home,
    stdio: "ignore",
  });
  execFileSync("npm", ["install", "--prefix", home, DRIVER, "--no-audit", "--no-fund"], { stdio: "ignore" });
  const neo4j = createRequire(path.join(home, "package.json"))("neo4j-driver");
  const port = await freePort();
  let child;
  let driver;
  const run = async (text, parameters, { writes, limited = true }) => {
    const session = driver.session({ defaultAccessMode: writes ? neo4j.session.WRITE : neo4j.session.READ });
    try {
      const { records } = await session.run(
        text,
        integers(neo4j, parameters),
        limited ? { timeout: TIME_LIMIT_MS } : {},
      );
      return records.map((record) => Array.from(record.values()));
    } finally {
      await session.close();
    }
  };
  const start = async () => {
    const words = ["-Xms1g", "-Xmx1g", "-cp", "lib/*", "Launch.java", data, String(port)];
    child = spawn("java", words, { cwd: home, stdio: "ignore" });
    driver = neo4j.driver(`bolt://127.0.0.1:${port}`, undefined, { disableLosslessIntegers: true });
  };
  const stop = async () => {
    await driver.close();
    child.kill();
    await whenGone(child);
  };
  await start();
  await whenReady(() => run("RETURN 1", {}, { writes: false }));
  const beganMs = performance.now();
  await run("CREATE INDEX FOR (p:Person) ON (p.id)", {}, { writes: true });
  await run("CALL db.awaitIndexes()", {}, { writes: false });
  await loadInBatches(graph, run);
  const loadMs = performance.now() - beganMs;
  return {
    name: "neo4j",
    indexed: true,
    loadMs,
    run,
    plain: (value) => value,
    processorMs: () => processorMs(child.pid),
    residentBytes: () => residentBytes(child.pid),
    diskBytes: () => folderBytes(data),
    restartMs: async () => {
      await stop();
      const beganMs = performance.now();
      await start();
      await whenReady(() => firstAnswer(graph, run));
      return performance.now() - beganMs;
    },
    close: stop,
  };
}

/** The driver takes a JavaScript number for a float. */
function integers(neo4j, value) {
  if (Array.isArray(value)) {
    return value.map((element) => integers(neo4j, element));
  }
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, integers(neo4j, member)]));
  }
  return Number.isInteger(value) ? neo4j.int(value) : value;
}
