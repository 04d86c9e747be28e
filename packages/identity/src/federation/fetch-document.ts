import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { type LookupFunction } from "node:net";
import { findAddresses, isFetchable } from "./outside-address.ts";

const TIMEOUT_MS = 5_000;
const LENGTH_LIMIT = 256 * 1024;

/**
 * A JSON document of an outside issuer: 200, at most 256 KiB, within five seconds. Redirects are not followed, since
 * nobody registered where they lead.
 *
 * @param privateHosts  lower-case names that may lead to private addresses
 * @throws Error saying why there is none
 */
export async function fetchDocument(url: URL, privateHosts: ReadonlySet<string>): Promise<unknown> {
  if (!isFetchable(url)) {
    throw new Error(`${url.href} is neither https nor http on this machine`);
  }
  const addresses = await findAddresses(url.hostname, privateHosts);
  const lookup: LookupFunction = (_hostname, options, callback) => {
    const [first] = addresses;
    if (options.all === true) {
      callback(null, [...addresses]);
    } else {
      callback(null, first?.address ?? "", first?.family);
    }
  };
  const response = await open(url, lookup);
  if (response.statusCode !== 200) {
    response.destroy();
    throw new Error(`${url.href} answered with the status ${response.statusCode ?? 0}`);
  }
  return JSON.parse(await readText(url, response)) as unknown;
}

function open(url: URL, lookup: LookupFunction): Promise<IncomingMessage> {
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    send(url, {
      lookup,
      agent: false,
      headers: { accept: "application/json" },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
      .on("response", resolve)
      .on("error", reject)
      .end();
  });
}

async function readText(url: URL, response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > LENGTH_LIMIT) {
      response.destroy();
      throw new Error(`${url.href} is longer than ${LENGTH_LIMIT} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
