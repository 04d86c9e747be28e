import createRouter, { type HTTPMethod } from "find-my-way";
import { type Route } from "./routes.ts";

/** Answered elsewhere in this server, whatever stands behind. */
const RESERVED = ["browser", "webadmin", "console", "health", "metrics", "management", "user"] as const;

/** Tells whether a path is taken for a method: by one of `routes`, or by what else this server answers. */
export function servedPaths(routes: readonly Route[]): (method: string, path: string) => boolean {
  const router = createRouter({ ignoreTrailingSlash: true, maxParamLength: 20_480 });
  for (const { method, path, handle } of routes) {
    if (router.findRoute(method, path) === null) {
      router.on(method, path, () => undefined, handle);
    }
  }
  const reserved = new RegExp(`^/(?:${RESERVED.join("|")})(?:/|$)`);
  return (method, path) => reserved.test(path) || router.find(method as HTTPMethod, path) !== null;
}
