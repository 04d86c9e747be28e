import { StartError } from "@trefoil/base";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Configuration, identityPublicUrl } from "./configuration.ts";
import { renderConfigurationDocumentation } from "./documentation.ts";
import { type ConfigurationKey, configurationKeys, environmentName } from "./keys/configuration-keys.ts";
import { loadConfiguration, type LoadConfiguration } from "./load-configuration.ts";
import { parseValue } from "./values/parse-value.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "trefoil-config-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function load(text?: string, more: Partial<LoadConfiguration> = {}): Promise<Configuration> {
  if (text !== undefined) {
    writeFileSync(path.join(folder, "trefoil.properties"), text);
  }
  return loadConfiguration({ workingDirectory: folder, environment: {}, ...more });
}

async function failure(text: string, more: Partial<LoadConfiguration> = {}): Promise<string> {
  const error: unknown = await load(text, more).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(StartError);
  expect(error).toMatchObject({ code: "configuration" });
  return (error as Error).message;
}

describe("precedence", () => {
  test("default, file, environment, command line", async () => {
    expect((await load()).get("graph.http.port")).toBe(7474);
    expect((await load("graph.http.port=1")).get("graph.http.port")).toBe(1);
    const environment = { TREFOIL_GRAPH_HTTP_PORT: "2" };
    const configuration = await load("graph.http.port=1", { environment });
    expect(configuration.get("graph.http.port")).toBe(2);
    expect(configuration.originOf("graph.http.port")).toBe("TREFOIL_GRAPH_HTTP_PORT");
    const overrides = { "graph.http.port": "3" };
    expect((await load("graph.http.port=1", { environment, overrides })).get("graph.http.port")).toBe(3);
  });

  test("variables that are empty or no key are ignored", async () => {
    const configuration = await load(undefined, { environment: { TREFOIL_NONSENSE: "1", TREFOIL_LOG_LEVEL: "" } });
    expect(configuration.warnings).toEqual([]);
    expect(configuration.get("log.level")).toBe("info");
  });

  test("the compatibility group sets what is not set itself", async () => {
    const configuration = await load("graph.compatibility=2.3\ngraph.load_csv.urls=none");
    expect(configuration.get("cypher.version")).toBe("2.3");
    expect(configuration.get("graph.status_code_prefix")).toBe("Neo");
    expect(configuration.get("graph.scripting")).toBe(true);
    expect(configuration.get("graph.allowed_hosts")).toEqual(["*"]);
    expect(configuration.get("graph.load_csv.urls")).toBe("none");
    expect(configuration.originOf("cypher.version")).toBe("graph.compatibility");
  });
});

describe("values", () => {
  test("relative paths are below what names them", async () => {
    const configuration = await load("data.directory=d\ngraph.database.location=g\ntls.key_file=k.pem");
    expect(configuration.get("data.directory")).toBe(path.join(folder, "d"));
    expect(configuration.get("graph.database.location")).toBe(path.join(folder, "d", "g"));
    expect(configuration.get("graph.load_csv.root")).toBe(path.join(folder, "d", "import"));
    expect(configuration.get("tls.key_file")).toBe(path.join(folder, "k.pem"));
  });

  test.each([
    ["graph.transaction_timeout", "90", 90_000],
    ["graph.transaction_timeout", "250ms", 250],
    ["graph.transaction_timeout", "2 m", 120_000],
    ["graph.http.max_body_bytes", "5M", 5 * 1024 ** 2],
    ["graph.auth_enabled", "OFF", false],
    ["graph.status_code_prefix", "neo", "Neo"],
    ["tls.host_names", " a.example , b.example,", ["a.example", "b.example"]],
    ["identity.public_url", "https://id.example/", "https://id.example/"],
  ] as const)("%s=%s", async (key, text, expected) => {
    expect((await load(`${key}=${text}`)).get(key)).toEqual(expected);
  });

  test.each([
    ["graph.http.port=70000", "a whole number from 0 to 65535"],
    ["graph.http.port=-1", "0 to 65535"],
    ["graph.http.port=1e3", "0 to 65535"],
    ["graph.auth_enabled=maybe", "true or false"],
    ["graph.auth_enabled=constructor", "true or false"],
    ["graph.http.max_body_bytes=1constructor", "a number of bytes"],
    ["log.level=loud", "one of fatal, error"],
    ["graph.transaction_timeout=1 week", "ms, s, m, h or d"],
    ["identity.public_url=localhost", "a URL"],
    ["identity.password.iterations=0", "from 1 to 100"],
    ["graph.reported_version=", "any text but none"],
  ])("%s is refused with key, value, place and what is allowed", async (line, allowed) => {
    const [key = "", value = ""] = line.split("=");
    const message = await failure(`# first\n${line}`);
    expect(message).toContain(`${key} = "${value}" (trefoil.properties:2)`);
    expect(message).toContain(allowed);
  });

  test("a secret is neither shown nor repeated", async () => {
    const configuration = await load("graph.initial_password=S3CRET");
    expect(JSON.stringify(configuration.describe())).not.toContain("S3CRET");
    expect(await failure("identity.database.url=S3CRET")).not.toContain("S3CRET");
  });

  test("the public origin follows the port until it is set", async () => {
    expect(identityPublicUrl(await load())).toBe("https://localhost:8443");
    expect(identityPublicUrl(await load("identity.https.port=443"))).toBe("https://localhost");
    expect(identityPublicUrl(await load("identity.public_url=https://id.example/"))).toBe("https://id.example");
  });
});

