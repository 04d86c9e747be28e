import { createHash, createHmac } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { System } from "../system/system.ts";

let system: System;
beforeAll(async () => {
  system = await System.start({ properties: { "log.level": "trace" } });
});
afterAll(() => system?.stop());

/** Every secret that this run uses, by what it is. */
type Secrets = Map<string, string>;

test("no log line of a run that uses every kind of secret contains one of them", async () => {
  const secrets: Secrets = new Map();
  const credentials = await system.credentials();
  await useIdentity(credentials.identity, secrets);
  await useObjects(credentials.objects, secrets);
  await useGraph(credentials.graph, secrets);
  secrets.set("command-line token", (await readFile(path.join(system.dataDirectory, "cli-token"), "utf8")).trim());

  const logs = system.output + (await readLogFiles());
  expect(logs, "the run was logged").toMatch(/token/);
  expect(
    [...secrets].filter(([, secret]) => secret.length >= 8 && logs.includes(secret)).map(([what]) => what),
  ).toEqual([]);
  expect(secrets.size).toBeGreaterThan(10);
});

async function useIdentity(
  identity: Awaited<ReturnType<System["credentials"]>>["identity"],
  secrets: Secrets,
): Promise<void> {
  secrets.set("administrator's password", identity.administrator.password);
  const userPassword = "the user's password, unlike any other";
  const file = path.join(system.dataDirectory, "password-of-ada");
  await writeFile(file, userPassword);
  secrets.set("user's password", userPassword);
  const username = `ada@${identity.tenantDomain}`;
  await system.trefoil("user", "create", username, "--password-file", file);
  await system.trefoil("app", "create", "Service", "--app-id-uri", "api://logs", "--scope", "read");
  const app = await system.trefoil<{ appId: string }>("app", "create", "Client");
  const publicApp = await system.trefoil<{ appId: string }>("app", "create", "Public", "--public");
  const { secretText } = await system.trefoil<{ secretText: string }>("app", "secret", "add", app.appId);
  secrets.set("client secret", secretText);
  const http = system.baseUrl("identity");
  const ask = async (form: Record<string, string>, headers: Record<string, string> = {}): Promise<void> => {
    const answer = await fetch(`${http}/${identity.tenantId}/oauth2/token`, {
      method: "POST",
      body: new URLSearchParams({ resource: "api://logs", ...form }),
      headers,
    });
    const body = (await answer.json()) as Record<string, string>;
    for (const name of ["access_token", "refresh_token", "id_token"]) {
      if (body[name] !== undefined) {
        secrets.set(`${name} of ${form["grant_type"]}`, body[name]);
      }
    }
  };
  await ask({ grant_type: "client_credentials", client_id: app.appId, client_secret: secretText });
  const basic = Buffer.from(`${app.appId}:${encodeURIComponent(secretText)}`).toString("base64");
  secrets.set("basic credentials", basic);
  await ask({ grant_type: "client_credentials" }, { Authorization: `Basic ${basic}` });
  await ask({ grant_type: "password", client_id: publicApp.appId, username, password: userPassword });
  await ask({ grant_type: "password", client_id: publicApp.appId, username, password: `${userPassword} wrong` });
  // A secret in the wrong place: in the query, where access logs would keep it.
  await fetch(`${http}/${identity.tenantId}/oauth2/token?client_secret=${encodeURIComponent(secretText)}`, {
    method: "POST",
  });
  secrets.set("client secret in a query", encodeURIComponent(secretText));
}

async function useObjects(
  objects: Awaited<ReturnType<System["credentials"]>>["objects"],
  secrets: Secrets,
): Promise<void> {
  objects.keys.forEach((key, index) => secrets.set(`account key ${index + 1}`, key));
  const date = new Date().toUTCString();
  const signature = createHmac("sha256", Buffer.from(objects.keys[0] ?? "", "base64"))
    .update(`GET\n\n\n\n\n\n\n\n\n\n\n\nx-store-date:${date}\nx-store-version:2015-02-21\n/${objects.account}/c/b`)
    .digest("base64");
  secrets.set("shared-key signature", signature);
  const headers = { "x-store-date": date, "x-store-version": "2015-02-21" };
  await fetch(`${system.baseUrl("objects")}/c/b`, {
    headers: { ...headers, Authorization: `SharedKey ${objects.account}:${signature}` },
  });
  const sasSignature = createHash("sha256").update("a signature").digest("base64url");
  secrets.set("signature of a shared access signature", sasSignature);
  await fetch(`${system.baseUrl("objects")}/c/b?sv=2020-02-10&sp=r&sig=${sasSignature}`);
}

async function useGraph(graph: Awaited<ReturnType<System["credentials"]>>["graph"], secrets: Secrets): Promise<void> {
  secrets.set("graph password", graph.password);
  const basic = Buffer.from(`${graph.username}:${graph.password}`).toString("base64");
  secrets.set("graph credentials", basic);
  const newPassword = "a new password of the graph";
  secrets.set("new graph password", newPassword);
  const headers = { Authorization: `Basic ${basic}`, "Content-Type": "application/json" };
  await fetch(`${system.baseUrl("graph")}/db/data/`, { headers });
  const changed = await fetch(`${system.baseUrl("graph")}/user/${graph.username}/password`, {
    method: "POST",
    headers,
    body: JSON.stringify({ password: newPassword }),
  });
  expect(changed.status).toBe(200);
}

async function readLogFiles(): Promise<string> {
  const folder = path.join(system.dataDirectory, "logs");
  const names = await readdir(folder).catch(() => []);
  return (await Promise.all(names.map((name) => readFile(path.join(folder, name), "utf8")))).join("");
}
