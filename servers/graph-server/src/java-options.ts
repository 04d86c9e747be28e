import { type JaxrsOptions } from "@trefoil/graph-http";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** Where the host of JAX-RS jars is built to, and the Java that it may run on: that of `JAVA_HOME`, else of the path. */
export function javaOptions(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Pick<JaxrsOptions, "homeDirectory" | "javaPrograms"> {
  const { JAVA_HOME: home } = environment;
  return {
    homeDirectory: fileURLToPath(new URL("../../../apps/jaxrs-host/dist", import.meta.url)),
    javaPrograms: [...(home === undefined || home === "" ? [] : [path.join(home, "bin", "java")]), "java"],
  };
}