describe("names", () => {
  test.each([
    ["org.neo4j.server.database.location=/x", "graph.database.location", "/x"],
    ["org.neo4j.server.webserver.port=1", "graph.http.port", 1],
    ["org.neo4j.server.webserver.https.enabled=false", "graph.https.enabled", false],
    ["dbms.security.auth_enabled=false", "graph.auth_enabled", false],
    ["org.neo4j.server.transaction.timeout=5", "graph.transaction_timeout", 5000],
    ["org.neo4j.server.webserver.limit.executiontime=500", "graph.statement_timeout", 500],
    ["cypher_parser_version=2.3", "cypher.version", "2.3"],
    ["allow_file_urls=true", "graph.load_csv.urls", "any"],
    ["dbms.security.load_csv_file_url_root=/r", "graph.load_csv.root", "/r"],
  ] as const)("%s", async (line, key, expected) => {
    const configuration = await load(line);
    expect(configuration.get(key)).toBe(expected);
    expect(configuration.warnings).toEqual([]);
  });

  test.each([
    ["graph.htp.port=1", "the nearest known one is graph.http.port"],
    ["org.x.thirdparty_jaxrs_class=a=/b", "the name ends in the plural, org.x.thirdparty_jaxrs_classes"],
    ["remote_shell_port=1337", "there is no remote shell"],
    ["graph.bolt.port=1", "not supported by this version"],
    ["__proto__=1", "unknown key"],
  ])("%s is a warning", async (line, text) => {
    const { warnings } = await load(line);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(text);
    expect(warnings[0]).toContain(line.startsWith("graph.bolt") ? "trefoil.properties:1" : "trefoil.properties:1: ");
  });

  test("a repeated key is a warning; the later value holds", async () => {
    const configuration = await load("graph.http.port=1\norg.neo4j.server.webserver.port=2");
    expect(configuration.get("graph.http.port")).toBe(2);
    expect(configuration.warnings.join()).toContain("trefoil.properties:1");
  });

  test("another place for the data that is not served yet is refused", async () => {
    expect(await failure("graph.engine.url=neo4j://h")).toContain("graph.engine.url");
  });
});

describe("extensions", () => {
  test("every property with the plural end mounts", async () => {
    const configuration = await load(
      "org.neo4j.server.thirdparty_jaxrs_classes=org.a=/a, org.b=b\nmy_thirdparty_jaxrs_classes = org.c = /c",
    );
    expect(configuration.warnings).toEqual([]);
    expect(configuration.extensionMounts).toEqual([
      { packageName: "org.a", mountPath: "/a" },
      { packageName: "org.b", mountPath: "/b" },
      { packageName: "org.c", mountPath: "/c" },
    ]);
  });

  test("the singular mounts nothing", async () => {
    expect((await load("org.neo4j.server.thirdparty_jaxrs_class=org.a=/a")).extensionMounts).toEqual([]);
  });

  test("a pair without = stops the start", async () => {
    expect(await failure("org.neo4j.server.thirdparty_jaxrs_classes=org.a")).toMatch(
      /^config for org\.neo4j\.server\.thirdparty_jaxrs_classes is wrong: /,
    );
  });
});

describe("the file", () => {
  test("a file that was named must exist", async () => {
    await expect(load(undefined, { file: "missing.properties" })).rejects.toThrow("missing.properties");
  });

  test("a broken escape is refused with its line", async () => {
    expect(await failure("a=b\nc=\\u1")).toContain("trefoil.properties:2");
  });
});

describe("the table", () => {
  const keys = Object.keys(configurationKeys) as ConfigurationKey[];

  test("variables and aliases are unambiguous", () => {
    expect(new Set(keys.map(environmentName)).size).toBe(keys.length);
    const names = keys.flatMap((key) => [key, ...(configurationKeys[key].aliases ?? []).map(({ name }) => name)]);
    expect(new Set(names).size).toBe(names.length);
  });

  test.each(keys)("%s has a default that its type takes and a meaning", (key) => {
    const definition = configurationKeys[key];
    expect(definition.meaning).toMatch(/[.!]$/);
    expect(() => definition.default === undefined || parseValue(definition, definition.default, "/")).not.toThrow();
    expect(definition.type === "choice").toBe(definition.allowed !== undefined);
  });

  test("data.directory comes first: others are below it", () => {
    expect(keys[0]).toBe("data.directory");
  });

  test("docs/configuration.md is what the table says", () => {
    const file = new URL("../../../docs/configuration.md", import.meta.url);
    expect(readFileSync(file, "utf8")).toBe(renderConfigurationDocumentation());
  });
});
