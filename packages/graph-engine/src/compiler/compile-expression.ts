import { bodyOf } from "../logical-plan/function-body.ts";
import { type BoundExpression, type BoundLabels } from "../binder/bound-expression.ts";
import { type Value } from "../values/value.ts";
import { columnRead, labelTest as nodeLabelTest } from "./base-reads.ts";
import { compileCase, compileListComprehension, compileQuantified, compileReduce } from "./compile-iteration.ts";
import { compileBinary, compileUnary } from "./compile-operator-expression.ts";
import { compileSubquery } from "./compile-subquery.ts";
import { type Generator } from "./generator.ts";

/**
 * JavaScript that evaluates to the expression's Value. What needs statements (loops of comprehensions, subqueries,
 * branches) writes them to where the generator is now, so that they run before the expression is used.
 */
export function compileExpression(expression: BoundExpression, generator: Generator): string {
  switch (expression.kind) {
    case "Literal":
      return compileLiteral(expression.value, generator);
    case "Parameter":
      return generator.parameter(expression.name);
    case "VariableReference":
      return generator.valueOf(expression.variable);
    case "Property":
      return compileProperty(expression, generator);
    case "List":
      return compileList(expression.items, generator);
    case "Map": {
      const entries = expression.entries.map(
        ({ key, value }) => `[${JSON.stringify(key)}, ${generator.expression(value)}]`,
      );
      return `new Map([${entries.join(", ")}])`;
    }
    case "Unary":
      return compileUnary(expression, generator);
    case "Binary":
      return compileBinary(expression, generator);
    case "IsNull": {
      const { operand, negated } = expression;
      if (operand.kind === "VariableReference" && operand.variable.isEntity) {
        return `(${generator.local(operand.variable)} ${negated ? ">=" : "<"} 0)`;
      }
      return `(${generator.expression(operand)} ${negated ? "!==" : "==="} null)`;
    }
    case "HasLabels":
      return compileHasLabels(expression.subject, expression.labels, generator);
    case "Subscript":
      return generator.call(
        "subscript",
        generator.expression(expression.subject),
        generator.expression(expression.index),
        "context",
        "mode",
      );
    case "Slice": {
      const bound = (each: BoundExpression | undefined): string =>
        each === undefined ? "undefined" : generator.expression(each);
      return generator.call(
        "slice",
        generator.expression(expression.subject),
        bound(expression.from),
        bound(expression.to),
        "mode",
      );
    }
    case "Call":
      return compileCall(expression, generator);
    case "Aggregate":
      throw new TypeError("aggregates are computed by Aggregation");
    case "Case":
      return compileCase(expression, generator);
    case "ListComprehension":
      return compileListComprehension(expression, generator);
    case "Quantified":
      return compileQuantified(expression, generator);
    case "Reduce":
      return compileReduce(expression, generator);
    case "MapProjection": {
      const subject = generator.expression(expression.subject);
      const items = expression.items.map((item) =>
        item.kind === "AllProperties" ? "null" : `[${JSON.stringify(item.key)}, ${generator.expression(item.value)}]`,
      );
      return generator.call("projectMap", subject, `[${items.join(", ")}]`, "statement");
    }
    case "Subquery":
      return compileSubquery(expression, generator);
    case "PathOf":
      return compilePath(expression, generator);
    case "AsEntity": {
      const id = generator.keep(generator.entityId(expression), "id");
      const made = generator.call(expression.entity === "node" ? "newNode" : "newRelationship", id);
      return `(${id} < 0 ? null : ${made})`;
    }
    case "DistinctRelationships": {
      const left = generator.local(expression.left);
      const right = generator.local(expression.right);
      const ids = expression.left.isEntity && expression.right.isEntity;
      return ids ? `(${left} !== ${right})` : generator.call("areDistinct", left, right);
    }
    case "TypePredicate": {
      const test = generator.call(
        "isOfType",
        generator.expression(expression.operand),
        generator.constant(expression.test, "type"),
      );
      return expression.negated ? `!${test}` : test;
    }
    case "Normalized": {
      const test = generator.call(
        "isNormalized",
        generator.expression(expression.operand),
        JSON.stringify(expression.form),
      );
      return expression.negated ? generator.call("not", test, "mode") : test;
    }
  }
}

/** Plain numbers, strings and booleans are written out, everything else is a constant. */
function compileLiteral(value: Value, generator: Generator): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "boolean":
      return String(value);
    case "number":
      return Number.isFinite(value) ? (value < 0 ? `(${value})` : String(value)) : generator.constant(value, "number");
    case "bigint":
      return `(${value}n)`;
    default:
      return value === null ? "null" : generator.constant(value, "literal");
  }
}

