import { availableParallelism } from "node:os";
import { type Clock } from "@trefoil/base";
import { type Mode, QueryError, type Statement } from "@trefoil/cypher";
import { type GraphStore, type ReadView, type Transaction } from "@trefoil/graph-store";
import { FunctionRegistry } from "./functions/function-registry.ts";
import { PatternCache } from "./functions/patterns/pattern-cache.ts";
import { statisticsOf } from "./logical-plan/plan-statistics.ts";
import { allRules, type Rule } from "./optimizer/optimizer.ts";
import { prepareStatement } from "./prepare-statement.ts";
import { builtInProcedures } from "./procedures/built-in-procedures.ts";
import { ProcedureRegistry } from "./procedures/procedure-registry.ts";
import { type TransactionDirectory } from "./procedures/transaction-directory.ts";
import { findMissingParameter, missingParameter } from "./runtime/parameters.ts";
import { PlanCache } from "./runtime/plan-cache.ts";
import { type LoadCsvPolicy } from "./load-csv/csv-resource.ts";
import { type KnownNames, knownNamesOf } from "./notifications/known-names.ts";
import { type DriveOptions } from "./runtime/driver.ts";
import { type PreparedStatement } from "./runtime/prepared-statement.ts";
import { eventLoopJudge } from "./read-threads/event-loop-judge.ts";
import { OtherPlan, type RequestedPart } from "./read-threads/messages.ts";
import { LongReads, MovedRead } from "./read-threads/moved-read.ts";
import { ReadPool } from "./read-threads/read-pool.ts";
import { hasThreadProgram, startWorkerThread } from "./read-threads/worker-thread.ts";
import { asQueryError, RunningStatement } from "./runtime/running-statement.ts";
import { runAfter } from "./runtime/run-after.ts";
import { Profile } from "./runtime/profile.ts";
import { type StatementContext } from "./runtime/statement-context.ts";
import { type PlanDescription } from "./logical-plan/plan-description.ts";
import { type StatementResult } from "./runtime/statement-result.ts";
import { type Value } from "./values/value.ts";

export interface EngineOptions {
  readonly store: GraphStore;
  readonly clock: Clock;
  /** At least 0, below 1; `Math.random` when not said. */
  readonly random?: (() => number) | undefined;
  /** The language of statements without a prefix that says; modern when not said. */
  readonly mode?: Mode | undefined;
  readonly limits?: EngineLimits | undefined;
  /** What LOAD CSV may read; nothing when not said. */
  readonly loadCsv?: LoadCsvPolicy | undefined;
  /**
   * Threads for reads that take long, made when they are wanted; 0 for none. As many as processors when not said, of
   * which one is left to this thread while it has much to do.
   */
  readonly readThreads?: number | undefined;
  /** That plans are rewritten by; all there are when not said. Answers are the same with any. */
  readonly rules?: readonly Rule[] | undefined;
  /** What `dbms.components` reports; `0.1.0` when not said. */
  readonly version?: string | undefined;
}

export interface EngineLimits {
  /** Compiled statements to keep of each language; 1,000 when not said. */
  readonly cachedPlans?: number | undefined;
  /** What one statement may keep in memory (rows to sort, groups, lists), about; a third of the heap when not said or 0. */
  readonly statementMemoryBytes?: number | undefined;
}

export interface ExecuteOptions {
  /** Instead of the engine's own. */
  readonly mode?: Mode | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * Whether USING PERIODIC COMMIT may commit the transaction on its way: only where it was begun for this statement
   * alone. Not when not said.
   */
  readonly periodicCommit?: boolean | undefined;
  /** From the beginning of execution; no limit when not said. */
  readonly timeoutMs?: number | undefined;
  /** What the operators did is told, though the text does not say `PROFILE`. */
  readonly profile?: boolean | undefined;
}

/** Runs statements against one store. */
export interface Engine {
  /** What CALL can call; may change at any time. */
  readonly procedures: ProcedureRegistry;
  /** What expressions can call besides what is built in; may change at any time. */
  readonly functions: FunctionRegistry;
  /** What SHOW and TERMINATE TRANSACTIONS are about; set before the first statement by who keeps transactions. */
  transactions: TransactionDirectory | undefined;

