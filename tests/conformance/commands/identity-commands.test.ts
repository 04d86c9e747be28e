import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { runCommandLine } from "@trefoil/cli";
import { type RunFile, runFileOf } from "@trefoil/server-process";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createClientCertificate } from "../../interop/client-certificate.ts";
import { IdentityUnderTest } from "../interface/identity-under-test.ts";

/* The identity server's words of the command line, typed as people type them, against a running server. */

let server: IdentityUnderTest;
let folder: string;

beforeAll(async () => {
  server = await IdentityUnderTest.start();
  folder = await mkdtemp(path.join(tmpdir(), "trefoil-commands-"));
  const url = new URL(server.plainUrl);
  // What a server's own process writes when it is ready.
  const running: RunFile = {
    server: "identity",
    pid: process.pid,
    startedAt: new Date().toISOString(),
    addresses: [{ protocol: "http", address: "127.0.0.1", port: Number(url.port), url: server.plainUrl }],
  };
  const place = runFileOf(server.directory, "identity");
  await mkdir(path.dirname(place), { recursive: true });
  await writeFile(place, JSON.stringify(running));
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly errors: string;
}

async function run(...words: readonly string[]): Promise<Ran> {
  const written = { out: "", errors: "" };
  const out = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    written.out += String(text);
    return true;
  });
  const errors = vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    written.errors += String(text);
    return true;
  });
  try {
    const code = await runCommandLine([...words, "--data-dir", server.directory]);
    return { code, ...written };
  } finally {
    out.mockRestore();
    errors.mockRestore();
  }
}

/** The JSON of a command that must succeed. */
async function json<Value>(...words: readonly string[]): Promise<Value> {
  const { code, out, errors } = await run(...words, "--json");
  expect([code, errors]).toEqual([0, ""]);
  return JSON.parse(out) as Value;
}

async function file(name: string, content: unknown): Promise<string> {
  const place = path.join(folder, name);
  await writeFile(place, typeof content === "string" ? content : JSON.stringify(content));
  return place;
}

const user = (name: string): string => `${name}@${server.credentials.tenantDomain}`;

describe("group", () => {
  test("create, member add|list|remove, list, show, delete", async () => {
    const password = await file("password.txt", "a password of some length\n");
    await json("user", "create", user("gina"), "--password-file", password);
    expect((await run("group", "create", "inner", "--description", "inside")).out).toContain("Description  inside");
    await run("group", "create", "outer");
    expect((await run("group", "member", "add", "inner", user("gina"))).out).toBe("Added gina to inner.\n");
    expect((await run("group", "member", "add", "outer", "inner")).code).toBe(0);
    expect((await run("group", "member", "list", "outer")).out).toMatch(/inner +group/);
    const members = await json<{ displayName: string }[]>("group", "member", "list", "outer", "--transitive");
    expect(members.map((each) => each.displayName).toSorted()).toEqual(["gina", "inner"]);
    expect((await run("group", "member", "remove", "inner", user("gina"))).code).toBe(0);
    expect(await json("group", "list")).toMatchObject([{ displayName: "inner" }, { displayName: "outer" }]);
    expect((await run("group", "delete", "outer")).out).toBe("Deleted outer.\n");
    expect((await run("group", "show", "outer")).errors).toContain("There is no group 'outer'");
  });
});

