import createRouter, { type HTTPMethod } from "find-my-way";
import { type RestHandler, type RestRoute } from "../rest/rest-call.ts";

/** What a job calls. */
export interface JobTarget {
  readonly handle: RestHandler;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

/** Finds what a job calls: `to` is relative to `/db/data`, or a whole address of this server. */
export type JobRouter = (method: string, to: string, baseUrl: string) => JobTarget | undefined;

/** Routes jobs as Fastify routes requests: by the same router and the same templates. */
export function createJobRouter(routes: readonly RestRoute[]): JobRouter {
  const router = createRouter({ ignoreTrailingSlash: true, maxParamLength: 20_480 });
  for (const { method, path, handle } of routes) {
    router.on(method, path, () => undefined, handle);
  }
  return (method, to, baseUrl) => {
    const path = to.startsWith(`${baseUrl}/`) ? to.slice(baseUrl.length) : `/db/data${to}`;
    const query = path.indexOf("?");
    const found = METHODS.has(method)
      ? router.find(method as HTTPMethod, query === -1 ? path : path.slice(0, query))
      : null;
    return found === null
      ? undefined
      : {
          handle: found.store as RestHandler,
          parameters: found.params as Readonly<Record<string, string>>,
          query: new URLSearchParams(query === -1 ? "" : path.slice(query + 1)),
        };
  };
}

const METHODS: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "DELETE"]);
