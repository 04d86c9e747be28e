import { assert, type Clock } from "@trefoil/base";
import { type Mode, parseStatement, QueryError } from "@trefoil/cypher";
import { type GraphStore, type ReadView, type Transaction, type UpdateCounts } from "@trefoil/graph-store";
import { bindStatement } from "./binder/bind-statement.ts";
import { type BoundSubquery } from "./binder/bound-expression.ts";
import { freeVariables } from "./binder/free-variables.ts";
import { compilePlan } from "./compiler/compile.ts";
import { Liveness } from "./compiler/liveness.ts";
import { PatternCache } from "./functions/patterns/pattern-cache.ts";
import { describePlan } from "./logical-plan/describe-plan.ts";
import { type Operator } from "./logical-plan/operator.ts";
import { queryTypeOf } from "./logical-plan/query-type.ts";
import { optimize } from "./optimizer/optimizer.ts";
import { type PlanContext, statisticsOf } from "./planner/plan-context.ts";
import { planQuery, planStatement } from "./planner/plan-query.ts";
import { drive } from "./runtime/driver.ts";
import { PlanCache } from "./runtime/plan-cache.ts";
import { type PreparedStatement } from "./runtime/prepared-statement.ts";
import { type StatementContext } from "./runtime/statement-context.ts";
import { type Batch, type StatementResult, type StatementSummary } from "./runtime/statement-result.ts";
import { type Value } from "./values/value.ts";

export interface EngineOptions {
  readonly store: GraphStore;
  readonly clock: Clock;
  /** At least 0, below 1; `Math.random` when not said. */
  readonly random?: (() => number) | undefined;
  /** The language of statements without a prefix that says; modern when not said. */
  readonly mode?: Mode | undefined;
  readonly limits?: EngineLimits | undefined;
}

export interface EngineLimits {
  /** Compiled statements to keep; 1,000 when not said. */
  readonly cachedPlans?: number | undefined;
}

export interface ExecuteOptions {
  /** Instead of the engine's own. */
  readonly mode?: Mode | undefined;
  readonly signal?: AbortSignal | undefined;
  /** From the beginning of execution; no limit when not said. */
  readonly timeoutMs?: number | undefined;
}

/** Runs statements against one store. */
export interface Engine {
  /**
   * Parses, binds, plans, compiles (or finds all that done before) and starts a statement in a transaction.
   *
   * The rows run the statement: they must be read to the end or given up by `close`. A statement that fails or is given
   * up leaves the transaction as it was before it.
   *
   * @param parameters  by name, without `$` or braces
   * @throws QueryError of phase "compile time" before any row; of phase "runtime" from the rows
   */
  execute(
    transaction: Transaction,
    text: string,
    parameters: ReadonlyMap<string, Value>,
    options?: ExecuteOptions,
  ): Promise<StatementResult>;
}

const DEFAULT_CACHED_PLANS = 1000;

export function createEngine(options: EngineOptions): Engine {
  return new StatementEngine(options);
}

class StatementEngine implements Engine {
  readonly #options: EngineOptions;
  readonly #plans: PlanCache<PreparedStatement>;
  readonly #patterns = new PatternCache();

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#plans = new PlanCache(options.limits?.cachedPlans ?? DEFAULT_CACHED_PLANS);
  }

  async execute(
    transaction: Transaction,
    text: string,
    parameters: ReadonlyMap<string, Value>,
    options: ExecuteOptions = {},
  ): Promise<StatementResult> {
    const mode = options.mode ?? this.#options.mode ?? "modern";
    const view = transaction.openView();
    try {
      const prepared = this.#prepare(text, mode, view);
      if (prepared.execution !== "explain") {
        checkParameters(prepared, parameters);
      }
      return await Promise.resolve(this.#start(prepared, transaction, view, parameters, options));
    } catch (error) {
      transaction.releaseView(view);
      throw error;
    }
  }

  /** The whole path of a statement: parse, bind, plan, optimize, compile. */
  #prepare(text: string, mode: Mode, view: ReadView): PreparedStatement {
    const key = `${mode} ${text}`;
    const known = this.#plans.find(key);
    if (known !== undefined) {
      return known;
    }
    const statement = parseStatement(text, { mode });
    const bound = bindStatement(statement);
    const context: PlanContext = {
      mode: statement.mode,
      statistics: statisticsOf(view, this.#options.store.tokens),
    };
    const plan = optimize(planStatement(bound.query, context));
    const liveness = new Liveness(plan);
    const planSubquery = (subquery: BoundSubquery): Operator => {
      const inner = optimize(planQuery(subquery.query, freeVariables(subquery), context));
      liveness.add(inner, new Set(subquery.query.columns));
      return inner;
    };
    const queryType = queryTypeOf(plan);
    const compiled = compilePlan(plan, {
      mode: statement.mode,
      updating: queryType !== "r",
      planSubquery,
      liveAfter: (operator) => liveness.after(operator),
      profile: statement.prefix.execution === "profile",
    });
    const prepared: PreparedStatement = {
      columns: bound.query.columns.map((column) => column.name),
      queryType,
      mode: statement.mode,
      execution: statement.prefix.execution,
      parameters: bound.parameters,
      notifications: [],
      run: compiled.run,
      describe: (rows) => describePlan(plan, context.statistics, rows),
      source: compiled.source,
    };
    this.#plans.add(key, prepared);
    return prepared;
  }

  #start(
    prepared: PreparedStatement,
    transaction: Transaction,
    view: ReadView,
    parameters: ReadonlyMap<string, Value>,
    options: ExecuteOptions,
  ): StatementResult {
    const { clock, store } = this.#options;
    const { tokens } = store;
    const random = this.#options.random ?? Math.random;
    const now = clock.now();
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
        statementTimeMs: now,
        transactionTimeMs: now,
        clock,
        random,
        patterns: this.#patterns,
      },
      profile: [],
    };
    return new RunningStatement(prepared, statement, {
      signal: options.signal,
      deadlineMs: options.timeoutMs === undefined ? Number.POSITIVE_INFINITY : now + options.timeoutMs,
      now: () => clock.now(),
    });
  }
}

