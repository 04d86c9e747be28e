/** Paths that are served without credentials, beside the method `OPTIONS` (rulings, Graph 6). */
export function needsCredentials(method: string, path: string): boolean {
  return method !== "OPTIONS" && path !== "/" && path !== "/metrics" && !EXEMPT.some((start) => path.startsWith(start));
}

/** `/management/` asks for the data folder's token instead. */
const EXEMPT = ["/browser", "/webadmin", "/console", "/health/", "/management/"] as const;
