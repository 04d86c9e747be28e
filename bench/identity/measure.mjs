#!/usr/bin/env node
/**
 * The identity provider beside node-oidc-provider, which keeps everything in memory, and beside a bare Fastify server,
 * in one run on one machine: `npm run bench:identity`. Every server is a process of its own; rounds take turns, the
 * median counts. Judge by the time on the server's processor per request, the least of all rounds, and by ratios: rates
 * depend on who else is busy on the machine, the load generator included.
 *
 *     npm run bench:identity -- [--seconds 2] [--rounds 3] [--connections 16] [--only <words of names, split by |>] [--no-peer]
 *                               [--peers <folder that node-oidc-provider is, or will be, installed in>]
 *                               [--soak <minutes>: ours alone, and what its memory does]
 */
import { execFileSync } from "node:child_process";
import { createHash, createPublicKey, generateKeyPairSync, randomUUID, sign, X509Certificate } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { cpus, tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { RawConnection } from "../objects/raw-connection.mjs";
import { createCertificate } from "./certificate.mjs";
import { fillDirectory } from "./directory.mjs";
import { soak } from "./soak.mjs";
import { memoryBytes, processorMs, startFloor, startOidcProvider, startTrefoil } from "./servers.mjs";
import { form, workloadsOf } from "./workloads.mjs";

const { values: options } = parseArgs({
  options: {
    seconds: { type: "string", default: "2" },
    rounds: { type: "string", default: "3" },
    connections: { type: "string", default: "16" },
    only: { type: "string", default: "" },
    peers: { type: "string" },
    "no-peer": { type: "boolean", default: false },
    soak: { type: "string" },
  },
});
/** Until the compiler has seen what is hot. */
const WARM_UP_SECONDS = 2;
/** argon2id at the costs of our defaults (`identity.password.*`). */
const passwordCost = { memoryKib: 19_456, iterations: 2 };

const folder = await mkdtemp(path.join(tmpdir(), "trefoil-bench-identity-"));
const servers = [];
/** How often each server was asked for each workload. */
const counters = new Map();
try {
  await run();
} finally {
  await Promise.all(servers.map((server) => server.stop()));
  await rm(folder, { recursive: true, force: true });
}

async function run() {
  const machine = `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, commit ${commit()}`;
  console.log(`${machine}\n`);
  const home = path.join(folder, "trefoil");
  const certificate = await createCertificate();
  const port = await freePort();
  const first = await startTrefoil(home, port);
  servers.push(first);
  const ours = await fillDirectory(first, home, certificate.certificatePem);
  await first.stop();
  // The second start is what a restart costs: keys, certificate and database are there.
  const trefoil = await startTrefoil(home, port);
  servers.splice(0, 1, trefoil);
  const own = { grant_type: "client_credentials", client_id: ours.clientId, client_secret: ours.clientSecret };
  await ask(trefoil, ours, { ...own, scope: `${ours.resource}/.default` });
  const firstTokenMs = performance.now() - trefoil.told.beganMs;
  const firstTokenProcessorMs = await processorMs(trefoil.pid);
  Object.assign(ours, await signIn(trefoil, ours));
  if (options.soak !== undefined) {
    const workloads = workloadsOf({ ours, peer: {}, assertions: { trefoil: [""], "oidc-provider": [""] } });
    await soak(trefoil, workloads, turn, Number(options.soak));
    return;
  }

  const documentBytes = (await (await fetch(configurationUrl(trefoil, ours))).arrayBuffer()).byteLength;
  servers.push(await startFloor({ privateKeyPem: certificate.privateKeyPem, documentBytes, password: passwordCost }));
  const peer = { clientId: randomUUID(), clientSecret: randomUUID(), assertionClientId: randomUUID() };
  if (!options["no-peer"]) {
    servers.push(await startPeer(peer, ours, certificate));
  }
  const assertions = makeAssertions(certificate, ours, peer);

  console.log(`${"".padEnd(32)}${servers.map(({ name }) => name.padStart(28)).join("")}`);
  const results = [];
  for (const workload of workloadsOf({ ours, peer, assertions }).filter(({ name }) => isWanted(name))) {
    results.push(await rowOf(workload));
  }
  const memory = await memoryBytes(trefoil.pid);
  const start = {
    readyMs: trefoil.told.readyMs,
    firstReadyMs: first.told.readyMs,
    firstTokenMs,
    firstTokenProcessorMs,
  };
  summarize(results, memory, start);
  const target = path.resolve(import.meta.dirname, "../results");
  await mkdir(target, { recursive: true });
  await writeFile(path.join(target, "identity.json"), JSON.stringify({ machine, results, memory, start }, null, 2));
}

async function rowOf(workload) {
  const taking = servers.filter(({ name }) => name in workload.requests);
  for (const server of taking) {
    await turn(workload, server, WARM_UP_SECONDS);
  }
  const rounds = new Map(taking.map((server) => [server.name, []]));
  for (let round = 0; round < Number(options.rounds); round += 1) {
    for (const server of taking) {
      rounds.get(server.name).push(await turn(workload, server, Number(options.seconds)));
    }
  }
  const medians = Object.fromEntries([...rounds].map(([name, turns]) => [name, medianOf(turns)]));
  const cells = servers.map(({ name }) =>
    medians[name] === undefined
      ? "".padStart(28)
      : `${medians[name].rate.toFixed(0)} /s  ${medians[name].processorMs.toFixed(3)} ms`.padStart(28),
  );
  console.log(`${workload.name.padEnd(32)}${cells.join("")}`);
  return { name: workload.name, medians };
}

/** @returns requests per second, the server's processor time per request and latencies, in ms */
async function turn(workload, server, seconds, connections = Number(options.connections)) {
  const request = workload.requests[server.name];
  const key = `${workload.name} ${server.name}`;
  const before = await processorMs(server.pid);
  const beganMs = performance.now();
  const untilMs = beganMs + seconds * 1000;
  const latencies = [];
  const one = async () => {
    const connection = await RawConnection.open(server.port);
    do {
      const index = counters.get(key) ?? 0;
      counters.set(key, index + 1);
      const sentMs = performance.now();
      // The first answers are read whole: a fast refusal must not pass for speed.
      const { status, body } = await connection.exchange(request(index), latencies.length < 50);
      latencies.push(performance.now() - sentMs);
      if (status !== 200 || body?.includes(workload.expect) === false) {
        throw new Error(`${workload.name}: ${server.name} answered ${status} ${body ?? ""}`);
      }
    } while (performance.now() < untilMs);
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, one));
  const elapsedMs = performance.now() - beganMs;
  latencies.sort((left, right) => left - right);
  return {
    rate: (latencies.length * 1000) / elapsedMs,
    processorMs: ((await processorMs(server.pid)) - before) / latencies.length,
    medianMs: latencies[Math.floor(latencies.length / 2)],
    p99Ms: latencies[Math.floor(latencies.length * 0.99)],
  };
}

