import { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"] as const;

/** What is said where nothing is served, in the words of the interface that the routes belong to. */
export interface Refusals {
  /** The address takes other methods only. */
  readonly method: (request: FastifyRequest, allowed: readonly string[]) => Error;
  /** Nothing is served at the address at all. */
  readonly address: (request: FastifyRequest, reply: FastifyReply) => unknown;
}

/** An address and the methods it is served by. */
interface Served {
  /** Behind the prefix of the scope, as it was registered there. */
  readonly path: string;
  /** Matches whole paths. */
  readonly pattern: RegExp;
  readonly methods: Set<string>;
}

/**
 * Adds routes, and to each of their addresses a refusal of the methods it doesn't serve: 405 with `Allow`; what matches
 * none of them isn't found. (rulings, Identity 8)
 */
export function refuseOtherMethods(app: FastifyInstance, refusals: Refusals, addRoutes: () => void): void {
  const served = new Map<string, Served>();
  const refuse = (request: FastifyRequest, reply: FastifyReply, methods: ReadonlySet<string>): never => {
    const allowed = METHODS.filter((method) => methods.has(method));
    reply.header("allow", allowed.join(", "));
    throw refusals.method(request, allowed);
  };
  let areComplete = false;
  app.addHook("onRoute", ({ routePath, url, method }) => {
    if (!areComplete) {
      // Addresses that differ in the names of their parameters are one.
      const key = routePath.toLowerCase().replaceAll(/:\w+/g, ":");
      const { methods } = served.get(key) ?? { methods: new Set<string>() };
      served.set(key, { path: routePath, pattern: patternOf(url), methods });
      [method].flat().forEach((each) => methods.add(each));
    }
  });
  addRoutes();
  // Registered last, so that routes of scopes inside have been added by then.
  void app.register((scope, _options, done) => {
    areComplete = true;
    for (const { path, methods } of served.values()) {
      scope.route({
        method: METHODS.filter((method) => !methods.has(method)),
        url: path,
        handler: (request, reply) => refuse(request, reply, methods),
      });
    }
    done();
  });
  // The router has no routes for methods that the framework doesn't know (PROPFIND): they all end here.
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split("?", 1)[0] ?? "";
    const isKnown = METHODS.some((method) => method === request.method);
    const found = isKnown ? undefined : [...served.values()].find(({ pattern }) => pattern.test(path));
    return found === undefined ? refusals.address(request, reply) : refuse(request, reply, found.methods);
  });
}

/** As the router compares: parameters are whole segments, case and a final slash don't matter. */
function patternOf(path: string): RegExp {
  const segments = path
    .split("/")
    .map((segment) => (segment.startsWith(":") ? "[^/]+" : segment.replaceAll(/[^\w-]/g, String.raw`\$&`)));
  return new RegExp(`^${segments.join("/")}/?$`, "i");
}
