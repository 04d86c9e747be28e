import {
  type DynamicLabel,
  type Expression,
  type LabelName,
  type Remove,
  type RemoveItem,
  type SetClause,
  type SetItem as WrittenSetItem,
} from "@trefoil/cypher";
import { type BindContext, bindExpression, typeMismatch, valuePlace } from "./bind-context.ts";
import { checkTokenName } from "./token-name.ts";
import { type BoundExpression } from "./bound-expression.ts";
import { type BoundSet, type SetItem } from "./bound-query.ts";
import { type Scope } from "./scope.ts";
import { mayBe, nullType } from "./static-type.ts";

/** SET. */
export function bindSet(clause: SetClause, scope: Scope, context: BindContext): BoundSet {
  return { kind: "Set", items: clause.items.map((item) => bindSetItem(item, scope, context)) };
}

/** REMOVE: setting to null, and taking labels away. */
export function bindRemove(clause: Remove, scope: Scope, context: BindContext): BoundSet {
  return { kind: "Set", items: clause.items.map((item) => bindRemoveItem(item, scope, context)) };
}

export function bindSetItem(item: WrittenSetItem, scope: Scope, context: BindContext): SetItem {
  const bind = (expression: Expression): BoundExpression => bindExpression(expression, valuePlace(context, scope));
  switch (item.kind) {
    case "SetProperty":
      return property(item.target, () => bind(item.value), scope, context);
    case "SetProperties": {
      const subject = entity(item.variable, scope, context);
      const value = bind(item.value);
      if (!mayBe(value.type, "map", "node", "relationship")) {
        throw typeMismatch(context, "Map, Node or Relationship", value.type, item.value.position);
      }
      return { kind: "Properties", subject, value, merge: item.merge };
    }
    case "SetLabels":
      return {
        kind: "Labels",
        subject: labelled(item.variable, scope, context),
        labels: labelNames(item.labels, context),
        remove: false,
      };
  }
}

function bindRemoveItem(item: RemoveItem, scope: Scope, context: BindContext): SetItem {
  if (item.kind === "RemoveProperty") {
    const { target } = item;
    return target.kind === "PropertyAccess"
      ? { kind: "RemoveProperty", subject: owner(target.subject, scope, context), key: target.key }
      : property(target, () => ({ kind: "Literal", type: nullType, value: null }), scope, context);
  }
  return {
    kind: "Labels",
    subject: labelled(item.variable, scope, context),
    labels: labelNames(item.labels, context),
    remove: true,
  };
}

function property(
  target: Expression & { kind: "PropertyAccess" | "Subscript" },
  value: () => BoundExpression,
  scope: Scope,
  context: BindContext,
): SetItem {
  // From left to right: the first mistake is the one to tell.
  const subject = owner(target.subject, scope, context);
  return target.kind === "PropertyAccess"
    ? { kind: "Property", subject, key: target.key, value: value() }
    : {
        kind: "DynamicProperty",
        subject,
        key: bindExpression(target.index, valuePlace(context, scope)),
        value: value(),
      };
}

function entity(expression: Expression, scope: Scope, context: BindContext): BoundExpression {
  const bound = bindExpression(expression, valuePlace(context, scope));
  if (!mayBe(bound.type, "node", "relationship")) {
    throw typeMismatch(context, "Node or Relationship", bound.type, expression.position);
  }
  return bound;
}

/** What a property is set of: in 2.3 a map counts as something that has properties until that is tried. */
function owner(expression: Expression, scope: Scope, context: BindContext): BoundExpression {
  const bound = bindExpression(expression, valuePlace(context, scope));
  if (context.mode === "2.3" && !mayBe(bound.type, "node", "relationship", "map")) {
    throw typeMismatch(context, "Map, Node or Relationship", bound.type, expression.position);
  }
  return entity(expression, scope, context);
}

/** Only nodes have labels that come and go. */
function labelled(expression: Expression, scope: Scope, context: BindContext): BoundExpression {
  const bound = bindExpression(expression, valuePlace(context, scope));
  if (!mayBe(bound.type, "node")) {
    throw typeMismatch(context, "Node", bound.type, expression.position);
  }
  return bound;
}

function labelNames(labels: readonly (LabelName | DynamicLabel)[], context: BindContext): readonly string[] {
  return labels.map((label) => {
    if (label.kind === "DynamicLabel") {
      throw context.errors.unsupported("A dynamic label in SET or REMOVE", label.position);
    }
    checkTokenName(label.name);
    return label.name;
  });
}
