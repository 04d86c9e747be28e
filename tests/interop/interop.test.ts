import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Credentials, System } from "../system/system.ts";
import { createClientCertificate } from "./client-certificate.ts";

let system: System;
let credentials: Credentials;

beforeAll(async () => {
  system = await System.start();
  credentials = await system.credentials();
});
afterAll(() => system?.stop());

interface Registered {
  readonly appId: string;
}

describe("@azure/msal-node and jose over https, with nothing trusted but the local authority", () => {
  const audience = "api://interop";
  const user = { username: "", password: "a password of some length" };
  let tokens: {
    readonly byCertificate: string;
    readonly byCertificateChain: string;
    readonly bySecret: string;
    readonly wrongSecret: { readonly error: string };
    readonly byPassword: { readonly accessToken: string; readonly username: string };
  };

  beforeAll(async () => {
    const { tenantId, tenantDomain, issuer } = credentials.identity;
    user.username = `ada@${tenantDomain}`;
    const file = (name: string): string => path.join(system.dataDirectory, name);
    await writeFile(file("password"), user.password);
    await system.trefoil("app", "create", "Service", "--app-id-uri", audience, "--scope", "read");
    const confidential = await system.trefoil<Registered>("app", "create", "Confidential client");
    const publicClient = await system.trefoil<Registered>("app", "create", "Public client", "--public");
    const certificate = await createClientCertificate();
    await writeFile(file("certificate.pem"), certificate.certificatePem);
    await system.trefoil("app", "certificate", "add", confidential.appId, file("certificate.pem"));
    const { secretText } = await system.trefoil<{ secretText: string }>("app", "secret", "add", confidential.appId);
    await system.trefoil("user", "create", user.username, "--password-file", file("password"));

    tokens = await system.runClient("msal-node.mjs", {
      authority: `${new URL(issuer).origin}/${tenantId}`,
      confidential: { clientId: confidential.appId, clientSecret: secretText, ...certificate },
      publicClient: { clientId: publicClient.appId },
      scope: `${audience}/.default`,
      user,
    });
  });

  test("msal-node gets tokens with a certificate, with a chain, with a secret and for a user", () => {
    expect(
      [tokens.byCertificate, tokens.byCertificateChain, tokens.bySecret].map((token) => token.split(".").length),
    ).toEqual([3, 3, 3]);
    expect(tokens.byPassword.username).toBe(user.username);
    expect(tokens.wrongSecret.error).toBe("invalid_client");
  });

  test("jose validates each by discovery, and refuses a changed one", async () => {
    const { issuer, tenantId } = credentials.identity;
    const origin = new URL(issuer).origin;
    const good = [tokens.byCertificate, tokens.bySecret, tokens.byPassword.accessToken];
    const changed = tokens.byCertificate.replace(/\.[^.]*$/, `.${"A".repeat(342)}`);
    const verdicts = await system.runClient<{ claims?: { aud: string }; error?: string }[]>("jose.mjs", {
      metadataUrls: [`${origin}/${tenantId}/.well-known/openid-configuration`],
      tokens: [...good, changed],
      audience,
    });
    expect(verdicts.map(({ claims, error }) => claims?.aud ?? error)).toEqual([
      audience,
      audience,
      audience,
      "ERR_JWS_SIGNATURE_VERIFICATION_FAILED",
    ]);
  });
});

test("@azure/storage-blob: containers, uploads, ranges, listings, deletes", async () => {
  const { connectionString } = credentials.objects;
  expect(await system.runClient("storage-blob.mjs", { connectionString })).toEqual({
    same: true,
    range: true,
    contentType: "text/plain; charset=utf-8",
    metadata: { foo_bar: "1", foo2: "2" },
    listed: [
      { name: "empty", metadata: {} },
      { name: "folder/ä b+c.txt", metadata: { foo_bar: "1", foo2: "2" } },
    ],
    prefixes: ["prefix:folder/", "blob:empty"],
    containers: ["interop"],
    existed: true,
    missing: { status: 404, code: "BlobNotFound" },
  });
});

test("seraph: legacy Cypher with parameters, nodes, labels, relationships", async () => {
  const { endpoint, username, password } = credentials.graph;
  const answer = await system.runClient<{ ids: { p: number; q: number; r: number } }>("seraph.mjs", {
    server: endpoint.replace(/\/$/, ""),
    user: username,
    pass: password,
  });
  const { p, q, r } = answer.ids;
  expect(answer).toMatchObject({
    read: { name: "it's", size: 12, id: p },
    labels: ["Package"],
    again: { name: "saved", list: [1, 2] },
    relationship: { id: r, start: p, end: q, type: "DEPENDS_ON", properties: { range: "^1" } },
    outgoing: [{ id: r }],
    gone: { statusCode: 404 },
  });
});

test("the demo runs from beginning to end", async () => {
  const demo = path.resolve(import.meta.dirname, "../../apps/demo/demo.mjs");
  const { stdout } = await promisify(execFile)(process.execPath, [demo, "--data-dir", system.dataDirectory]);
  expect(stdout).toMatch(/200 hello, [0-9a-f-]{36}/);
  expect(stdout).toMatch(/SHA-256 the same/);
  expect(stdout).toMatch(/who pulls in pino +.*fastify/);
  expect(stdout).toMatch(/query, then read by id +\{.*"name":"pino"/);
});
