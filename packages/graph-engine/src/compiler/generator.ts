import { type Mode } from "@trefoil/cypher";
import { type BoundExpression, type BoundSubquery } from "../binder/bound-expression.ts";
import { type Variable } from "../binder/variable.ts";
import { type Operator, type Unwind } from "../logical-plan/operator.ts";
import { type CountTexts } from "./legacy-pipe-text.ts";
import { type LibraryName } from "./library-name.ts";
import { CodeWriter } from "./code-writer.ts";
import { NameTable } from "./name-table.ts";

/** Writes the code that handles one row; called where the row's variables are in scope. */
export type Consume = () => void;

/** The recursive parts of the compiler, which its files reach through the generator instead of importing each other. */
export interface Compilers {
  readonly produce: (operator: Operator, generator: Generator, consume: Consume) => void;
  readonly expression: (expression: BoundExpression, generator: Generator) => string;
  readonly predicate: (expression: BoundExpression, generator: Generator) => string;
  /** Names of the runtime library, which no local may take. */
  readonly libraryNames: readonly string[];
}

/** What a compilation is about, besides the plan. */
export interface CompileOptions {
  readonly mode: Mode;
  /** The statement writes: names that are unknown when it begins may be known later. */
  readonly updating: boolean;
  readonly planSubquery: (subquery: BoundSubquery) => Operator;
  /** Variables needed behind each operator. */
  readonly liveAfter: (operator: Operator) => ReadonlySet<Variable>;
  /** Under PROFILE, where each operator's rows are counted. */
  readonly counters: ReadonlyMap<Operator, number> | undefined;
  readonly countTexts: CountTexts;
}

/**
 * The state of one compilation: the code so far, names given out, constants and library functions used.
 *
 * User text reaches the code only as JSON-encoded string literals, as constants by position, or as identifiers cleaned
 * by {@link NameTable}: never as it was written.
 */
export class Generator {
  readonly options: CompileOptions;
  readonly names: NameTable;
  /** Runs once per execution, before the first row. */
  readonly prologue: CodeWriter = new CodeWriter();
  readonly constants: unknown[] = [];
  readonly constantNames: string[] = [];
  readonly #compilers: Compilers;
  readonly #used: Set<LibraryName> = new Set<LibraryName>();
  readonly #locals: Map<Variable, string> = new Map<Variable, string>();
  readonly #tokens: Map<string, string> = new Map<string, string>();
  readonly #knownConstants: Map<unknown, string> = new Map<unknown, string>();
  /** Where lines go now. */
  out: CodeWriter = new CodeWriter();
  /** Not inside a nested plain function, where `yield` means nothing. */
  canYield = true;
  /** Whether the statement commits on its way and then goes on with a new view. */
  renewsView = false;
  /**
   * Operators above which a row is only projected. 2.3 looks for the next row before it gives one out, but projects it
   * after: see produceResults.
   */
  projectedFrom: ReadonlySet<Operator> = new Set();
  /**
   * What 2.3 does before it gives out the columns: up to the first value of the UNWIND that is nearest to the results,
   * else up to the numbers of SKIP and LIMIT.
   */
  beginsWith: Unwind | "counts" | undefined;
  /** Whether the code runs a part of the statement, beside others. */
  sharesCounts = false;
  /** Arrays of a number per node that the code keeps. */
  keptCounts = 0;
  /** How many inner plans surround the code being written. */
  depth = 0;

  constructor(options: CompileOptions, compilers: Compilers) {
    this.options = options;
    this.names = new NameTable(compilers.libraryNames);
    this.#compilers = compilers;
  }

  get mode(): Mode {
    return this.options.mode;
  }

  get usedFunctions(): readonly string[] {
    return [...this.#used].toSorted();
  }

  // --------------------------------------------------------------------------------------------------------- recursion

  produce(operator: Operator, consume: Consume): void {
    this.#compilers.produce(operator, this, this.#counted(operator, consume));
  }

  /** An inner plan: its code stands within that of the row it is run for. */
  produceInner(operator: Operator, consume: Consume): void {
    this.depth += 1;
    this.produce(operator, consume);
    this.depth -= 1;
  }

  #counted(operator: Operator, consume: Consume): Consume {
    const counter = this.options.counters?.get(operator);
    const isProjected = this.projectedFrom.has(operator);
    if (counter === undefined && !isProjected) {
      return consume;
    }
    return () => {
      if (counter !== undefined) {
        this.out.line(`statement.profile.row(${counter});`);
      }
      if (isProjected) {
        this.out.line("isProjecting = true;");
      }
      consume();
    };
  }

  /** JavaScript that evaluates to the expression's Value; may write statements that must run before. */
  expression(expression: BoundExpression): string {
    return this.#compilers.expression(expression, this);
  }

  /** JavaScript of a boolean: whether the expression is true, neither false nor null. */
  predicate(expression: BoundExpression): string {
    return this.#compilers.predicate(expression, this);
  }

  /** JavaScript of a node's or relationship's bare id, -1 for null. */
  entityId(expression: BoundExpression): string {
    if (expression.kind === "VariableReference" && expression.variable.isEntity) {
      return this.local(expression.variable);
    }
    const asEntity = expression.kind === "AsEntity" ? expression : undefined;
    const entity = asEntity?.entity ?? (expression.type.kind === "relationship" ? "relationship" : "node");
    const value = this.expression(asEntity?.operand ?? expression);
    return entity === "node" ? this.call("nodeId", value) : this.call("relationshipId", value);
  }

