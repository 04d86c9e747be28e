import { type BindContext, type UpdatingClause } from "./bind-context.ts";
import { bindCreate } from "./bind-create.ts";
import { bindCreateUnique } from "./bind-create-unique.ts";
import { bindDelete } from "./bind-delete.ts";
import { bindForeach } from "./bind-foreach.ts";
import { bindMerge } from "./bind-merge.ts";
import { bindRemove, bindSet } from "./bind-set.ts";
import { type BoundClause } from "./bound-query.ts";
import { type Scope } from "./scope.ts";

/** A clause that changes the graph. */
export function bindUpdate(clause: UpdatingClause, scope: Scope, context: BindContext): readonly BoundClause[] {
  switch (clause.kind) {
    case "Create":
      return clause.unique ? bindCreateUnique(clause, scope, context) : [bindCreate(clause, scope, context)];
    case "Merge":
      return [bindMerge(clause, scope, context)];
    case "Set":
      return [bindSet(clause, scope, context)];
    case "Remove":
      return [bindRemove(clause, scope, context)];
    case "Delete":
      return [bindDelete(clause, scope, context)];
    case "Foreach":
      return [bindForeach(clause, scope, context)];
  }
}
