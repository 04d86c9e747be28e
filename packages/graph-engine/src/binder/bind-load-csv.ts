import { type LoadCsv } from "@trefoil/cypher";
import { type BindContext } from "./bind-context.ts";
import { type BoundLoadCsv } from "./bound-query.ts";
import { type Scope } from "./scope.ts";

/** LOAD CSV is parsed and refused until the engine can read files within its limits. */
export function bindLoadCsv(clause: LoadCsv, _scope: Scope, context: BindContext): BoundLoadCsv {
  throw context.errors.unsupported("LOAD CSV", clause.position);
}
