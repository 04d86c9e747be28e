import { type Start, type StartItem } from "@trefoil/cypher";
import { legacyIndexFunction } from "../functions/legacy-index-function.ts";
import { alreadyDeclared, type BindContext, bindExpression, bindPredicate, valuePlace } from "./bind-context.ts";
import { type BoundExpression } from "./bound-expression.ts";
import { type BoundStart } from "./bound-query.ts";
import { conjunctsOf } from "./expression-tree.ts";
import { type Scope } from "./scope.ts";
import { integerType, listOf, nodeType, relationshipType } from "./static-type.ts";
import { Variable } from "./variable.ts";

/** START by id, list of ids, parameter, legacy index, or all. */
export function bindStart(clause: Start, scope: Scope, context: BindContext): BoundStart {
  context.hasStart = true;
  const items = clause.items.map((item) => {
    if (scope.find(item.variable.name) !== undefined) {
      throw alreadyDeclared(context, item.variable.name, item.variable.position);
    }
    const ids = bindLookup(item, scope, context);
    const variable = new Variable(item.variable.name, item.entity === "node" ? nodeType : relationshipType, false);
    scope.declare(variable);
    return { variable, entity: item.entity, ids };
  });
  const predicates =
    clause.where === undefined ? [] : conjunctsOf(bindPredicate(clause.where, valuePlace(context, scope)));
  return { kind: "Start", items, predicates };
}

function bindLookup(item: StartItem, scope: Scope, context: BindContext): BoundExpression | undefined {
  const { lookup } = item;
  switch (lookup.kind) {
    case "AllEntities":
      return undefined;
    case "ById":
      return {
        kind: "List",
        type: listOf(integerType),
        items: lookup.ids.map((id) => ({ kind: "Literal", type: integerType, value: id.value })),
      };
    case "ByParameter":
      return bindExpression(lookup.parameter, valuePlace(context, scope));
    case "ByIndexKey":
    case "ByIndexQuery": {
      const [key, argument] = lookup.kind === "ByIndexKey" ? [lookup.key, lookup.value] : [undefined, lookup.query];
      context.legacyIndexes.push({ entity: item.entity, index: lookup.index });
      return {
        kind: "Call",
        type: listOf(integerType),
        function: legacyIndexFunction(item.entity, lookup.index, key),
        arguments: [bindExpression(argument, valuePlace(context, scope))],
      };
    }
  }
}
