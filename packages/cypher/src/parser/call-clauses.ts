import {
  type CallYield,
  type InTransactions,
  type ProcedureCall,
  type SubqueryCall,
  type YieldItem,
} from "../ast/clauses.ts";
import { type Expression } from "../ast/expressions.ts";
import { type Cursor } from "./cursor.ts";
import { findWhere } from "./projections.ts";
import { variable } from "./variables.ts";

/** `[OPTIONAL] CALL`: a procedure or a subquery. */
export function call(cursor: Cursor): ProcedureCall | SubqueryCall {
  const position = cursor.position();
  const optional = cursor.acceptWord("OPTIONAL");
  cursor.expectWord("CALL");
  return cursor.at("{") || cursor.at("(")
    ? { ...subqueryCall(cursor), position, optional }
    : { ...procedureCall(cursor), position, optional };
}

type WithoutHead<Clause> = Omit<Clause, "position" | "optional">;

function procedureCall(cursor: Cursor): WithoutHead<ProcedureCall> {
  const names = [cursor.name("a procedure name")];
  while (cursor.accept(".")) {
    names.push(cursor.name("a procedure name"));
  }
  const args = cursor.accept("(") ? callArguments(cursor) : undefined;
  return {
    kind: "ProcedureCall",
    namespace: names.slice(0, -1),
    name: names.at(-1) ?? "",
    arguments: args,
    yield: cursor.atWord("YIELD") ? callYield(cursor) : undefined,
    standalone: false,
  };
}

function callArguments(cursor: Cursor): readonly Expression[] {
  const args: Expression[] = [];
  if (!cursor.accept(")")) {
    do {
      args.push(cursor.rules.expression(cursor));
    } while (cursor.accept(","));
    cursor.expect(")");
  }
  return args;
}

function callYield(cursor: Cursor): CallYield {
  const position = cursor.position();
  cursor.expectWord("YIELD");
  const star = cursor.accept("*");
  const items: YieldItem[] = [];
  if (!star && !cursor.accept("-")) {
    do {
      items.push(yieldItem(cursor));
    } while (cursor.accept(","));
  }
  return { kind: "CallYield", position, star, items, where: findWhere(cursor) };
}

function yieldItem(cursor: Cursor): YieldItem {
  const field = variable(cursor);
  const alias = cursor.acceptWord("AS") ? variable(cursor) : field;
  return { kind: "YieldItem", position: field.position, field: field.name, variable: alias };
}

/** `CALL [(x, y)] { … } [IN … TRANSACTIONS …]`. */
function subqueryCall(cursor: Cursor): WithoutHead<SubqueryCall> {
  const imports = cursor.accept("(") ? scopeClause(cursor) : undefined;
  cursor.expect("{");
  const query = cursor.rules.subquery(cursor);
  cursor.expect("}");
  return {
    kind: "SubqueryCall",
    imports,
    query,
    inTransactions: cursor.atWord("IN") ? inTransactions(cursor) : undefined,
  };
}

function scopeClause(cursor: Cursor): SubqueryCall["imports"] {
  if (cursor.accept("*")) {
    cursor.expect(")");
    return "all";
  }
  const imports = [];
  if (!cursor.accept(")")) {
    do {
      imports.push(variable(cursor));
    } while (cursor.accept(","));
    cursor.expect(")");
  }
  return imports;
}

const ON_ERROR = { CONTINUE: "continue", BREAK: "break", FAIL: "fail" } as const;

function inTransactions(cursor: Cursor): InTransactions {
  const position = cursor.position();
  cursor.expectWord("IN");
  const isPlain = cursor.isAnyWord(["TRANSACTIONS", "TRANSACTION", "CONCURRENT"]);
  const concurrency = isPlain ? undefined : cursor.rules.expression(cursor);
  const concurrent = cursor.acceptWord("CONCURRENT");
  cursor.expectOneOf(["TRANSACTIONS", "TRANSACTION"]);
  let batchSize: Expression | undefined;
  let onError: InTransactions["onError"];
  let reportStatusAs: InTransactions["reportStatusAs"];
  for (;;) {
    if (cursor.acceptWord("OF")) {
      batchSize = cursor.rules.expression(cursor);
      cursor.expectOneOf(["ROWS", "ROW"]);
    } else if (cursor.acceptWords("ON", "ERROR")) {
      onError = ON_ERROR[cursor.expectOneOf(["CONTINUE", "BREAK", "FAIL"])];
    } else if (cursor.acceptWords("REPORT", "STATUS", "AS")) {
      reportStatusAs = variable(cursor);
    } else {
      return { kind: "InTransactions", position, batchSize, concurrent, concurrency, onError, reportStatusAs };
    }
  }
}
