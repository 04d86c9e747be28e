import { unreachable } from "@trefoil/base";
import {
  type Clause,
  type Hint,
  type ProcedureCall,
  type Projection,
  type ProjectionItem,
  type RemoveItem,
  type SetItem,
  type StartItem,
  type SubqueryCall,
} from "../ast/clauses.ts";
import { type DynamicLabel, type LabelName } from "../ast/patterns.ts";
import { printPatternPart } from "./patterns.ts";
import { printKey, printName, type Printing, printParameter, printString, words } from "./printing.ts";

/** One clause on one line; the block of `CALL { … }` takes several and is print.ts's. */
export function printClause(printing: Printing, clause: Exclude<Clause, SubqueryCall>): string {
  const print = printing.expression;
  const where = (condition: { readonly where: Parameters<typeof print>[0] | undefined }): string | undefined =>
    condition.where && `WHERE ${print(condition.where)}`;
  switch (clause.kind) {
    case "Use":
      return `USE ${clause.name.map(printKey).join(".")}`;
    case "Start":
      return words("START", clause.items.map(startItem).join(", "), where(clause));
    case "Match":
      return words(
        clause.optional && "OPTIONAL",
        "MATCH",
        clause.repeatableElements && "REPEATABLE ELEMENTS",
        patterns(printing, clause.pattern),
        ...clause.hints.map(hint),
        where(clause),
      );
    case "Unwind":
      return `UNWIND ${print(clause.list)} AS ${printName(clause.variable.name)}`;
    case "With":
      return words("WITH", printProjection(printing, clause.projection), where(clause));
    case "Return":
      return words("RETURN", printProjection(printing, clause.projection));
    case "Finish":
      return "FINISH";
    case "Create":
      return words("CREATE", clause.unique && "UNIQUE", patterns(printing, clause.pattern));
    case "Merge":
      return words(
        "MERGE",
        printPatternPart(printing, clause.pattern),
        ...clause.actions.map(({ on, items }) => `ON ${on.toUpperCase()} SET ${setItems(printing, items)}`),
      );
    case "Set":
      return `SET ${setItems(printing, clause.items)}`;
    case "Remove":
      return `REMOVE ${clause.items.map((item) => removeItem(printing, item)).join(", ")}`;
    case "Delete":
      return words(clause.detach && "DETACH", "DELETE", clause.expressions.map((e) => print(e)).join(", "));
    case "Foreach": {
      const clauses = clause.clauses.map((inner) => printClause(printing, inner));
      return `FOREACH (${printName(clause.variable.name)} IN ${print(clause.list)} | ${clauses.join(" ")})`;
    }
    case "LoadCsv":
      return words(
        "LOAD CSV",
        clause.withHeaders && "WITH HEADERS",
        `FROM ${print(clause.url)} AS ${printName(clause.variable.name)}`,
        clause.fieldTerminator && `FIELDTERMINATOR ${printString(clause.fieldTerminator.value)}`,
      );
    case "ProcedureCall":
      return procedureCall(printing, clause);
    default:
      return unreachable(clause);
  }
}

function patterns(printing: Printing, parts: readonly Parameters<typeof printPatternPart>[1][]): string {
  return parts.map((part) => printPatternPart(printing, part)).join(", ");
}

export function printProjection(printing: Printing, projection: Projection): string {
  const items = projection.items.map((item) => projectionItem(printing, item));
  const sorted = projection.orderBy.map(
    ({ expression, descending }) => `${printing.expression(expression)}${descending ? " DESC" : ""}`,
  );
  return words(
    projection.distinct && "DISTINCT",
    [...(projection.star ? ["*"] : []), ...items].join(", "),
    sorted.length > 0 && `ORDER BY ${sorted.join(", ")}`,
    projection.skip && `SKIP ${printing.expression(projection.skip)}`,
    projection.limit && `LIMIT ${printing.expression(projection.limit)}`,
  );
}

