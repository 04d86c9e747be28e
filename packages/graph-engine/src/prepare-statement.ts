import {
  type Mode,
  parseStatement,
  QueryError,
  type SchemaCommand,
  type Statement,
  type StatementBody,
} from "@trefoil/cypher";
import { type Catalogs } from "./binder/bind-context.ts";
import { bindStatement } from "./binder/bind-statement.ts";
import { freeVariables } from "./binder/free-variables.ts";
import { legacyCountTexts, plainCountTexts } from "./compiler/legacy-pipe-text.ts";
import { compilePart, compilePlan } from "./compiler/compile.ts";
import { type CompileOptions } from "./compiler/generator.ts";
import { Liveness } from "./compiler/liveness.ts";
import { Cardinality } from "./logical-plan/cardinality.ts";
import { describePlan } from "./logical-plan/describe-plan.ts";
import { RowEstimates } from "./logical-plan/estimate-rows.ts";
import { numberOperators } from "./logical-plan/operator-numbers.ts";
import { type Operator } from "./logical-plan/operator.ts";
import { expressionsOf, someOperator } from "./logical-plan/operator-tree.ts";
import { type QueryType, queryTypeOf } from "./logical-plan/query-type.ts";
import { readsRelationships } from "./logical-plan/relationship-reads.ts";
import { notificationsOf } from "./notifications/notifications.ts";
import { optimize, type Rule } from "./optimizer/optimizer.ts";
import { splitScan, type SplitPlan } from "./optimizer/split-scan.ts";
import { type PlanContext } from "./planner/plan-context.ts";
import { type PlanStatistics } from "./logical-plan/plan-statistics.ts";
import { planQuery, planStatement } from "./planner/plan-query.ts";
import { isVolatile } from "./planner/volatile.ts";
import { type PreparedStatement, type SplitStatement } from "./runtime/prepared-statement.ts";
import { prepareSchemaCommand } from "./schema-commands/prepare-schema-command.ts";

/** Operators that read all their rows before they give one. */
const takesAllRows: ReadonlySet<Operator["kind"]> = new Set<Operator["kind"]>(["Aggregation", "Eager", "Sort", "Top"]);

/**
 * The whole path of a statement up to where it can run: parse, bind, plan, optimize, compile.
 *
 * @param wanted  the language and whether to profile, unless the statement's prefix says
 * @param rules  that plans are rewritten by
 * @throws  QueryError of phase "compile time"
 */
