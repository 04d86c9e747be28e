import { type FastifyRequest } from "fastify";

/** The parameters of an address, each at most once, by any of the names that clients of several years use. */
export function findParameter(request: FastifyRequest, ...names: readonly string[]): string | undefined {
  const query = request.query as Readonly<Record<string, unknown>>;
  const values = names.map((name) => query[name]).filter((value) => value !== undefined);
  const [value] = values;
  return values.length === 1 && typeof value === "string" ? value : undefined;
}
