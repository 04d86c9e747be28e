import { type Mode } from "../ast/node.ts";
import { type Prefix, type PrefixOption } from "../ast/statement.ts";
import { type Position, QueryError } from "../errors.ts";
import { type Cursor } from "./cursor.ts";

/** What the prefixes say, and the mode that follows from them. */
export interface ReadPrefix {
  readonly prefix: Prefix;
  readonly mode: Mode;
  /** Offset of the statement proper. */
  readonly bodyOffset: number;
}

const MODE_OF_VERSION: Readonly<Record<string, Mode>> = {
  "1.9": "2.3",
  "2.2": "2.3",
  "2.3": "2.3",
  "5": "modern",
  "25": "modern",
};

/** Option values by name; what is not here does not parse as an option. */
const OPTION_VALUES: Readonly<Record<string, readonly string[]>> = {
  planner: ["cost", "greedy", "rule", "idp", "dp"],
  runtime: ["interpreted", "compiled"],
};

/** Further options of later versions, which modern mode reads and leaves without effect. */
const MODERN_OPTION_VALUES: Readonly<Record<string, readonly string[]>> = {
  runtime: ["slotted", "pipelined", "parallel"],
  expressionengine: ["default", "interpreted", "compiled"],
  operatorengine: ["default", "interpreted", "compiled"],
  interpretedpipesfallback: ["default", "disabled", "whitelisted_plans_only", "all"],
  replan: ["default", "force", "skip"],
  connectcomponentsplanner: ["greedy", "idp"],
  updatestrategy: ["default", "eager"],
  inferschemaparts: ["off", "most_selective_label"],
  statefulshortestplanningmode: ["cardinality_heuristic", "into_only", "all_if_possible"],
  planvarexpandinto: ["minimum_cost", "single_row"],
  debug: ["tostring", "ast", "semanticstate", "logicalplan", "queryplannerkit", "reportcostcomparisonsasrows"],
};

/**
 * Reads `CYPHER [version] [name=value]…`, `EXPLAIN`, `PROFILE` and `PLANNER name`, in any order and number.
 *
 * @throws QueryError InvalidSyntax for a version we don't know; InvalidArguments for prefixes that contradict each
 *                    other or the version
 * @source            graph-measured.md (prefixes), rulings Graph 1
 */
export function readPrefix(cursor: Cursor): ReadPrefix {
  const reader = new PrefixReader(cursor);
  return reader.read();
}

class PrefixReader {
  readonly #cursor: Cursor;
  readonly #position: Position;
  readonly #versions = new Set<string>();
  readonly #options: PrefixOption[] = [];
  #isExplain = false;
  #isProfile = false;
  #deprecatedPlanner: Position | undefined;

  constructor(cursor: Cursor) {
    this.#cursor = cursor;
    this.#position = cursor.position();
  }

  read(): ReadPrefix {
    const cursor = this.#cursor;
    for (;;) {
      if (cursor.acceptWord("EXPLAIN")) {
        this.#isExplain = true;
      } else if (cursor.acceptWord("PROFILE")) {
        this.#isProfile = true;
      } else if (cursor.isWord("PLANNER") && this.#isOptionValue("planner", 1)) {
        this.#readOldPlanner();
      } else if (cursor.acceptWord("CYPHER")) {
        this.#readVersionAndOptions();
      } else {
        return this.#finish();
      }
    }
  }

  #readOldPlanner(): void {
    const cursor = this.#cursor;
    const position = cursor.position();
    this.#deprecatedPlanner ??= position;
    cursor.advance();
    const value = cursor.tokenText.toLowerCase();
    cursor.advance();
    this.#options.push({ kind: "PrefixOption", position, name: "planner", value });
  }

  #readVersionAndOptions(): void {
    const cursor = this.#cursor;
    if (cursor.kind === "float" || cursor.kind === "integer") {
      this.#versions.add(cursor.tokenText);
      this.#checkVersion(cursor.tokenText);
      cursor.advance();
    }
    while (cursor.atName() && cursor.kindAhead(1) === "=") {
      const position = cursor.position();
      const name = cursor.tokenText.toLowerCase();
      if (!this.#isOptionValue(name, 2)) {
        return;
      }
      cursor.advance();
      cursor.advance();
      const value = cursor.tokenText.toLowerCase();
      cursor.advance();
      this.#options.push({ kind: "PrefixOption", position, name, value });
    }
  }

  #isOptionValue(name: string, distance: number): boolean {
    const values = OPTION_VALUES[name] ?? [];
    const more = this.#cursor.isModern ? (MODERN_OPTION_VALUES[name] ?? []) : [];
    return [...values, ...more].some((value) => this.#cursor.isWord(value.toUpperCase(), distance));
  }

  #checkVersion(version: string): void {
    if (MODE_OF_VERSION[version] === undefined) {
      const known = this.#cursor.isModern ? "1.9, 2.2, 2.3, 5, 25" : "1.9, 2.2, 2.3";
      throw new QueryError("ClientError.Statement.InvalidSyntax", `Supported CypherVersion values are: ${known}`, {
        phase: "compile time",
        position: this.#cursor.position(),
        tckDetail: "UnexpectedSyntax",
      });
    }
  }

  #finish(): ReadPrefix {
    this.#checkConflicts();
    const [version] = this.#versions;
    const prefix: Prefix = {
      kind: "Prefix",
      position: this.#position,
      execution: this.#isExplain ? "explain" : this.#isProfile ? "profile" : "normal",
      version,
      options: this.#options,
      deprecatedPlanner: this.#deprecatedPlanner,
    };
    const mode = version === undefined ? this.#cursor.mode : (MODE_OF_VERSION[version] ?? this.#cursor.mode);
    return { prefix, mode, bodyOffset: this.#cursor.offset };
  }

  #checkConflicts(): void {
    const [version] = this.#versions;
    if (this.#versions.size > 1) {
      throw this.#conflict("Can't specify multiple conflicting Cypher versions");
    }
    if (this.#isExplain && this.#isProfile) {
      throw this.#conflict("Can't specify multiple conflicting Cypher execution modes");
    }
    // 2.3 takes the last of several runtimes.
    const single = this.#cursor.isModern ? ["planner", "runtime"] : ["planner"];
    for (const name of single) {
      const values = this.#options.filter((option) => option.name === name).map((option) => option.value);
      if (new Set(values).size > 1) {
        throw this.#conflict(`Can't specify multiple conflicting Cypher ${name}s`);
      }
    }
    if (version === "1.9" && this.#isExplain) {
      throw this.#conflict("EXPLAIN not supported in versions older than Neo4j v2.2");
    }
    if (version === "1.9" && this.#has("planner")) {
      throw this.#conflict("PLANNER not supported in versions older than Neo4j v2.2");
    }
    if ((version === "1.9" || version === "2.2") && this.#has("runtime")) {
      throw this.#conflict("RUNTIME not supported in versions older than Neo4j v2.3");
    }
  }

  #has(option: string): boolean {
    return this.#options.some(({ name }) => name === option);
  }

  #conflict(message: string): QueryError {
    return new QueryError("ClientError.Statement.InvalidArguments", message, {
      phase: "compile time",
      position: this.#position,
    });
  }
}