function compileList(items: readonly BoundExpression[], generator: Generator): string {
  if (items.length > 3 && items.every((item) => item.kind === "Literal")) {
    return generator.constant(
      items.map((item) => (item.kind === "Literal" ? item.value : null)),
      "list",
    );
  }
  return `[${items.map((item) => generator.expression(item)).join(", ")}]`;
}

function compileProperty(expression: BoundExpression & { kind: "Property" }, generator: Generator): string {
  const { subject, key } = expression;
  const read = columnRead(expression, generator);
  if (read !== undefined) {
    return read.nullable
      ? `(${read.id} < 0 ? null : ${read.reader}.get(${read.id}))`
      : `${read.reader}.get(${read.id})`;
  }
  if (subject.kind === "VariableReference" && subject.variable.isEntity) {
    const { variable } = subject;
    const id = generator.local(variable);
    const property = variable.type.kind === "node" ? "nodeProperty" : "relationshipProperty";
    const value = generator.call(property, id, generator.token("propertyKeys", key), "context", "mode");
    return variable.nullable ? `(${id} < 0 ? null : ${value})` : value;
  }
  return generator.call("propertyOf", generator.expression(subject), JSON.stringify(key), "context", "mode");
}

function compileCall(expression: BoundExpression & { kind: "Call" }, generator: Generator): string {
  const [only] = expression.arguments;
  if (expression.function.name === "id" && only?.kind === "VariableReference" && only.variable.isEntity) {
    const id = generator.local(only.variable);
    return only.variable.nullable ? `(${id} < 0 ? null : ${id})` : id;
  }
  const body = generator.constant(bodyOf(expression, generator.mode), expression.function.name);
  const args = expression.arguments.map((argument) => generator.expression(argument));
  return `${body}(${["context", ...args].join(", ")})`;
}

function compileHasLabels(subject: BoundExpression, labels: BoundLabels, generator: Generator): string {
  if (subject.kind === "VariableReference" && subject.variable.isEntity) {
    const { variable } = subject;
    const id = generator.local(variable);
    const test = labelTest(
      labels,
      (name) =>
        variable.type.kind === "node"
          ? nodeLabelTest(id, name, generator)
          : `view.typeOf(${id}) === ${generator.token("relationshipTypes", name)}`,
      () => (variable.type.kind === "node" ? `view.labelsOf(${id}).length > 0` : "true"),
    );
    return variable.nullable ? `(${id} < 0 ? null : ${test})` : `(${test})`;
  }
  const value = generator.keep(generator.expression(subject), "entity");
  const test = labelTest(
    labels,
    (name) => generator.call("hasName", value, JSON.stringify(name), "statement"),
    () => generator.call("hasAnyName", value, "statement"),
  );
  // Judged even for null, so that a value of another type is found out.
  return labels.kind === "Name" || labels.kind === "Any" ? test : `(${value} === null ? null : ${test})`;
}

function labelTest(labels: BoundLabels, named: (name: string) => string, any: () => string): string {
  switch (labels.kind) {
    case "Name":
      return named(labels.name);
    case "Any":
      return any();
    case "Not":
      return `!(${labelTest(labels.operand, named, any)})`;
    case "And":
      return `(${labels.operands.map((operand) => labelTest(operand, named, any)).join(" && ")})`;
    case "Or":
      return `(${labels.operands.map((operand) => labelTest(operand, named, any)).join(" || ")})`;
    case "Dynamic":
      throw new TypeError("the binder refuses dynamic labels");
  }
}

/** A path whose steps are all single is known by its ids; lists of relationships are followed node by node. */
function compilePath(expression: BoundExpression & { kind: "PathOf" }, generator: Generator): string {
  const nodes = expression.steps.filter((_step, index) => index % 2 === 0);
  const relationships = expression.steps.filter((_step, index) => index % 2 === 1);
  const names = (variables: typeof nodes): string => `[${variables.map((each) => generator.local(each)).join(", ")}]`;
  const nullable = expression.steps.some((step) => step.nullable);
  if (!nullable && expression.steps.every((step) => step.isEntity)) {
    return generator.call("newPath", names(nodes), names(relationships));
  }
  const [start] = nodes;
  return start === undefined
    ? "null"
    : generator.call("pathAlong", "view", generator.local(start), names(relationships));
}
