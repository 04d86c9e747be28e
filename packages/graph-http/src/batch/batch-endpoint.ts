import { JsonError } from "../json/json-error.ts";
import { bodyText } from "../json/body-text.ts";
import { JsonReader, type JsonValue } from "../json/json-reader.ts";
import { writeJson } from "../json/json-writer.ts";
import { stringText } from "../json/string-text.ts";
import { type RestAnswer, type RestCall, type RestRoute } from "../rest/rest-call.ts";
import { RestError } from "../rest/rest-error.ts";
import { perform, type OutcomeOptions, type RestOutcome } from "../rest/rest-outcome.ts";
import { isMap, type JsonMap } from "../rest/rest-input.ts";
import { WholeFloat } from "@trefoil/graph-store";
import { mediaRanges } from "../protocol/accept.ts";
import { type TextSink } from "../protocol/text-sink.ts";
import { CONTENT_TYPES, hasStreamHeader } from "../rest/representation-format.ts";
import { addressMistake } from "./job-address.ts";
import { JobReferences } from "./job-references.ts";
import { createJobRouter, type JobRouter } from "./job-router.ts";

export type BatchOptions = Omit<OutcomeOptions, "format">;

/**
 * `POST /db/data/batch`: REST calls one after the other in one transaction; later ones may name what earlier ones have
 * made. The first that fails undoes all.
 *
 * @param routes  what a job may call
 * @source graph-http §7 (batch)
 */
export function batchRoute(routes: readonly RestRoute[], options: BatchOptions): RestRoute {
  const batch: RestRoute = {
    method: "POST",
    path: "/db/data/batch",
    handle: async (call) => {
      const list = readJobs(call);
      if (!wantsStream(call)) {
        return await runWhole(list, call, router, options);
      }
      const write = (sink: TextSink): Promise<void> => runStreamed(list, call, router, options, sink);
      return { status: 200, stream: { contentType: CONTENT_TYPES.json, write } };
    },
  };
  // A job may be a batch itself.
  const router = createJobRouter([...routes, batch]);
  return batch;
}

/** By the header, or by what the client accepts; unlike elsewhere, whatever else that is (golden, batch). */
function wantsStream({ headers }: RestCall): boolean {
  return (
    hasStreamHeader(headers) ||
    mediaRanges(headers.accept ?? "").some(({ parameters }) => parameters.get("stream") === "true")
  );
}

interface Job {
  readonly method: string;
  readonly to: string;
  /** As it is written into the answer; undefined when the job has none. */
  readonly id: JsonValue | undefined;
  readonly body: JsonValue | undefined;
}

/** Entries are `id`, `location`, `body`, `from`; a failure is the answer of the whole batch. */
async function runWhole(
  { jobs, mistake }: JobList,
  call: RestCall,
  router: JobRouter,
  options: BatchOptions,
): Promise<RestAnswer> {
  if (mistake !== undefined) {
    throw new RestError(500, [{ exception: "CodehausJsonParseException", message: mistake.withSource }]);
  }
  const references = new JobReferences();
  const entries: string[] = [];
  for (const job of jobs) {
    const message = addressMistake(references.resolve(job.to));
    if (message !== undefined) {
      throw new RestError(500, [{ exception: "IllegalArgumentException", message }]);
    }
    const { from, outcome } = await runJob(job, references, call, router, { ...options, format: "json" });
    if (outcome.status >= 300) {
      throw new RestError(500, [{ exception: "BatchOperationFailedException", message: outcome.body }]);
    }
    entries.push(
      members([
        ["id", job.id === undefined ? "" : writeJson(job.id, "compact")],
        ["location", outcome.location === undefined ? "" : stringText(outcome.location)],
        ["body", outcome.body],
        ["from", stringText(from)],
      ]),
    );
  }
  return { status: 200, plain: { contentType: CONTENT_TYPES.json, text: `[${entries.join(",")}]` } };
}

/** Entries have a `status` each; the first failure is the last entry, and undoes all the same. */
async function runStreamed(
  { jobs, mistake }: JobList,
  call: RestCall,
  router: JobRouter,
  options: BatchOptions,
  sink: TextSink,
): Promise<void> {
  const references = new JobReferences();
  let separator = "[";
  for (const job of jobs) {
    const broken = brokenOff(job, references.resolve(job.to), (to) => router(job.method, to, call.baseUrl));
    if (broken !== undefined) {
      call.unit.rollback();
      sink.write(broken === "" ? "" : separator + broken);
      return;
    }
    const { from, outcome } = await runJob(job, references, call, router, { ...options, format: "stream" });
    const entry = members([
      ["id", job.id === undefined ? "" : writeJson(job.id, "compact")],
      ["from", stringText(from)],
      ...streamedBody(outcome),
      ["location", outcome.location === undefined ? "" : stringText(outcome.location)],
      ["status", String(outcome.status)],
    ]);
    if (sink.write(separator + entry)) {
      await sink.drain();
    }
    separator = ",";
    if (outcome.status >= 300) {
      call.unit.rollback();
      sink.write("]");
      return;
    }
  }
  if (mistake !== undefined) {
    // The answer has begun: all it can do is end where the body did.
    call.unit.rollback();
    return;
  }
  sink.write(separator === "[" ? "[]" : "]");
}

