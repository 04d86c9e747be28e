import { isUtf8 } from "node:buffer";
import { type FastifyServerOptions } from "fastify";

/**
 * What the framework needs to be told before the interface is registered on it: names in paths may be long, a final slash
 * is free, and an address is read as the model server reads it (measured on a 2.3 server).
 */
export const SERVER_OPTIONS: Pick<FastifyServerOptions, "routerOptions" | "rewriteUrl" | "frameworkErrors"> = {
  routerOptions: { ignoreTrailingSlash: true, maxParamLength: 20_480 },
  rewriteUrl: ({ url }) => readableAddress(url ?? "/"),
  // An address that is none: nothing is known of what was wanted.
  frameworkErrors: (_error, _request, reply) => {
    reply.hijack();
    reply.raw.writeHead(400, { "content-type": "text/html; charset=ISO-8859-1" }).end();
  },
};

/**
 * An address without what follows a semicolon in a part of its path, and with the replacement character for bytes that
 * are no UTF-8.
 */
function readableAddress(url: string): string {
  const end = url.indexOf("?");
  const path = end === -1 ? url : url.slice(0, end);
  if (!path.includes(";") && !path.includes("%")) {
    return url;
  }
  const readable = path
    .replaceAll(/;[^/]*/g, "")
    .replaceAll(/(?:%[\da-f]{2})+/gi, (bytes) =>
      isUtf8(fromHex(bytes)) ? bytes : encodeURIComponent(fromHex(bytes).toString()),
    );
  return readable + url.slice(path.length);
}

function fromHex(bytes: string): Buffer {
  return Buffer.from(bytes.replaceAll("%", ""), "hex");
}
