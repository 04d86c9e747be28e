import { type Compilable, DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import { type Tables } from "./tables.ts";

/** One statement with its parameters, as a driver runs it. */
export interface Call {
  readonly sql: string;
  readonly values: readonly unknown[];
  /** Only the first row is wanted. */
  readonly isForOne?: boolean | undefined;
}

/**
 * A query compiled once from Kysely's typed form: building and compiling it for each request would cost more than
 * running it. `Parameters` are bound by name.
 */
export class Statement<Parameters extends object, Row> {
  readonly #sql: string;
  readonly #values: readonly unknown[];
  /** Only a type: what each row looks like. */
  declare readonly row: Row;

  constructor(sql: string, values: readonly unknown[]) {
    this.#sql = sql;
    this.#values = values;
  }

  bind(parameters: Parameters, isForOne = false): Call {
    const bound = parameters as Readonly<Record<string, unknown>>;
    return {
      sql: this.#sql,
      values: this.#values.map((value) => (value instanceof Placeholder ? bound[value.name] : value)),
      isForOne,
    };
  }
}

/** Stands for a parameter while a query is compiled. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

const builder = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

export type Bind<Parameters extends object> = <Name extends keyof Parameters & string>(name: Name) => Parameters[Name];

/**
 * Compiles a query.
 *
 * ```ts
 * const find: Statement<{ name: string }, AccountRow> = statement((database, bind) =>
 *   database.selectFrom("accounts").selectAll().where("name", "=", bind("name")));
 * ```
 */
export function statement<Parameters extends object, Row>(
  build: (database: Kysely<Tables>, bind: Bind<Parameters>) => Compilable<Row>,
): Statement<Parameters, Row> {
  const bind: Bind<Parameters> = (name) => new Placeholder(name) as unknown as Parameters[typeof name];
  const { sql, parameters } = build(builder, bind).compile();
  return new Statement(sql, parameters);
}
