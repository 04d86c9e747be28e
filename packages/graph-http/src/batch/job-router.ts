import createRouter, { type HTTPMethod } from "find-my-way";
import { type RestHandler, type RestRoute } from "../rest/rest-call.ts";

/** What a job calls. */
export interface JobTarget {
  readonly handle: RestHandler;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

/**
 * Finds what a job calls: `to` is relative to `/db/data`, or a whole address of this server. Undefined for a path that
 * is not served; of one that is, `allowed` when only its methods are asked for, `refused` when it has another method.
 */
export type JobRouter = (method: string, to: string, baseUrl: string) => JobTarget | "allowed" | "refused" | undefined;

/** Routes jobs as Fastify routes requests: by the same router and the same templates. */
export function createJobRouter(routes: readonly RestRoute[]): JobRouter {
  const router = createRouter({ ignoreTrailingSlash: true, maxParamLength: 20_480 });
  for (const { method, path, handle } of routes) {
    router.on(method, path, () => undefined, handle);
  }
  return (method, to, baseUrl) => {
    const path = targetOf(to, baseUrl);
    const query = path.indexOf("?");
    const find = (by: HTTPMethod): ReturnType<typeof router.find> =>
      router.find(by, query === -1 ? path : path.slice(0, query));
    const wanted = method === "HEAD" ? "GET" : METHODS.find((known) => known === method);
    const found = wanted === undefined ? null : find(wanted);
    if (found === null) {
      const isServed = METHODS.some((known) => find(known) !== null);
      return isServed ? (method === "OPTIONS" ? "allowed" : "refused") : undefined;
    }
    return {
      handle: found.store as RestHandler,
      parameters: found.params as Readonly<Record<string, string>>,
      query: new URLSearchParams(query === -1 ? "" : path.slice(query + 1)),
    };
  };
}

/** Path and query below this server that `to` means, with or without a slash before it, dots resolved. */
function targetOf(to: string, baseUrl: string): string {
  const base = `${baseUrl}/db/data/`;
  const relative = to.startsWith(base) ? to.slice(base.length) : to;
  const query = relative.indexOf("?");
  const path = query === -1 ? relative : relative.slice(0, query);
  const { pathname } = new URL(`.${path.startsWith("/") ? "" : "/"}${path.replaceAll(/\/{2,}/g, "/")}`, ANY_ORIGIN);
  return query === -1 ? pathname : pathname + relative.slice(query);
}

/** Only the path is resolved against it; what a client writes into `Host` might be no address at all. */
const ANY_ORIGIN = "http://localhost/db/data/";

const METHODS: readonly HTTPMethod[] = ["GET", "POST", "PUT", "DELETE"];