/** Without an alias the text itself is the column's name, so it stays as it was written. */
function projectionItem(printing: Printing, item: ProjectionItem): string {
  if (item.alias === undefined && item.text !== "") {
    return item.text;
  }
  return words(printing.expression(item.expression), item.alias && `AS ${printName(item.alias.name)}`);
}

function hint(chosen: Hint): string {
  switch (chosen.kind) {
    case "UsingJoin":
      return `USING JOIN ON ${chosen.variables.map(({ name }) => printName(name)).join(", ")}`;
    case "UsingScan":
      return `USING SCAN ${printName(chosen.variable.name)}:${printKey(chosen.label.name)}`;
    case "UsingIndex": {
      const properties = chosen.properties.map(({ name }) => printKey(name)).join(", ");
      const subject = `${printName(chosen.variable.name)}:${printKey(chosen.label.name)}(${properties})`;
      return words("USING INDEX", chosen.seek && "SEEK", subject);
    }
    default:
      return unreachable(chosen);
  }
}

function startItem({ variable, entity, lookup }: StartItem): string {
  const value = (given: Parameters<typeof printParameter>[0] | { kind: "StringLiteral"; value: string }): string =>
    given.kind === "Parameter" ? printParameter(given) : printString(given.value);
  const head = `${printName(variable.name)} = ${entity}`;
  switch (lookup.kind) {
    case "ById":
      return `${head}(${lookup.ids.map((id) => id.value).join(", ")})`;
    case "ByParameter":
      return `${head}(${printParameter(lookup.parameter)})`;
    case "AllEntities":
      return `${head}(*)`;
    case "ByIndexKey":
      return `${head}:${printKey(lookup.index)}(${printKey(lookup.key)} = ${value(lookup.value)})`;
    case "ByIndexQuery":
      return `${head}:${printKey(lookup.index)}(${value(lookup.query)})`;
    default:
      return unreachable(lookup);
  }
}

function setItems(printing: Printing, items: readonly SetItem[]): string {
  return items.map((item) => setItem(printing, item)).join(", ");
}

function setItem(printing: Printing, item: SetItem): string {
  switch (item.kind) {
    case "SetProperty":
      return `${printing.expression(item.target)} = ${printing.expression(item.value)}`;
    case "SetProperties":
      return `${printName(item.variable.name)} ${item.merge ? "+=" : "="} ${printing.expression(item.value)}`;
    case "SetLabels":
      return printName(item.variable.name) + labelList(printing, item.labels);
    default:
      return unreachable(item);
  }
}

function removeItem(printing: Printing, item: RemoveItem): string {
  return item.kind === "RemoveProperty"
    ? printing.expression(item.target)
    : printName(item.variable.name) + labelList(printing, item.labels);
}

function labelList(printing: Printing, labels: readonly (LabelName | DynamicLabel)[]): string {
  return labels
    .map((label) =>
      label.kind === "LabelName"
        ? `:${printKey(label.name)}`
        : `:$${label.match}(${printing.expression(label.expression)})`,
    )
    .join("");
}

function procedureCall(printing: Printing, call: ProcedureCall): string {
  const name = [...call.namespace, call.name].map(printKey).join(".");
  const args = call.arguments && `(${call.arguments.map((argument) => printing.expression(argument)).join(", ")})`;
  return words(call.optional && "OPTIONAL", `CALL ${name}${args ?? ""}`, call.yield && callYield(printing, call.yield));
}

function callYield(printing: Printing, yielded: NonNullable<ProcedureCall["yield"]>): string {
  const items = yielded.items.map(({ field, variable }) =>
    variable.name === field ? printName(field) : `${printName(field)} AS ${printName(variable.name)}`,
  );
  const what = yielded.star ? "*" : items.length === 0 ? "-" : items.join(", ");
  return words(`YIELD ${what}`, yielded.where && `WHERE ${printing.expression(yielded.where)}`);
}
