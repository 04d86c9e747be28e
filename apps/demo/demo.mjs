#!/usr/bin/env node
/**
 * The main job of the three servers, done by unmodified clients against a running system, step by step:
 * a token with a certificate, a resource server that validates it, a signed upload, a graph of this repository's own
 * packages. Usage: `npm run demo [-- --data-dir DIR]` while `npm start` runs.
 */
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { findInstallation } from "./installation.mjs";
import { getTokenWithCertificate } from "./token.mjs";
import { startResourceServer } from "./resource-server.mjs";
import { uploadAndReadBack } from "./upload.mjs";
import { signIn } from "./graph-client.mjs";
import { askTheGraph, loadPackageLock } from "./package-graph.mjs";
import { readWithSeraph } from "./seraph.mjs";
import { heading, line } from "./print.mjs";

const { values } = parseArgs({ options: { "data-dir": { type: "string", default: "data" } } });
const installation = await findInstallation(values["data-dir"]);

// Node reads the trusted authorities once, at its start: so start again with ours among them.
if (process.env.NODE_EXTRA_CA_CERTS !== installation.certificateAuthority) {
  const again = spawnSync(process.execPath, process.argv.slice(1), {
    stdio: "inherit",
    env: { ...process.env, NODE_EXTRA_CA_CERTS: installation.certificateAuthority },
  });
  process.exit(again.status ?? 1);
}

const { identity } = installation;

heading("1  A token for a service, with a certificate (@azure/msal-node, https)");
const { accessToken, audience } = await getTokenWithCertificate(installation);

heading("2  A resource server of 30 lines validates it (jose)");
const resourceServer = await startResourceServer({ authority: `${identity.issuer}/${identity.tenantId}`, audience });
for (const authorization of [undefined, `Bearer ${accessToken.slice(0, -4)}AAAA`, `Bearer ${accessToken}`]) {
  const answer = await fetch(resourceServer.url, { headers: authorization === undefined ? {} : { authorization } });
  line(`${authorization?.slice(0, 18) ?? "no token"}…`, `${answer.status} ${(await answer.text()).slice(0, 100)}`);
}
resourceServer.close();

heading("3  A file: uploaded with SharedKey and x-store-* headers (fetch), read back (@azure/storage-blob)");
await uploadAndReadBack(installation.objects);

heading("4  This repository's package-lock.json as a graph (POST /db/data/transaction, {parameters} in braces)");
const graph = await signIn(installation.graph, installation.dataDirectory);
await loadPackageLock(graph);
await askTheGraph(graph);

heading("5  The same nodes through an old client (seraph)");
await readWithSeraph(graph);