describe("app", () => {
  test("manifest get|put keeps a certificate whose value is hidden", async () => {
    const { certificatePem } = await createClientCertificate();
    await json("app", "create", "manifested");
    const certificate = await file("client.pem", certificatePem);
    expect((await run("app", "certificate", "add", "manifested", certificate)).code).toBe(0);
    const target = path.join(folder, "manifest.json");
    expect((await run("app", "manifest", "get", "manifested", "--output", target)).code).toBe(0);
    const manifest = JSON.parse(await readFile(target, "utf8")) as { keyCredentials: object[]; signInUrl: string };
    expect(manifest.keyCredentials).toMatchObject([{ value: null }]);
    await writeFile(target, JSON.stringify({ ...manifest, signInUrl: "https://shop.example" }));
    expect((await run("app", "manifest", "put", "manifested", "--file", target)).code).toBe(0);
    expect(await json("app", "manifest", "get", "manifested")).toEqual({
      ...manifest,
      signInUrl: "https://shop.example",
    });
    const broken = await file("broken.json", "{");
    expect((await run("app", "manifest", "put", "manifested", "--file", broken)).errors).toContain("is not JSON");
  });

  test("permission add|list|remove, with consent for everybody", async () => {
    await json("app", "create", "orders", "--app-id-uri", "api://orders", "--scope", "Read", "--app-role", "Worker");
    await json("app", "create", "shop", "--public");
    const add = ["app", "permission", "add", "shop", "--resource", "api://orders", "--scope", "Read"];
    expect((await run(...add, "--app-role", "Worker", "--admin-consent")).out).toBe(
      "shop has Read, Worker of orders.\n",
    );
    const grants = await json<{ id: string; scope: string }[]>("app", "permission", "list", "shop");
    expect(grants).toMatchObject([{ scope: "Read", consentType: "AllPrincipals" }]);
    expect((await run("app", "role", "list", "orders")).out).toMatch(/Worker +shop +ServicePrincipal/);
    const manifest = await json<{ requiredResourceAccess: object[] }>("app", "manifest", "get", "shop");
    expect(manifest.requiredResourceAccess).toMatchObject([{ resourceAccess: [{ type: "Scope" }, { type: "Role" }] }]);
    expect((await run("app", "permission", "remove", "shop", grants[0]?.id ?? "")).code).toBe(0);
    expect(await json("app", "permission", "list", "shop")).toEqual([]);
    const wrong = await run("app", "permission", "add", "shop", "--resource", "orders", "--scope", "Write");
    expect([wrong.code, wrong.errors]).toEqual([1, "orders has no scope 'Write'; it has Read\n"]);
    expect((await run("app", "permission", "add", "shop", "--resource", "orders")).code).toBe(1);
  });

  test("role assign|list|remove", async () => {
    await json("app", "create", "roles", "--app-role", "Reader");
    await run("group", "create", "readers");
    expect((await run("app", "role", "assign", "roles", "reader", "readers")).code).toBe(0);
    expect((await run("app", "role", "assign", "roles", "Reader", "readers")).code).toBe(0);
    const [assignment, ...more] = await json<{ id: string }[]>("app", "role", "list", "roles");
    expect(more).toEqual([]);
    expect((await run("app", "role", "remove", "roles", assignment?.id ?? "")).code).toBe(0);
    expect((await run("app", "role", "assign", "roles", "Writer", "readers")).errors).toBe(
      "roles has no role 'Writer'\n",
    );
  });
});

test("signing-key list|rotate", async () => {
  const [key] = await json<{ keyId: string }[]>("signing-key", "list");
  const [made] = await json<{ isCurrent: boolean }[]>("signing-key", "rotate");
  expect(made).toMatchObject({ isCurrent: true });
  expect((await run("signing-key", "list")).out).toContain(`${key?.keyId}  published`);
});

test("managed-identity create|list|delete: the header is printed once, and good for a token", async () => {
  const api = await json<{ appId: string }>("app", "create", "hosted-api", "--app-id-uri", "api://hosted");
  const { out, errors } = await run("managed-identity", "create", "worker", "--resource", "api://hosted");
  const [, endpoint = "", header = ""] = /^IDENTITY_ENDPOINT=(.+)\nIDENTITY_HEADER=(.+)\n$/.exec(out) ?? [];
  expect(endpoint).toBe(`http://localhost:${new URL(server.plainUrl).port}/msi/token`);
  expect(errors).toContain("not shown again");
  const answer = await fetch(`${endpoint}?api-version=2019-08-01&resource=${api.appId}`, {
    headers: { "x-identity-header": header },
  });
  expect(answer.status).toBe(200);
  const listed = await run("managed-identity", "list");
  expect(listed.out).toContain("worker");
  expect(listed.out).not.toContain(header);
  expect((await run("managed-identity", "delete", "worker")).out).toBe("Deleted worker.\n");
  expect(await json("managed-identity", "list")).toEqual([]);
});