  /**
   * Parses, binds, plans, compiles (or finds all that done before) and starts a statement in a transaction.
   *
   * The rows run the statement: they must be read to the end or given up by `close`. A statement that fails or is given
   * up leaves the transaction as it was before it. What waits for nothing comes without a promise: nearly all statements.
   *
   * @param parameters  by name, without `$` or braces
   * @throws QueryError of phase "compile time" before any row; of phase "runtime" from the rows
   */
  execute(
    transaction: Transaction,
    text: string,
    parameters: ReadonlyMap<string, Value>,
    options?: ExecuteOptions,
  ): StatementResult | Promise<StatementResult>;

  /**
   * Runs one of the parts that a statement is split into (PreparedStatement.split), in a thread beside others.
   *
   * @throws OtherPlan  where it is planned in another way here
   */
  executePart(
    transaction: Transaction,
    text: string,
    parameters: ReadonlyMap<string, Value>,
    part: RequestedPart,
    options?: ExecuteOptions,
  ): StatementResult;

  /** What becomes of a statement on its way to running, for reading: nothing is run. */
  inspect(text: string, mode?: Mode): StatementInspection;
}

export interface StatementInspection {
  readonly statement: Statement;
  readonly plan: PlanDescription;
  /** The generated JavaScript. */
  readonly source: string;
}

const NOTHING_TO_LOAD: LoadCsvPolicy = { urls: "none", root: "/" };
const DEFAULT_CACHED_PLANS = 1000;
const NOT_PROFILED = new Profile(0);

export function createEngine(options: EngineOptions): Engine {
  return new StatementEngine(options);
}

class StatementEngine implements Engine {
  readonly #options: EngineOptions;
  readonly #plans: Readonly<Record<Mode, PlanCache<PreparedStatement>>>;
  readonly #patterns = new PatternCache();
  readonly #reads: ReadPool | undefined;
  readonly #longReads = new LongReads();
  readonly #names: () => KnownNames;
  readonly #now: () => number;
  readonly procedures: ProcedureRegistry;
  readonly functions: FunctionRegistry;
  transactions: TransactionDirectory | undefined;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#names = () => knownNamesOf(options.store);
    this.#now = () => options.clock.now();
    const capacity = options.limits?.cachedPlans ?? DEFAULT_CACHED_PLANS;
    this.#plans = { modern: new PlanCache(capacity), "2.3": new PlanCache(capacity) };
    const threads = options.readThreads ?? availableParallelism();
    this.#reads =
      threads > 0 && hasThreadProgram ? new ReadPool(threads, startWorkerThread, eventLoopJudge()) : undefined;
    const builtIn = builtInProcedures(() => this.procedures.all(), options.version ?? "0.1.0");
    const forgetPlans = (): void => {
      Object.values(this.#plans).forEach((plans) => plans.clear());
    };
    this.procedures = new ProcedureRegistry(builtIn, forgetPlans);
    this.functions = new FunctionRegistry(forgetPlans);
  }

  execute(
    transaction: Transaction,
    text: string,
    parameters: ReadonlyMap<string, Value>,
    options: ExecuteOptions = {},
  ): StatementResult | Promise<StatementResult> {
    const mode = options.mode ?? this.#options.mode ?? "modern";
    const view = transaction.openView();
    try {
      const prepared = this.#prepare(text, mode, options.profile ?? false);
      checkParameters(prepared, parameters);
      checkLegacyIndexes(prepared, transaction);
      checkPeriodicCommit(prepared, options);
      const running = this.#start(prepared, transaction, view, parameters, options);
      const primed = prepared.startsAtOnce || prepared.beginsLate ? running.prime() : undefined;
      return primed === undefined ? running : whenPrimed(primed, running);
    } catch (error) {
      transaction.releaseView(view);
      throw asQueryError(error);
    }
  }

  executePart(
    transaction: Transaction,
    text: string,
    parameters: ReadonlyMap<string, Value>,
    part: RequestedPart,
    options: ExecuteOptions = {},
  ): StatementResult {
    const prepared = this.#prepare(text, "modern");
    const split = prepared.split();
    if (split?.source !== part.source) {
      throw new OtherPlan();
    }
    const run = { ...prepared, run: split.runPart, isMovable: false };
    return this.#start(run, transaction, transaction.openView(), parameters, options, part);
  }

  inspect(text: string, mode: Mode = this.#options.mode ?? "modern"): StatementInspection {
    const { statement, describe, source } = this.#prepare(text, mode);
    return { statement, plan: describe(undefined), source };
  }

