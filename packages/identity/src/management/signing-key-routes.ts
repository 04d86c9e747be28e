import { type FastifyInstance } from "fastify";
import { type IdentityServices } from "../services.ts";
import { getFound } from "./find-entities.ts";
import { JsonInput } from "./json-input.ts";
import { signingKeyJson } from "./management-json.ts";

/** Keys of the whole installation: only its owner sees and turns them. */
const config = { access: "installation" } as const;

/** `/signingKeys`, ours: what tokens are signed with. */
export function registerSigningKeyRoutes(app: FastifyInstance, services: IdentityServices): void {
  const { keys, clock } = services;
  const all = (): readonly object[] => {
    const current = keys.current().kid;
    const published = new Set(keys.published().map((key) => key.kid));
    return keys.all().map((key) => signingKeyJson(key, key.kid === current, published.has(key.kid)));
  };

  app.get("/signingKeys", { config }, () => ({ value: all() }));

  /** A new key, published now; it signs from `startDateTime` on, or at once, and then its predecessor retires. */
  app.post("/signingKeys/rotate", { config }, async (request, reply) => {
    const input = new JsonInput(request.body ?? {});
    const activeFromMs = Math.max(input.findTimeMs("startDateTime") ?? 0, clock.now());
    const kid = await keys.add(activeFromMs);
    const made = all().find((key) => "keyId" in key && key.keyId === kid);
    return reply.status(201).send(getFound(made, "The key was retired meanwhile"));
  });
}