function medianOf(turns) {
  const of = (member) => turns.map((each) => each[member]).toSorted((a, b) => a - b)[Math.floor(turns.length / 2)];
  // What others do on the machine only ever adds to the time on the processor: the least disturbed round counts.
  const processorMs = Math.min(...turns.map((each) => each.processorMs));
  return { rate: of("rate"), processorMs, medianMs: of("medianMs"), p99Ms: of("p99Ms") };
}

function summarize(results, memory, start) {
  const of = (name, server) => results.find((each) => each.name === name)?.medians[server];
  const floor = of("form and signature", "floor");
  const lines = results
    .map(({ name }) => ({ name, own: of(name, "trefoil"), peer: of(name, "oidc-provider") }))
    .filter(({ own }) => own !== undefined);
  console.log();
  for (const { name, own, peer } of lines) {
    const ratios = [
      ...(peer === undefined ? [] : [`${(own.rate / peer.rate).toFixed(2)} × oidc-provider`]),
      ...(floor !== undefined && /credentials|refresh/.test(name)
        ? [`${(own.rate / floor.rate).toFixed(2)} × a signature alone`]
        : []),
      ...(of(name, "floor") === undefined ? [] : [`${(own.rate / of(name, "floor").rate).toFixed(2)} × bare Fastify`]),
      `p99 ${own.p99Ms.toFixed(1)} ms = ${(own.p99Ms / own.medianMs).toFixed(1)} × median`,
    ];
    console.log(`${name.padEnd(32)}${ratios.join(", ")}`);
  }
  const megabytes = (bytes) => `${(bytes / 1024 / 1024).toFixed(0)} MB`;
  console.log(
    `\nresident memory of trefoil after the load: ${megabytes(memory.now)}, at its peak ${megabytes(memory.peak)}`,
  );
  console.log(
    `start: ready after ${start.readyMs.toFixed(0)} ms, first token after ${start.firstTokenMs.toFixed(0)} ms ` +
      `(${start.firstTokenProcessorMs} ms of the processor); the very first start ${start.firstReadyMs.toFixed(0)} ms`,
  );
}

