import { Readable } from "node:stream";
import { type FastifyInstance, type FastifyRequest } from "fastify";
import { auditCategories, type AuditCategory, type AuditRecord } from "../audit/audit-event.ts";
import { type AuditQuery } from "../audit/audit-log.ts";
import { TENANT } from "../protocol/headers.ts";
import { ManagementError } from "../protocol/management-error.ts";
import { type IdentityServices } from "../services.ts";
import { callerOf } from "./caller.ts";
import { dateTime } from "./date-time.ts";
import { tenantOf } from "./tenant-of.ts";

/**
 * `/auditLogs`, ours: the record as JSON lines, oldest first, streamed. `since` and `until` are times, `category` one
 * of the four. The installation's owner sees all tenants, an administrator his own.
 */
export function registerAuditRoutes(app: FastifyInstance, services: IdentityServices): void {
  app.get("/auditLogs", async (request, reply) => {
    const query = await readQuery(request, services);
    return reply.type("application/x-ndjson; charset=utf-8").send(Readable.from(lines(services.audit.read(query))));
  });
}

async function* lines(records: AsyncIterable<AuditRecord>): AsyncGenerator<string> {
  for await (const { id, atMs, ...event } of records) {
    yield `${JSON.stringify({ id, time: dateTime(atMs), ...event })}\n`;
  }
}

async function readQuery(request: FastifyRequest, services: IdentityServices): Promise<AuditQuery> {
  const { since, until, category } = request.query as Readonly<Record<string, unknown>>;
  const isWhole = callerOf(request).kind === "installation" && request.headers[TENANT] === undefined;
  return {
    sinceMs: readTime("since", since),
    untilMs: readTime("until", until),
    category: readCategory(category),
    tenantId: isWhole ? undefined : (await tenantOf(request, services)).id,
  };
}

function readTime(name: string, value: unknown): number | undefined {
  const ms = typeof value === "string" ? Date.parse(value) : NaN;
  if (value !== undefined && Number.isNaN(ms)) {
    throw new ManagementError("Request_BadRequest", `'${name}' must be a time like 2030-01-31T00:00:00Z`);
  }
  return value === undefined ? undefined : ms;
}

function readCategory(value: unknown): AuditCategory | undefined {
  const category = auditCategories.find((each) => each === value);
  if (value !== undefined && category === undefined) {
    throw new ManagementError("Request_BadRequest", `'category' must be one of ${auditCategories.join(", ")}`);
  }
  return category;
}