interface RunOptions {
  readonly signal: AbortSignal | undefined;
  readonly deadlineMs: number;
  readonly now: () => number;
}

/** One execution: its rows run it, its end releases the view, its failure undoes what it wrote. */
class RunningStatement implements StatementResult {
  readonly columns: readonly string[];
  readonly view: ReadView;
  readonly rows: AsyncIterable<Batch>;
  readonly #prepared: PreparedStatement;
  readonly #statement: StatementContext;
  readonly #savepoint: number;
  readonly #countsBefore: UpdateCounts;
  #state: "running" | "finished" | "closed" = "running";
  #summary: StatementSummary | undefined;

  constructor(prepared: PreparedStatement, statement: StatementContext, options: RunOptions) {
    this.#prepared = prepared;
    this.#statement = statement;
    this.columns = prepared.columns;
    this.view = statement.view;
    this.#savepoint = statement.transaction.savepoint();
    this.#countsBefore = { ...statement.transaction.counts };
    this.rows = this.#run(options);
  }

  get summary(): StatementSummary {
    assert(this.#summary !== undefined, "the summary is asked for after the last row");
    return this.#summary;
  }

  close(): void {
    if (this.#state === "running") {
      this.#undo();
      this.#end("closed");
    }
  }

  async *#run(options: RunOptions): AsyncGenerator<Batch, void, void> {
    if (this.#prepared.execution === "explain") {
      this.#finish();
      return;
    }
    try {
      for await (const batch of drive(this.#prepared.run, this.#statement, {
        ...options,
        transaction: this.#statement.transaction,
      })) {
        yield batch;
        if (this.#state !== "running") {
          return;
        }
      }
      this.#finish();
    } catch (error) {
      throw asQueryError(error);
    } finally {
      this.close();
    }
  }

  #finish(): void {
    const { counts } = this.#statement.transaction;
    const before = this.#countsBefore;
    this.#summary = {
      counts: {
        nodesCreated: counts.nodesCreated - before.nodesCreated,
        nodesDeleted: counts.nodesDeleted - before.nodesDeleted,
        relationshipsCreated: counts.relationshipsCreated - before.relationshipsCreated,
        relationshipsDeleted: counts.relationshipsDeleted - before.relationshipsDeleted,
        propertiesSet: counts.propertiesSet - before.propertiesSet,
        labelsAdded: counts.labelsAdded - before.labelsAdded,
        labelsRemoved: counts.labelsRemoved - before.labelsRemoved,
      },
      queryType: this.#prepared.queryType,
      plan: this.#prepared.execution === "normal" ? undefined : this.#prepared.describe(this.#profile()),
      profiled: this.#prepared.execution === "profile",
      notifications: this.#prepared.notifications,
    };
    this.#end("finished");
  }

  #profile(): readonly number[] | undefined {
    return this.#prepared.execution === "profile" ? this.#statement.profile : undefined;
  }

  #undo(): void {
    if (this.#statement.transaction.state === "open") {
      this.#statement.transaction.rollbackTo(this.#savepoint);
    }
  }

  #end(state: "finished" | "closed"): void {
    this.#state = state;
    if (this.#statement.transaction.state === "open") {
      this.#statement.transaction.releaseView(this.view);
    }
  }
}

function checkParameters(prepared: PreparedStatement, parameters: ReadonlyMap<string, Value>): void {
  for (const name of prepared.parameters) {
    if (!parameters.has(name)) {
      throw new QueryError("ClientError.Statement.ParameterMissing", `Expected a parameter named ${name}`, {
        phase: "compile time",
        tckDetail: "MissingParameter",
      });
    }
  }
}

/** Limits of the machine become errors of the statement; everything else passes as it is. */
function asQueryError(error: unknown): unknown {
  if (error instanceof RangeError) {
    return new QueryError(
      "DatabaseError.Statement.ExecutionFailure",
      "The statement needs more than can be computed.",
      {
        phase: "runtime",
        cause: error,
      },
    );
  }
  return error;
}