async function startPeer(peer, ours, certificate) {
  const jwk = { ...jwkOf(certificate.privateKeyPem), use: "sig", alg: "RS256", kid: "k" };
  const { kty, n, e } = jwk;
  const server = await startOidcProvider(options.peers ?? path.join(folder, "peers"), {
    ...peer,
    jwk: { ...signingKey(), use: "sig", alg: "RS256", kid: "s" },
    publicJwk: { kty, n, e, use: "sig", alg: "RS256", kid: "k" },
    resource: ours.resource,
  });
  Object.assign(peer, server.told, { issuer: `http://localhost:${server.told.port}` });
  return server;
}

/** Each is good for once at the peer, which remembers their ids; there are enough for all rounds. */
function makeAssertions({ certificatePem, privateKeyPem }, ours, peer) {
  const x5t = createHash("sha1").update(new X509Certificate(certificatePem).raw).digest("base64url");
  const make = (clientId, audience, header) => {
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: clientId,
      sub: clientId,
      aud: audience,
      jti: randomUUID(),
      iat: now,
      nbf: now,
      exp: now + 600,
    };
    const text = [{ alg: "RS256", typ: "JWT", ...header }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
      .join(".");
    return `${text}.${sign("sha256", Buffer.from(text), privateKeyPem).toString("base64url")}`;
  };
  if (!isWanted("client credentials, assertion")) {
    return { trefoil: [], "oidc-provider": [] };
  }
  const count = Math.ceil((Number(options.seconds) * Number(options.rounds) + WARM_UP_SECONDS) * 3_000);
  return {
    trefoil: Array.from({ length: Math.min(count, 5_000) }, () => make(ours.clientId, ours.tokenEndpoint, { x5t })),
    "oidc-provider":
      peer.issuer === undefined
        ? []
        : Array.from({ length: count }, () => make(peer.assertionClientId, peer.issuer, { kid: "k" })),
  };
}

/** One sign-in by password, for the requests that need what comes out of it. */
async function signIn(server, ours) {
  const { token_endpoint: tokenEndpoint } = await (await fetch(configurationUrl(server, ours))).json();
  const fields = {
    grant_type: "password",
    client_id: ours.clientId,
    client_secret: ours.clientSecret,
    username: ours.username,
    password: ours.password,
  };
  const scope = `openid offline_access ${ours.resource}/Things.Read`;
  const { access_token: accessToken, refresh_token: refreshToken } = await ask(server, ours, { ...fields, scope });
  return { tokenEndpoint, accessToken, refreshToken, userInfoToken: accessToken };
}

async function ask(server, ours, fields) {
  const connection = await RawConnection.open(server.port);
  const { status, body } = await connection.exchange(form(`/${ours.tenantId}/oauth2/v2.0/token`, fields), true);
  connection.close();
  if (status !== 200) {
    throw new Error(`the first token: ${status} ${body}`);
  }
  return JSON.parse(body);
}

function isWanted(name) {
  return options.only.split("|").some((words) => name.includes(words));
}

function configurationUrl(server, { tenantId }) {
  return `http://localhost:${server.port}/${tenantId}/v2.0/.well-known/openid-configuration`;
}

function signingKey() {
  return generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ format: "jwk" });
}

function jwkOf(privateKeyPem) {
  return createPublicKey(privateKeyPem).export({ format: "jwk" });
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function commit() {
  try {
    return execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
  } catch {
    return "unknown";
  }
}
