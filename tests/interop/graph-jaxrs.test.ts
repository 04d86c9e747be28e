import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CompatibleServer } from "./graph-suites/compatible-server.ts";
import { runToEnd } from "./graph-suites/run-to-end.ts";

const host = path.resolve(import.meta.dirname, "../../apps/jaxrs-host/dist");
const hasCompiler = await runToEnd("javac", ["-version"], { cwd: tmpdir() }).then(
  () => true,
  () => false,
);
const isBuilt = existsSync(path.join(host, "trefoil-jaxrs-launcher.jar"));
const why = !hasCompiler ? "needs javac" : isBuilt ? "" : "needs npm run build:jaxrs-host";
const AUTHORIZATION = { authorization: `Basic ${Buffer.from("neo4j:secret").toString("base64")}` };

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "trefoil-jaxrs-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The resource of the interface document (graph §4.7), and one that uses all that a resource is given. */
const sources = (flavour: "javax" | "jakarta"): Record<string, string> => ({
  "org/example/Hello.java": `package org.example;
    import ${flavour}.ws.rs.*;
    import ${flavour}.ws.rs.core.*;
    @Path("/x")
    public class Hello {
      @GET @Path("/{name}") @Produces("text/plain")
      public Response hello(@PathParam("name") String name, @QueryParam("again") String again) {
        return Response.ok("hello " + name + (again == null ? "" : " " + again)).header("X-Made-By", "java").build();
      }
    }`,
  "org/example/deep/Given.java": `package org.example.deep;
    import ${flavour}.ws.rs.*;
    import ${flavour}.ws.rs.core.*;
    import java.util.Map;
    import trefoil.graph.*;
    @Path("/given")
    @Produces("text/plain")
    public class Given {
      private final Database database;
      public Given(@Context Database database) { this.database = database; }
      @GET @Path("/caller")
      public String caller(@Context UriInfo uri, @Context HttpHeaders headers, @Context SecurityContext security) {
        return uri.getAbsolutePath() + " " + headers.getHeaderString("X-Asked") + " "
          + security.getUserPrincipal().getName() + " " + security.isUserInRole("admin") + " "
          + headers.getHeaderString("X-Trefoil-Secret");
      }
      @POST @Path("/sum")
      public String sum(String body) {
        Result result = database.execute("UNWIND {list} AS x RETURN sum(x) AS s, count(*) AS n", Map.of("list", java.util.List.of(1, 2.5, 3)));
        return body + " " + result.columns() + " " + result.rows();
      }
      @POST @Path("/keep/{k}")
      public String keep(@PathParam("k") long k, @QueryParam("commit") boolean commit) {
        try (Transaction transaction = database.begin()) {
          transaction.execute("CREATE (n:Kept {k: {k}})", Map.of("k", k));
          if (commit) { transaction.commit(); }
        }
        return String.valueOf(database.execute("MATCH (n:Kept) RETURN n.k AS k ORDER BY k", Map.of()).rows());
      }
      @GET @Path("/wrong")
      public String wrong() {
        try { database.execute("RETURN", Map.of()); return "no error"; }
        catch (DatabaseException error) { return error.code(); }
      }
    }`,
});

/** Compiles sources and packs them, with the class path in the manifest, into a plugins directory. */
async function packJar(name: string, files: Record<string, string>, libraries: readonly string[]): Promise<string> {
  const work = path.join(folder, name);
  const classes = path.join(work, "classes");
  const plugins = path.join(work, "plugins");
  await mkdir(classes, { recursive: true });
  await mkdir(plugins, { recursive: true });
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(work, "source", file)), { recursive: true });
    await writeFile(path.join(work, "source", file), text);
  }
  const sourceFiles = Object.keys(files).map((file) => path.join(work, "source", file));
  const classPath = ["-cp", libraries.join(path.delimiter)];
  await runToEnd("javac", [...classPath, "-d", classes, ...sourceFiles], { cwd: work });
  await runToEnd("jar", ["cf", path.join(plugins, `${name}.jar`), "-C", classes, "."], { cwd: work });
  return plugins;
}

