// Builds the host of JAX-RS jars with Maven and collects what the graph server needs of it in apps/jaxrs-host/dist. Run
// before a release, and wherever jars are to be mounted from a checkout: npm run build:jaxrs-host (Java 17 and Maven).
import { execFileSync } from "node:child_process";
import { cp, mkdir, readdir, rm } from "node:fs/promises";
import path from "node:path";

const project = path.resolve(import.meta.dirname, "../apps/jaxrs-host");
const dist = path.join(project, "dist");

try {
  execFileSync("mvn", ["-q", "-B", "-f", path.join(project, "pom.xml"), "package"], { stdio: "inherit" });
} catch (error) {
  console.error(error.code === "ENOENT" ? "Maven (mvn) is not there." : "Maven could not build the host.");
  process.exit(1);
}
await rm(dist, { recursive: true, force: true });
await mkdir(dist, { recursive: true });
await collect("graph-api/target", dist);
await collect("launcher/target", dist);
for (const flavour of ["javax", "jakarta"]) {
  await collect(`${flavour}/target`, path.join(dist, flavour));
  await collect(`${flavour}/target/lib`, path.join(dist, flavour));
}

/** Copies the jars of a folder. */
async function collect(folder, target) {
  await mkdir(target, { recursive: true });
  const entries = await readdir(path.join(project, folder));
  for (const entry of entries.filter((each) => each.endsWith(".jar"))) {
    await cp(path.join(project, folder, entry), path.join(target, entry));
  }
}
