import { type FastifyInstance, type FastifyRequest } from "fastify";

/** Writes one line per answered request in the common log format (`graph.http.log.enabled`). */
export function registerAccessLog(app: FastifyInstance, write: (line: string) => void, now: () => number): void {
  app.addHook("onResponse", (request, reply, done) => {
    const { remoteAddress = "-" } = request.raw.socket;
    const line = `${request.method} ${request.raw.url ?? ""} HTTP/${request.raw.httpVersion}`;
    // Streamed answers do not say their size.
    const size = reply.getHeader("content-length");
    write(
      `${remoteAddress} - ${userOf(request)} [${logDate(now())}] "${escaped(line)}" ${reply.raw.statusCode} ${String(size ?? "-")}\n`,
    );
    done();
  });
}

/** Names come from accounts, but also from tokens. */
function userOf({ graphAccount }: FastifyRequest): string {
  return graphAccount === undefined ? "-" : escaped(graphAccount.name).replaceAll(" ", "%20");
}

/** Nothing that a client sends ends a field or a line. */
function escaped(text: string): string {
  return text.replace(
    /["\\\u0000-\u001f\u007f-\uffff]/g,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
}

/** `20/Nov/2015:12:02:25 +0000` */
function logDate(timeMs: number): string {
  const [, day = "", month = "", year = "", time = ""] =
    /^\w+, (\d+) (\w+) (\d+) ([\d:]+)/.exec(new Date(timeMs).toUTCString()) ?? [];
  return `${day}/${month}/${year}:${time} +0000`;
}