async function librariesOf(flavour: string): Promise<string[]> {
  const jars = await readdir(path.join(host, flavour));
  return [...jars.map((jar) => path.join(host, flavour, jar)), path.join(host, "trefoil-graph-api.jar")];
}

const start = (plugins: string, mounts: string, more: Record<string, string> = {}): Promise<CompatibleServer> =>
  CompatibleServer.start({
    "graph.plugins.directory": plugins,
    "org.neo4j.server.thirdparty_jaxrs_classes": mounts,
    "graph.initial_password": "secret",
    ...more,
  });

describe.skipIf(why !== "")(`resource classes in jars ${why}`, () => {
  describe.each(["javax", "jakarta"] as const)("%s.ws.rs", (flavour) => {
    let server: CompatibleServer;
    const ask = (
      target: string,
      options: { method?: string; headers?: Record<string, string>; body?: string } = {},
    ): Promise<Response> =>
      fetch(server.url + target, { ...options, headers: { ...AUTHORIZATION, ...options.headers } });

    beforeAll(async () => {
      const plugins = await packJar(flavour, sources(flavour), await librariesOf(flavour));
      server = await start(plugins, "org.example=/mounted");
    });
    afterAll(() => server?.stop());

    test("answer below their mount", async () => {
      const answer = await ask("/mounted/x/World?again=again");
      expect(answer.status).toBe(200);
      expect(await answer.text()).toBe("hello World again");
      expect(answer.headers.get("content-type")).toBe("text/plain");
      expect(answer.headers.get("x-made-by")).toBe("java");
      expect((await ask("/mounted/nothing")).status).toBe(404);
      expect((await ask("/mounted/x/World", { method: "DELETE" })).status).toBe(405);
    });

    test("are asked for credentials like everything else", async () => {
      expect((await fetch(`${server.url}/mounted/x/World`)).status).toBe(401);
    });

    test("are given the address, the headers and who asks, but not the secret", async () => {
      const answer = await ask("/mounted/given/caller", {
        headers: { "x-asked": "yes", "x-trefoil-user": "somebody" },
      });
      expect(await answer.text()).toBe(`${server.url}/mounted/given/caller yes neo4j true null`);
    });

    test("are given the database", async () => {
      const sum = await ask("/mounted/given/sum", { method: "POST", body: "body" });
      expect(await sum.text()).toBe("body [s, n] [{s=6.5, n=3}]");
      expect(await (await ask("/mounted/given/keep/1?commit=false", { method: "POST" })).text()).toBe("[]");
      expect(await (await ask("/mounted/given/keep/2?commit=true", { method: "POST" })).text()).toBe("[{k=2}]");
      expect(await (await ask("/mounted/given/wrong")).text()).toMatch(/^Neo\.ClientError\.Statement\./);
    });
  });

  test("a package without resource classes stops the start", async () => {
    const plugins = await packJar("empty", { "org/none/Plain.java": "package org.none; public class Plain {}" }, []);
    await expect(start(plugins, "org.none=/none")).rejects.toThrow(
      "the package org.none does not contain any root resource classes",
    );
  });

  test("a class that is not here is named", async () => {
    const files = {
      "org/absent/Gone.java": "package org.absent; public class Gone {}",
      "org/needy/Needy.java":
        'package org.needy; import javax.ws.rs.*; @Path("/n") public class Needy { @GET public String get() { return ""; } public void use(org.absent.Gone gone) {} }',
    };
    const plugins = await packJar("needy", files, await librariesOf("javax"));
    const work = path.join(folder, "needy");
    await rm(path.join(plugins, "needy.jar"));
    await runToEnd("jar", ["cf", path.join(plugins, "needy.jar"), "-C", path.join(work, "classes"), "org/needy"], {
      cwd: work,
    });
    await expect(start(plugins, "org.needy=/needy")).rejects.toThrow("needs the class org.absent.Gone");
  });

  test("a mount that is served already stops the start", async () => {
    const plugins = await packJar("clash", sources("javax"), await librariesOf("javax"));
    await expect(start(plugins, "org.example=/db/data/node")).rejects.toThrow("served already");
  });
});
