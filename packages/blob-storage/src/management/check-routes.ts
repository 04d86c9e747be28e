import { type FastifyInstance } from "fastify";
import { type ExtentStore } from "../extents/extent-store.ts";
import { type Metadata } from "../metadata/metadata.ts";
import { type CheckProgress, type CheckReport, checkStore } from "../scrubbing/check-store.ts";
import { recordOf } from "./read-body.ts";

export interface CheckRouteOptions {
  readonly metadata: Metadata;
  readonly extents: ExtentStore;
}

/** What `GET /management/check` answers. */
export type CheckState =
  | { readonly state: "none" }
  | ({ readonly state: "running" } & CheckProgress)
  | ({ readonly state: "done" } & CheckReport)
  | { readonly state: "failed"; readonly message: string };

/**
 * `/management/check`: POST begins a check of everything that is stored (one at a time; a second one joins it), GET
 * tells how far it is and, at its end, what it found; DELETE ends it early. A check may take longer than a connection
 * lives, so no request waits for it.
 */
export function registerCheckRoutes(scope: FastifyInstance, { metadata, extents }: CheckRouteOptions): void {
  let state: CheckState = { state: "none" };
  let abort = new AbortController();
  let running: Promise<void> = Promise.resolve();

  const start = (marks: boolean): void => {
    abort = new AbortController();
    state = { state: "running", bytes: 0, ofBytes: 0 };
    const onProgress = (progress: CheckProgress): void => {
      state = { state: "running", ...progress };
    };
    running = checkStore({ metadata, extents, marks, onProgress, signal: abort.signal }).then(
      (report) => {
        state = { state: "done", ...report };
      },
      (error: unknown) => {
        scope.log.error({ err: error }, "the check of what is stored failed");
        state = { state: "failed", message: "the check could not be finished; the server's log says why" };
      },
    );
  };

  scope.post("/check", async ({ body }, reply) => {
    if (state.state !== "running") {
      start(recordOf(body)["marks"] !== false);
    }
    return reply.code(202).send(state);
  });
  scope.get("/check", () => state);
  scope.delete("/check", async (_request, reply) => {
    abort.abort();
    await running;
    return reply.code(204).send();
  });
  scope.addHook("onClose", async () => {
    abort.abort();
    await running;
  });
}