  /** Compiles aside: what is written goes into `statements` instead of the code so far. */
  aside<T>(compile: () => T): { readonly statements: CodeWriter; readonly result: T } {
    const before = this.out;
    this.out = new CodeWriter();
    const statements = this.out;
    try {
      return { statements, result: compile() };
    } finally {
      this.out = before;
    }
  }

  // ------------------------------------------------------------------------------------------------------------- names

  /** The name of a variable's JavaScript local, made when first asked for. */
  local(variable: Variable): string {
    let name = this.#locals.get(variable);
    if (name === undefined) {
      name = this.names.unique(variable.name.startsWith("  ") ? unnamedStem(variable) : variable.name);
      this.#locals.set(variable, name);
    }
    return name;
  }

  /** JavaScript of the variable's Value. */
  valueOf(variable: Variable): string {
    const name = this.local(variable);
    if (!variable.isEntity) {
      return name;
    }
    const made = this.call(variable.type.kind === "node" ? "newNode" : "newRelationship", name);
    return variable.nullable ? `(${name} < 0 ? null : ${made})` : made;
  }

  /** `const variable = <expression>`, in the variable's own representation. */
  assign(variable: Variable, expression: BoundExpression): void {
    const code = variable.isEntity ? this.entityId(expression) : this.expression(expression);
    this.out.line(`const ${this.local(variable)} = ${code};`);
  }

  /** Keeps JavaScript that must not be evaluated twice in a local of its own. */
  keep(code: string, stem: string): string {
    if (/^[\w$]+$/u.test(code)) {
      return code;
    }
    const name = this.names.unique(stem);
    this.out.line(`const ${name} = ${code};`);
    return name;
  }

  // ----------------------------------------------------------------------------------------------------- what it needs

  /** A call of a function of the runtime library. */
  call(name: LibraryName, ...args: readonly string[]): string {
    this.#used.add(name);
    return `${name}(${args.join(", ")})`;
  }

  /** A library value that is no function, or a function handed on. */
  use(name: LibraryName): string {
    this.#used.add(name);
    return name;
  }

  /** A value from outside the code, by a name of its own. */
  constant(value: unknown, stem: string): string {
    const known = this.#knownConstants.get(value);
    if (known !== undefined) {
      return known;
    }
    const name = this.names.unique(stem);
    this.constants.push(value);
    this.constantNames.push(name);
    this.#knownConstants.set(value, name);
    return name;
  }

  /** JavaScript of a token's id, -1 while the name is unknown. */
  token(table: "labels" | "relationshipTypes" | "propertyKeys", name: string): string {
    const key = `${table} ${name}`;
    let local = this.#tokens.get(key);
    if (local === undefined) {
      const stem = table === "labels" ? "label" : table === "relationshipTypes" ? "type" : "key";
      local = this.names.unique(`${stem}_${name}`);
      this.#tokens.set(key, local);
      const lookup = this.options.updating
        ? this.call("tokenLookup", `tokens.${table}`, JSON.stringify(name))
        : `tokens.${table}.find(${JSON.stringify(name)})`;
      this.prologue.line(`const ${local} = ${lookup};`);
    }
    return this.options.updating ? `${local}.id` : local;
  }

  parameter(name: string): string {
    const key = `parameter ${name}`;
    let local = this.#tokens.get(key);
    if (local === undefined) {
      local = this.names.unique(`parameter_${name}`);
      this.#tokens.set(key, local);
      const whenMissing = this.mode === "2.3" ? "" : " ?? null";
      this.prologue.line(`const ${local} = parameters.get(${JSON.stringify(name)})${whenMissing};`);
    }
    // 2.3 misses a parameter only where it is looked at (golden "parameters").
    return this.mode === "2.3" ? this.call("givenParameter", local, JSON.stringify(name)) : local;
  }

  /** A local that is made before the first row: `code`, once for each `key`. */
  once(key: string, stem: string, code: () => string): string {
    let local = this.#tokens.get(key);
    if (local === undefined) {
      const value = code();
      local = this.names.unique(stem);
      this.#tokens.set(key, local);
      this.prologue.line(`const ${local} = ${value};`);
    }
    return local;
  }

  // ------------------------------------------------------------------------------------------------------------- loops

  /** At the head of every loop: lets others have their turn now and then. */
  tick(): void {
    if (this.canYield) {
      this.out.line("if (--turns < 0) { turns = yield TICK; }");
    }
  }

  /** Waits until the lock is had. */
  lock(entity: "Node" | "Relationship", id: string): void {
    this.out.line(`while (!transaction.lock${entity}(${id})) { yield WAIT_FOR_LOCK; }`);
  }

  liveAfter(operator: Operator): ReadonlySet<Variable> {
    return this.options.liveAfter(operator);
  }
}

function unnamedStem(variable: Variable): string {
  switch (variable.type.kind) {
    case "node":
    case "relationship":
    case "path":
      return variable.type.kind;
    case "list":
      return "relationships";
    default:
      return "value";
  }
}