export function prepareStatement(
  text: string,
  wanted: { readonly mode: Mode; readonly profile?: boolean },
  catalogs: Catalogs,
  statistics: PlanStatistics,
  rules: readonly Rule[],
): PreparedStatement {
  const parsed: Statement = parseStatement(text, { mode: wanted.mode });
  const statement: Statement =
    wanted.profile === true && parsed.prefix.execution === "normal"
      ? { ...parsed, prefix: { ...parsed.prefix, execution: "profile" } }
      : parsed;
  const { body } = statement;
  if (isSchemaCommand(body)) {
    return prepareSchemaCommand(statement, body);
  }
  const bound = bindStatement(statement, catalogs);
  const context: PlanContext = { mode: statement.mode, statistics, cardinality: new Cardinality(statistics) };
  const plan = optimize(planStatement(bound.query, context), rules);

  const operatorNumbers = numberOperators(plan);
  const inner: Operator[] = [];
  const queryType = queryTypeOf(plan);
  refuseWritingByCost(statement, queryType);
  const optionsFor = (whole: Operator): CompileOptions => {
    const liveness = new Liveness(whole);
    return {
      mode: statement.mode,
      updating: queryType !== "r",
      planSubquery: (subquery) => {
        const planned = optimize(planQuery(subquery.query, freeVariables(subquery), context), rules);
        liveness.add(planned, new Set(subquery.query.columns));
        inner.push(planned);
        return planned;
      },
      liveAfter: (operator) => liveness.after(operator),
      countTexts: statement.mode === "2.3" ? legacyCountTexts(body) : plainCountTexts,
      counters: statement.prefix.execution === "profile" ? operatorNumbers : undefined,
    };
  };
  const { run, source, beginsLate } = compilePlan(plan, optionsFor(plan));
  const isMovable =
    statement.mode === "modern" &&
    statement.prefix.execution !== "profile" &&
    queryType === "r" &&
    bound.legacyIndexes.length === 0 &&
    [plan, ...inner].every(isSteadyRead);
  const splitPlan = once(() => (isMovable ? splitScan(plan, new RowEstimates(statistics)) : undefined));
  return {
    statement,
    columns: bound.query.columns.map((column) => column.name),
    queryType,
    mode: statement.mode,
    execution: statement.prefix.execution,
    parameters: bound.parameters,
    implicitArguments: bound.implicitArguments,
    legacyIndexes: bound.legacyIndexes,
    notifications: (names) =>
      notificationsOf({ statement, plan, queryType, lengthsOfOthers: bound.lengthsOfOthers }, names),
    run,
    operatorCount: operatorNumbers.size,
    startsAtOnce:
      statement.mode === "2.3" && (queryType !== "r" || someOperator(plan, (each) => takesAllRows.has(each.kind))),
    beginsLate,
    isMovable,
    readsRelationships: [plan, ...inner].some(readsRelationships),
    split: once(() => {
      const split = splitPlan();
      return split === undefined ? undefined : compileSplit(split, optionsFor(split.plan));
    }),
    commitsPeriodically: statement.body.kind === "Query" && statement.body.periodicCommit !== undefined,
    isStale: staleness(statistics),
    describe: (profile) => {
      const split = splitPlan();
      return describePlan(split?.pays === true ? split.plan : plan, statistics, profile);
    },
    source,
  };
}

function compileSplit({ plan, gather, scan, pays }: SplitPlan, options: CompileOptions): SplitStatement {
  const { run: runPart, source, sharedCounts } = compilePart(gather, options);
  return { runPart, source, sharedCounts, merge: compilePlan(plan, options).run, scan, pays };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** `CYPHER 2.2 planner=cost` reads only; 2.3 turns to the other planner. */
function refuseWritingByCost({ mode, prefix }: Statement, queryType: QueryType): void {
  const planner = prefix.options.findLast((option) => option.name === "planner")?.value;
  if (mode === "2.3" && prefix.version === "2.2" && queryType !== "r" && planner !== undefined && planner !== "rule") {
    throw new QueryError(
      "ClientError.Statement.InvalidArguments",
      "The given query is not supported at the moment in the selected cost-based planner",
      { phase: "compile time" },
    );
  }
}

/** Whether a plan reads the graph alone, and finds the same when it is begun again. */
function isSteadyRead(plan: Operator): boolean {
  return !someOperator(
    plan,
    (each) => each.kind === "ProcedureCall" || each.kind === "LoadCsv" || expressionsOf(each).some(isVolatile),
  );
}

function isSchemaCommand(body: StatementBody): body is SchemaCommand {
  return ["CreateIndex", "DropIndex", "CreateConstraint", "DropConstraint"].includes(body.kind);
}

/** How much the graph may grow or shrink before a plan is made anew, and what is too little to matter. */
const STALE_FACTOR = 4;
const STALE_SLACK = 1000;

/** Whether the schema is another one, or the graph has grown or shrunk so much, that another plan may be better. */
function staleness(statistics: PlanStatistics): () => boolean {
  const size = (): number => statistics.nodeCount() + statistics.relationships([]) + STALE_SLACK;
  const planned = size();
  const schema = statistics.schemaVersion();
  return () => {
    if (statistics.schemaVersion() !== schema) {
      return true;
    }
    const present = size();
    return present > planned * STALE_FACTOR || present * STALE_FACTOR < planned;
  };
}
