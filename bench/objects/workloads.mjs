import { createHash, randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { blobRequests } from "./blob-requests.mjs";
import { RawConnection } from "./raw-connection.mjs";

const KIB = 1024;
const MIB = 1024 * KIB;
const CONTAINER = "bench";

/**
 * What is measured: requests on so many connections at once. `prepare` runs before the clock, on every server, and
 * checks what comes back; `request` gives the bytes of the n-th request. Reads run on file servers too. `goals` say how
 * many times faster than a peer ours has to be.
 */
export const workloads = [
  put("put 4 KiB", 4 * KIB, 16, { azurite: 5 }),
  put("put 1 MiB", MIB, 4, { azurite: 2 }),
  get("get 4 KiB", 4 * KIB, 16, { azurite: 5, nginx: 0.5 }),
  get("get 1 MiB", MIB, 8, { "node file": 0.8 }),
  get("get 100 MiB", 100 * MIB, 2, { "node file": 0.8 }),
  list({ azurite: 20 }),
];

function put(name, bytes, connections, goals) {
  const body = randomBytes(bytes);
  let count = 0;
  return {
    name,
    bytes,
    connections,
    goals,
    needsBlobs: true,
    prepare: async (server) => {
      const requests = blobRequests(server);
      const target = `${CONTAINER}/checked-${bytes}`;
      await one(server, requests.put(target, body), 201);
      same(await one(server, requests.get(target), 200), body, name);
    },
    request: (server) => blobRequestsOf(server).put(`${CONTAINER}/${name.replaceAll(" ", "-")}/${count++}`, body),
    status: 201,
  };
}

function get(name, bytes, connections, goals) {
  const body = randomBytes(bytes);
  const file = `file-${bytes}`;
  return {
    name,
    bytes,
    connections,
    goals,
    needsBlobs: false,
    prepare: async (server, files) => {
      if (server.account === undefined) {
        await writeFile(path.join(files, file), body);
      } else {
        await one(server, blobRequestsOf(server).put(`${CONTAINER}/${file}`, body), 201);
      }
      same(await one(server, readOf(server, file), 200), body, name);
    },
    request: (server) => readOf(server, file),
    status: 200,
  };
}

function list(goals) {
  return {
    name: "list 5,000",
    bytes: 0,
    connections: 1,
    goals,
    needsBlobs: true,
    /**
     * @param {number} many  blobs of the container
     * @returns uploads per second, for each tenth of them: flat when the size of a container does not matter
     */
    prepare: async (server, _files, many) => {
      const requests = blobRequestsOf(server);
      await one(server, requests.createContainer("many"), 201);
      const body = Buffer.from("x");
      let next = 0;
      const tenths = [];
      let beganMs = performance.now();
      const fill = async () => {
        const connection = await RawConnection.open(server.port);
        while (next < many) {
          const name = `many/${String(next++).padStart(8, "0")}`;
          const { status } = await connection.exchange(requests.put(name, body));
          if (status !== 201) {
            throw new Error(`${server.name} answered ${status} to a small upload`);
          }
          if (next >= ((tenths.length + 1) * many) / 10) {
            const nowMs = performance.now();
            tenths.push(Math.round((many * 100) / (nowMs - beganMs)));
            beganMs = nowMs;
          }
        }
        connection.close();
      };
      await Promise.all(Array.from({ length: 32 }, fill));
      const text = (await one(server, requests.list("many"), 200)).toString("utf8");
      const names = [...text.matchAll(/<Name>([^<]+)</g)].map(([, name]) => name);
      if (names.length !== Math.min(5000, many) || names.some((name, index) => Number(name) !== index)) {
        throw new Error(`${server.name} listed ${names.length} blobs or in another order`);
      }
      return tenths;
    },
    request: (server) => blobRequestsOf(server).list("many"),
    status: 200,
  };
}

const made = new Map();

function blobRequestsOf(server) {
  const requests = made.get(server) ?? blobRequests(server);
  made.set(server, requests);
  return requests;
}

function readOf(server, file) {
  return server.account === undefined
    ? Buffer.from(`GET /${file} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`)
    : blobRequestsOf(server).get(`${CONTAINER}/${file}`);
}

/** Before any workload. */
export async function createBenchContainer(server) {
  await one(server, blobRequestsOf(server).createContainer(CONTAINER), 201);
}

async function one(server, request, status) {
  const connection = await RawConnection.open(server.port);
  const answer = await connection.exchange(request, true);
  connection.close();
  if (answer.status !== status) {
    throw new Error(`${server.name} answered ${answer.status}: ${answer.body?.toString("utf8").slice(0, 400)}`);
  }
  return answer.body;
}

function same(found, expected, name) {
  const hash = (bytes) => createHash("sha256").update(bytes).digest("hex");
  if (hash(found) !== hash(expected)) {
    throw new Error(`${name}: what came back is not what was sent`);
  }
}