test("audit: lines for people, JSON lines for machines", async () => {
  await run("group", "create", "audited\u001b[2J");
  const lines = (await run("audit", "--since", "1h", "--json")).out.trim().split("\n");
  const events = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(events.at(-1)).toMatchObject({ activity: "Add group", outcome: "success", actor: { kind: "installation" } });
  const shown = (await run("audit", "--category", "administration")).out;
  expect(shown).toMatch(/success {2}administration {2}Add group audited\?\[2J {2}by installation/);
  expect((await run("audit", "--since", "tomorrow or so")).code).toBe(1);
  expect((await run("audit", "--category", "other")).code).toBe(2);
  expect((await run("audit", "--until", "2020-01-01T00:00:00Z")).out).toBe("");
});

describe("apply", () => {
  test("makes a directory what files say, and the second time changes nothing", async () => {
    const place = await mkdtemp(path.join(folder, "apply-"));
    const write = (name: string, content: unknown): Promise<void> =>
      writeFile(path.join(place, name), typeof content === "string" ? content : JSON.stringify(content));
    await write("secret.txt", "a password of some length\n");
    await write("10-api.json", {
      name: "applied api",
      identifierUris: ["api://applied"],
      oauth2Permissions: [{ value: "Read" }],
      appRoles: [{ value: "Chief" }],
    });
    await write("20-rest.json", {
      applications: [
        { appId: "5f0cf0b4-8f4d-4a3e-9f0d-2f6a40d2d1c7", displayName: "applied client", publicClient: true },
      ],
      users: [{ userPrincipalName: user("alba"), displayName: "Alba", passwordFile: "secret.txt" }],
      groups: [
        { displayName: "applied outer", members: ["applied inner"] },
        { displayName: "applied inner", description: "first", members: [user("alba")] },
      ],
      permissions: [{ client: "applied client", resource: "api://applied", scopes: ["Read"], appRoles: ["Chief"] }],
      roles: [{ application: "applied api", role: "Chief", principals: ["applied inner"] }],
    });
    const results = async (): Promise<string[]> =>
      (await json<{ result: string }[]>("apply", "-f", place)).map((each) => each.result);
    expect(await results()).toEqual(["created", "created", "created", "created", "created", "changed", "changed"]);
    expect(await results()).toEqual(Array.from({ length: 7 }, () => "unchanged"));
    const grant = await server.token({
      grant_type: "password",
      client_id: "5f0cf0b4-8f4d-4a3e-9f0d-2f6a40d2d1c7",
      username: user("alba"),
      password: "a password of some length",
      resource: "api://applied",
    });
    expect(grant.status).toBe(200);
    const claims = JSON.parse(
      Buffer.from(String(grant.json()["access_token"]).split(".")[1] ?? "", "base64url").toString(),
    ) as object;
    expect(claims).toMatchObject({ aud: "api://applied", scp: "Read", roles: ["Chief"] });
    await write("20-rest.json", {
      users: [{ userPrincipalName: user("alba"), displayName: "Alba Longa" }],
      groups: [{ displayName: "applied inner", description: "second", members: [] }],
    });
    expect(await results()).toEqual(["unchanged", "changed", "changed"]);
    expect(await json("group", "member", "list", "applied inner")).toEqual([]);
  });

  test.each<[string, unknown, string]>([
    ["what is no JSON", "{", "Expected"],
    ["a list", [], "JSON object"],
    ["an unknown list", { users: [], people: [] }, "'people'"],
    ["a user without a name", { users: [{}] }, "userPrincipalName"],
    ["a manifest without a name", { tags: [] }, "'displayName'"],
  ])("refuses %s", async (_what, content, reason) => {
    const { code, errors } = await run("apply", "-f", await file("wrong.json", content));
    expect([code, errors]).toEqual([2, expect.stringContaining(reason)]);
  });
});

test("a stopped server is exit code 3", async () => {
  const empty = await mkdtemp(path.join(folder, "empty-"));
  const errors = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  expect(await runCommandLine(["group", "list", "--data-dir", empty])).toBe(3);
  errors.mockRestore();
});