/** What is no JSON stands as a message beside an empty body. */
function streamedBody({ body, contentType }: RestOutcome): readonly (readonly [name: string, text: string])[] {
  const isJson = body !== "" && contentType?.startsWith("application/json") === true;
  const message = isJson || body === "" ? "" : stringText(body);
  return [
    ["body", isJson ? body : "null"],
    ["message", message],
  ];
}

/**
 * A job that cannot even be tried ends a stream in its middle, where the model server's does (golden, batch): an address
 * that is none before the entry, a method that is not served there after the entry's beginning.
 */
function brokenOff(job: Job, from: string, find: (to: string) => ReturnType<JobRouter>): string | undefined {
  if (addressMistake(from) !== undefined) {
    return "";
  }
  if (!METHODS.has(job.method) || find(from) === "refused") {
    const id = job.id === undefined ? "" : `"id":${writeJson(job.id, "compact")},`;
    return `{${id}"from":${stringText(from)},"body":`;
  }
  return undefined;
}

const METHODS: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS"]);

async function runJob(
  job: Job,
  references: JobReferences,
  call: RestCall,
  router: JobRouter,
  options: OutcomeOptions,
): Promise<{ readonly from: string; readonly outcome: RestOutcome }> {
  const from = references.resolve(job.to);
  const target = router(job.method, from, call.baseUrl);
  if (target === undefined || target === "refused") {
    return { from, outcome: { status: target === undefined ? 404 : 405, body: "" } };
  }
  if (target === "allowed") {
    return { from, outcome: { status: 204, body: "" } };
  }
  const body = job.body === undefined ? "" : references.resolve(writeJson(job.body, "compact"));
  // Every job sees what those before it have done.
  call.unit.refresh();
  const outcome = await perform(
    target.handle,
    {
      ...call,
      isJob: true,
      parameters: target.parameters,
      query: target.query,
      headers: { ...call.headers, accept: "application/json", "content-type": "application/json" },
      body: Buffer.from(body),
    },
    options,
  );
  references.add(job.id, outcome.location);
  return { from, outcome: job.method === "HEAD" ? { status: outcome.status, body: "" } : outcome };
}

function members(entries: readonly (readonly [name: string, text: string])[]): string {
  const present = entries.filter(([, text]) => text !== "").map(([name, text]) => `"${name}":${text}`);
  return `{${present.join(",")}}`;
}

/** The jobs of a body up to where it stops being JSON. */
interface JobList {
  readonly jobs: readonly Job[];
  readonly mistake: JsonError | undefined;
}

/** Every object is a job, alone or in lists of whatever depth; everything else is passed over (graph-measured). */
function readJobs(call: RestCall): JobList {
  const reader = new JsonReader(bodyText(call.body));
  const jobs: Job[] = [];
  try {
    while (reader.peek() !== -1) {
      collectJobs(reader, jobs);
    }
    return { jobs, mistake: undefined };
  } catch (error) {
    if (error instanceof JsonError) {
      return { jobs, mistake: error };
    }
    throw error;
  }
}

function collectJobs(reader: JsonReader, jobs: Job[]): void {
  if (reader.peekValueToken() === "START_ARRAY") {
    reader.readElements(() => collectJobs(reader, jobs));
    return;
  }
  const value = reader.readValue();
  if (isMap(value)) {
    jobs.push({
      method: textOf(value.get("method")).toUpperCase(),
      to: textOf(value.get("to")),
      id: idOf(value, reader),
      body: value.get("body"),
    });
  }
}

/** A number; of a fraction what is whole. @throws JsonError for anything else, and for what 32 bits cannot hold */
function idOf(job: JsonMap, reader: JsonReader): JsonValue | undefined {
  const given = job.get("id");
  if (given === undefined) {
    return undefined;
  }
  const id = given instanceof WholeFloat ? given.value : given;
  if (typeof id !== "number" && typeof id !== "bigint") {
    throw reader.error("Current token not numeric, can not use numeric value accessors");
  }
  const whole = Math.trunc(Number(id));
  if (whole !== (whole | 0)) {
    throw reader.error(`Numeric value (${id}) out of range of int`);
  }
  return whole;
}

/** A text as it is, another value as it is written; nothing where there is none. */
function textOf(value: JsonValue | undefined): string {
  return value === undefined ? "" : typeof value === "string" ? value : writeJson(value, "compact");
}
