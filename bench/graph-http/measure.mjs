#!/usr/bin/env node
/**
 * The graph's HTTP interface beside a framework's bare echo, in one run on one machine: `npm run bench:graph-http`.
 * Answers are checked before the clock starts; rounds take turns between the servers, the median round counts. Beside
 * what the clock says stands the processor time that the server took for it, which neighbours on the machine disturb
 * less.
 *
 *     npm run bench:graph-http -- [--seconds 2] [--rounds 5] [--clients 16]
 *
 * The client shares the machine with the server: with two processors each has one.
 */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { processorMs, residentBytes } from "../graph/process-figures.mjs";
import { RawConnection } from "../objects/raw-connection.mjs";
import { beginRequest, commitRequest, postRequest, startEchoServer, startGraphServer } from "./servers.mjs";

const { values: options } = parseArgs({
  options: {
    seconds: { type: "string", default: "2" },
    rounds: { type: "string", default: "5" },
    clients: { type: "string", default: "16" },
  },
});
const USERS = 10_000;
const WARM_UP_REQUESTS = 30_000;
const STREAMED_ROWS = 100_000;
const CREATED_NODES = 1_000;
const IDLE_CONNECTIONS = 1_000;
const OPEN_TRANSACTIONS = 200;

const folder = await mkdtemp(path.join(tmpdir(), "trefoil-bench-graph-http-"));
const graph = await startGraphServer(path.join(folder, "graph"));
const echo = await startEchoServer();
try {
  console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? "?"}`);
  await fill();
  const lookup = await measureLookups();
  await measureStream();
  await measureCreation();
  await measureIdle(lookup);
} finally {
  await Promise.all([graph.stop(), echo.stop()]);
  await rm(folder, { recursive: true });
}

async function fill() {
  const connection = await RawConnection.open(graph.port);
  await ask(connection, "CREATE INDEX ON :User(id)");
  await ask(connection, `UNWIND range(1, ${USERS}) AS id CREATE (:User {id: id, name: 'user ' + toString(id)})`);
  connection.close();
}

/** Who has an id: by parameter, through the transactional endpoint, beside the echo of the same body. */
async function measureLookups() {
  const statement = "MATCH (u:User {id: {id}}) RETURN u.name";
  const requests = Array.from({ length: USERS }, (_, at) =>
    commitRequest(graph.port, { statement, parameters: { id: at + 1 } }),
  );
  const connection = await RawConnection.open(graph.port);
  const { body } = await connection.exchange(requests[41], true);
  assert.deepEqual(JSON.parse(body.toString()).results[0].data, [{ row: ["user 42"] }]);
  connection.close();
  const bare = [postRequest(echo.port, "/", { statements: [{ statement, parameters: { id: 42 } }] })];
  const rounds = { [graph.name]: [], [echo.name]: [] };
  await warmUp(graph, requests);
  await warmUp(echo, bare);
  for (let at = 0; at < Number(options.rounds); at++) {
    rounds[graph.name].push(await round(graph, requests));
    rounds[echo.name].push(await round(echo, bare));
  }
  const [ours, theirs] = [median(rounds[graph.name]), median(rounds[echo.name])];
  const ratio = ours.perSecond / theirs.perSecond;
  console.log(
    `point lookup, ${options.clients} clients: ${figure(ours)}; echo ${figure(theirs)}; ratio ${ratio.toFixed(2)} by the clock, ${(theirs.processorMicroseconds / ours.processorMicroseconds).toFixed(2)} by processor time (wanted 0.50)`,
  );
  return { requests, perSecond: ours.perSecond };
}

function figure({ perSecond, processorMicroseconds }) {
  return `${Math.round(perSecond)}/s, ${processorMicroseconds.toFixed(1)} µs of processor each`;
}

/** By number, not by time: on a busy machine seconds are too short for the engine to compile what runs. */
async function warmUp(server, requests) {
  const clients = await Promise.all(
    Array.from({ length: Number(options.clients) }, () => RawConnection.open(server.port)),
  );
  await Promise.all(
    clients.map(async (client, first) => {
      for (let at = first; at < WARM_UP_REQUESTS; at += clients.length) {
        await client.exchange(requests[at % requests.length]);
      }
      client.close();
    }),
  );
}

/** As many requests as all clients get answered in the time of a round. */
async function round(server, requests) {
  const clients = await Promise.all(
    Array.from({ length: Number(options.clients) }, () => RawConnection.open(server.port)),
  );
  const beganMs = performance.now();
  const untilMs = beganMs + Number(options.seconds) * 1_000;
  const spentMs = processorMs(server.pid);
  let count = 0;
  await Promise.all(
    clients.map(async (client, first) => {
      for (let at = first; performance.now() < untilMs; at += clients.length) {
        const { status } = await client.exchange(requests[at % requests.length]);
        assert.equal(status, 200);
        count++;
      }
    }),
  );
  const tookMs = performance.now() - beganMs;
  clients.forEach((client) => client.close());
  return {
    perSecond: (count / tookMs) * 1_000,
    processorMicroseconds: ((processorMs(server.pid) - spentMs) / count) * 1_000,
  };
}

async function measureStream() {
  const request = commitRequest(graph.port, { statement: `UNWIND range(1, ${STREAMED_ROWS}) AS x RETURN x` });
  const connection = await RawConnection.open(graph.port);
  const { body } = await connection.exchange(request, true);
  assert.equal(body.toString().split('{"row":[').length - 1, STREAMED_ROWS);
  const took = await timed(() => connection.exchange(request));
  connection.close();
  console.log(`${STREAMED_ROWS} rows streamed: ${Math.round((STREAMED_ROWS / took) * 1_000)} rows/s (wanted 379000)`);
}

/** A thousand nodes in one request: by as many statements, and by one. */
async function measureCreation() {
  const props = Array.from({ length: CREATED_NODES }, (_, k) => ({ k, name: `node ${k}` }));
  const ways = {
    "by as many statements": props.map((each) => ({
      statement: "CREATE (n:Made {props})",
      parameters: { props: each },
    })),
    "by UNWIND": [{ statement: "UNWIND {props} AS props CREATE (n:Made) SET n = props", parameters: { props } }],
  };
  for (const [way, statements] of Object.entries(ways)) {
    const request = commitRequest(graph.port, ...statements);
    const connection = await RawConnection.open(graph.port);
    const { body } = await connection.exchange(request, true);
    const { results, errors } = JSON.parse(body.toString());
    assert.deepEqual([results.length, errors], [statements.length, []]);
    const took = await timed(() => connection.exchange(request));
    connection.close();
    console.log(`${CREATED_NODES} nodes in one request, ${way}: ${took.toFixed(1)} ms`);
  }
}

/** What doing nothing costs: memory, and what it does to who does something. */
async function measureIdle({ requests, perSecond }) {
  const before = residentBytes(graph.pid);
  const connections = [];
  for (let at = 0; at < IDLE_CONNECTIONS; at++) {
    connections.push(await RawConnection.open(graph.port));
  }
  for (const connection of connections.slice(0, OPEN_TRANSACTIONS)) {
    assert.equal((await connection.exchange(beginRequest(graph.port))).status, 201);
  }
  const megabytes = (residentBytes(graph.pid) - before) / 1024 ** 2;
  const during = median([await round(graph, requests), await round(graph, requests), await round(graph, requests)]);
  connections.forEach((connection) => connection.close());
  console.log(
    `${IDLE_CONNECTIONS} idle connections and ${OPEN_TRANSACTIONS} open transactions: ${megabytes.toFixed(1)} MB (wanted below 50), lookups at ${(during.perSecond / perSecond).toFixed(2)} of before`,
  );
}

async function timed(work) {
  const times = [];
  for (let at = 0; at < 7; at++) {
    const beganMs = performance.now();
    await work();
    times.push(performance.now() - beganMs);
  }
  return times.toSorted((left, right) => left - right)[3];
}

function median(rounds) {
  return rounds.toSorted((left, right) => left.perSecond - right.perSecond)[Math.floor(rounds.length / 2)];
}

async function ask(connection, statement) {
  const { body } = await connection.exchange(commitRequest(graph.port, { statement }), true);
  assert.deepEqual(JSON.parse(body.toString()).errors, []);
}
