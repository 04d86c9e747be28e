import { assert } from "@trefoil/base";
import { type Compilable, type CompiledQuery, type Kysely, type QueryResult } from "kysely";

/** Stands in a query for a value that is known only when it runs. */
class Placeholder {
  /** Its member of the values; a place when they are a list. */
  readonly name: string | number;

  constructor(name: string) {
    this.name = /^\d+$/.test(name) ? Number(name) : name;
  }
}

/** A read that doesn't wait for the disk, see {@link PreparedQuery.runAhead}; other databases pass over the mark. */
export interface AheadQuery<Row = unknown> extends CompiledQuery<Row> {
  readonly isAheadOfDisk?: true;
}

/**
 * A query that is asked again and again with other values: built and written out once, which costs more than a small
 * query itself does.
 *
 *     const byId = new PreparedQuery<Tables, { id: string }, Thing>((database, { id }) =>
 *       database.selectFrom("things").selectAll().where("id", "=", id),
 *     );
 *     const [thing] = (await byId.run(database, { id: "1" })).rows;
 */
export class PreparedQuery<Tables, Values extends object, Row = unknown> {
  readonly #build: (database: Kysely<Tables>, values: Values) => Compilable<Row>;
  /** By what knows the dialect of a database, its transactions included. */
  readonly #queries = new WeakMap<object, CompiledQuery<Row>>();

  /** @param build  its values are stand-ins: they may be compared and inserted, never looked at */
  constructor(build: (database: Kysely<Tables>, values: Values) => Compilable<Row>) {
    this.#build = build;
  }

  /** The statement with its values filled in. @param database  or a transaction of it */
  with(database: Kysely<Tables>, values: Values): CompiledQuery<Row> {
    const query = this.#compiledFor(database);
    const given = values as Readonly<Record<string | number, unknown>>;
    // What the query says itself is bound as it is.
    const parameters = query.parameters.map((each) => (each instanceof Placeholder ? given[each.name] : each));
    return { ...query, parameters };
  }

  /** @param database  or a transaction of it */
  run(database: Kysely<Tables>, values: Values): Promise<QueryResult<Row>> {
    return database.executeQuery(this.with(database, values));
  }

  /**
   * Reads without waiting for the disk: what others have committed a moment ago may still be lost. For who commits
   * something himself before he tells anybody what came of it: his commit is on disk after all that he read. Who finds
   * nothing to commit has to ask something by {@link run} first. (decisions/0161)
   */
  runAhead(database: Kysely<Tables>, values: Values): Promise<QueryResult<Row>> {
    const query: AheadQuery<Row> = { ...this.with(database, values), isAheadOfDisk: true };
    return database.executeQuery(query);
  }

  #compiledFor(database: Kysely<Tables>): CompiledQuery<Row> {
    const { adapter } = database.getExecutor();
    const known = this.#queries.get(adapter);
    if (known !== undefined) {
      return known;
    }
    const standIns = new Proxy({}, { get: (_target, name) => new Placeholder(String(name)) });
    const query = this.#build(database, standIns as Values).compile();
    assert(
      query.parameters.some((each) => each instanceof Placeholder),
      "a prepared query has values to be filled in",
    );
    this.#queries.set(adapter, query);
    return query;
  }
}