  #prepare(text: string, mode: Mode, profile = false): PreparedStatement {
    const plans = this.#plans[mode];
    const key = profile ? `profiled ${text}` : text;
    let prepared = plans.find(key);
    if (prepared === undefined || prepared.isStale() || this.#longReads.outdated.has(prepared)) {
      const statistics = statisticsOf(this.#options.store);
      prepared = prepareStatement(text, { mode, profile }, this, statistics, this.#options.rules ?? allRules);
      plans.add(key, prepared);
    }
    return prepared;
  }

  #start(
    prepared: PreparedStatement,
    transaction: Transaction,
    view: ReadView,
    parameters: ReadonlyMap<string, Value>,
    options: ExecuteOptions,
    part?: RequestedPart,
  ): RunningStatement {
    const { clock, store } = this.#options;
    const { tokens } = store;
    const random = this.#options.random ?? Math.random;
    const now = clock.now();
    const timeMs = part?.timeMs ?? now;
    const statement: StatementContext = {
      view,
      transaction,
      tokens,
      mode: prepared.mode,
      parameters,
      context: {
        view,
        tokens,
        mode: prepared.mode,
        statementTimeMs: timeMs,
        transactionTimeMs: timeMs,
        clock,
        random,
        patterns: this.#patterns,
        withoutParameters: prepared.parameters.size === 0,
        transaction,
      },
      hasBegun: !prepared.beginsLate,
      loadCsv: this.#options.loadCsv ?? NOTHING_TO_LOAD,
      profile: prepared.execution === "profile" ? new Profile(prepared.operatorCount) : NOT_PROFILED,
      part,
    };
    const { timeoutMs, signal } = options;
    const drive: DriveOptions = {
      signal,
      deadlineMs: timeoutMs === undefined ? Number.POSITIVE_INFINITY : now + timeoutMs,
      now: this.#now,
      memoryBytes: part?.memoryBytes ?? this.#options.limits?.statementMemoryBytes ?? 0,
    };
    const mustRead = prepared.readsRelationships && prepared.execution !== "explain";
    const reading = mustRead ? store.readRelationships() : undefined;
    const pool = prepared.isMovable ? this.#reads : undefined;
    const elsewhere =
      pool === undefined
        ? undefined
        : new MovedRead({ pool, store, known: this.#longReads }, prepared, statement, drive);
    const { deadlineMs, memoryBytes } = drive;
    // One literal: of an object made in parts the engine knows nothing (docs/decisions/0191).
    const run = { signal, deadlineMs, now: this.#now, memoryBytes, elsewhere, names: this.#names };
    const begun = reading === undefined ? prepared : { ...prepared, run: runAfter(reading, prepared.run) };
    return new RunningStatement(begun, statement, run);
  }
}

async function whenPrimed(primed: Promise<void>, running: RunningStatement): Promise<StatementResult> {
  await primed;
  return running;
}

function checkLegacyIndexes({ legacyIndexes }: PreparedStatement, transaction: Transaction): void {
  const missing = legacyIndexes.find(({ entity, index }) => !transaction.legacyIndexes.list(entity).has(index));
  if (missing !== undefined) {
    throw new QueryError("ClientError.Schema.NoSuchIndex", `Index \`${missing.index}\` does not exist`, {
      phase: "compile time",
    });
  }
}

/** Every parameter that is mentioned must be there; EXPLAIN hardly asks. 2.3 finds out when it runs (golden). */
function checkParameters(prepared: PreparedStatement, parameters: ReadonlyMap<string, Value>): void {
  if (prepared.mode === "2.3") {
    return;
  }
  const needed = prepared.execution === "explain" ? prepared.implicitArguments : prepared.parameters;
  const missing = findMissingParameter(needed, parameters);
  if (missing !== undefined) {
    throw missingParameter(missing, "compile time");
  }
}

function checkPeriodicCommit(prepared: PreparedStatement, options: ExecuteOptions): void {
  if (prepared.commitsPeriodically && prepared.execution !== "explain" && options.periodicCommit !== true) {
    throw new QueryError(
      "ClientError.Statement.InvalidSemantics",
      "Executing queries that use periodic commit in an open transaction is not possible.",
      { phase: "compile time" },
    );
  }
}
