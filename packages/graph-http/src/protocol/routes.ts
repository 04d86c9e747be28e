import { type FastifyInstance, type FastifyReply, type FastifyRequest, type HTTPMethods } from "fastify";
import { answer, createExchange, type Exchange } from "./exchange.ts";
import { readBody } from "./read-body.ts";

/** One method of one path. Paths are Fastify templates; a trailing slash of the request is of no account. */
export interface Route {
  /** `OPTIONS` alone: the path is there, but nothing can be asked of it. */
  readonly method: "GET" | "POST" | "PUT" | "DELETE" | "OPTIONS";
  readonly path: string;
  /** Served, but not told of in `Allow`: what the interface document adds to the model server's methods. */
  readonly unlisted?: true;
  handle(exchange: Exchange): Promise<void> | void;
}

/**
 * Serves `routes`. A path answers `OPTIONS` with what it allows, `HEAD` where it has a `GET`, and 405 with the same list
 * for every other method (graph-http §10, graph-measured).
 */
export function registerRoutes(app: FastifyInstance, routes: readonly Route[], maximumBodyBytes: number): void {
  for (const [path, ofPath] of groupByPath(routes)) {
    const served = methodsOf(ofPath);
    const allow = [...methodsOf(ofPath.filter((route) => route.unlisted !== true))].join(",");
    for (const { method, handle } of ofPath) {
      if (method === "OPTIONS") {
        continue;
      }
      app.route({ method, url: path, handler: handlerOf(handle, maximumBodyBytes) });
    }
    app.route({ method: "OPTIONS", url: path, handler: (request, reply) => answerOptions(request, reply, allow) });
    const refused = METHODS.filter((method) => !served.has(method));
    app.route({
      method: refused,
      url: path,
      handler: (request, reply) => refuseMethod(request, reply, allow),
    });
  }
}

/** With what comes by itself: `HEAD` beside `GET`, and `OPTIONS`. */
function methodsOf(routes: readonly Route[]): ReadonlySet<string> {
  const methods = routes.map((route) => route.method);
  return new Set([...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"]);
}

/** Files, by their paths: the model server's answer a POST like a GET. */
export function staticRoutes(files: Readonly<Record<string, Route["handle"]>>): readonly Route[] {
  return Object.entries(files).flatMap(([path, handle]): Route[] => [
    { method: "GET", path, handle },
    { method: "POST", path, handle },
  ]);
}

/** Sends what no route is there for to `handle`, whatever its method. */
export function registerFallback(app: FastifyInstance, handle: Route["handle"], maximumBodyBytes: number): void {
  app.route({ method: [...METHODS, "OPTIONS"], url: "/*", handler: handlerOf(handle, maximumBodyBytes) });
}

function groupByPath(routes: readonly Route[]): ReadonlyMap<string, Route[]> {
  const groups = new Map<string, Route[]>();
  for (const route of routes) {
    const group = groups.get(route.path);
    if (group === undefined) {
      groups.set(route.path, [route]);
    } else {
      group.push(route);
    }
  }
  return groups;
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

function handlerOf(handle: Route["handle"], maximumBodyBytes: number): Handler {
  return async (request, reply) => {
    const body = Buffer.isBuffer(request.body) ? request.body : await readBody(request.raw, maximumBodyBytes);
    await handle(createExchange(request, reply, body));
    return reply;
  };
}

function refuseMethod(request: FastifyRequest, reply: FastifyReply, allow: string): void {
  if (STATIC.test(request.url)) {
    void reply.code(405).send();
    return;
  }
  answer(createExchange(request, reply, NO_BODY), 405, { allow });
}

/** Preflight questions are answered with what they ask for, as the era's browsers' consoles rely on (graph-http §1). */
function answerOptions(request: FastifyRequest, reply: FastifyReply, allow: string): void {
  const { headers } = request;
  if (STATIC.test(request.url)) {
    // Files are for this server's own pages: no other origin is told anything (golden, auth).
    void reply.code(200).header("allow", allow).send();
    return;
  }
  answer(createExchange(request, reply, NO_BODY), 204, {
    allow,
    ...echo("access-control-allow-methods", headers["access-control-request-method"]),
    ...echo("access-control-allow-headers", headers["access-control-request-headers"]),
  });
}

function echo(name: string, value: string | string[] | undefined): Record<string, string> {
  return value === undefined ? {} : { [name]: String(value) };
}

/** Where files are served, not an interface for programs. */
const STATIC = /^\/(?:browser|webadmin)\//;
const NO_BODY = Buffer.alloc(0);
const METHODS: readonly HTTPMethods[] = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH"];
