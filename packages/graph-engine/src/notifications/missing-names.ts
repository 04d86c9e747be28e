import {
  type LabelExpression,
  type MapEntry,
  type Mode,
  type NodePattern,
  type Position,
  type PropertyAccess,
  type RelationshipPattern,
  type UsingIndex,
} from "@trefoil/cypher";
import { findNearestName } from "../functions/did-you-mean.ts";
import { type Judge } from "./judge.ts";
import { type KnownNames } from "./known-names.ts";
import { type Notification, notification, type NotificationPosition } from "./notification.ts";

const KINDS = {
  labels: { notification: "labelMissing", plural: "labels", singular: "label name" },
  relationshipTypes: {
    notification: "relationshipTypeMissing",
    plural: "relationship types",
    singular: "relationship type",
  },
  propertyKeys: { notification: "propertyKeyMissing", plural: "property names", singular: "property name" },
} as const;

type Kind = keyof typeof KINDS;

/** Labels, types and property keys that nothing in the database has: most likely misspelt. */
export function missingNames(names: KnownNames, mode: Mode): Judge {
  return (node, place, found) => {
    for (const { kind, name, position } of namesOf(node)) {
      if (!names.has(kind, name)) {
        // 2.3 has no advice to give.
        const nearest = mode === "modern" ? findNearestName(name, names.all(kind)) : undefined;
        found.push(missing(kind, name, nearest, place(position)));
      }
    }
  };
}

interface WrittenName {
  readonly kind: Kind;
  readonly name: string;
  readonly position: Position;
}

function namesOf(node: Parameters<Judge>[0]): readonly WrittenName[] {
  switch (node.kind) {
    case "RelationshipPattern":
      return namesIn("relationshipTypes", (node as RelationshipPattern).types);
    case "NodePattern":
    case "LabelPredicate":
      return namesIn("labels", (node as NodePattern).labels);
    case "UsingIndex":
    case "UsingScan":
      return [named("labels", (node as UsingIndex).label)];
    case "PropertyAccess":
    case "MapEntry":
      return [{ kind: "propertyKeys", name: (node as PropertyAccess | MapEntry).key, position: node.position }];
    default:
      return [];
  }
}

function named(kind: Kind, { name, position }: Omit<WrittenName, "kind">): WrittenName {
  return { kind, name, position };
}

function namesIn(kind: Kind, labels: LabelExpression | undefined): readonly WrittenName[] {
  switch (labels?.kind) {
    case "LabelName":
      return [named(kind, labels)];
    case "LabelAnd":
    case "LabelOr":
      return labels.operands.flatMap((operand) => namesIn(kind, operand));
    default:
      return [];
  }
}

function missing(kind: Kind, name: string, nearest: string | undefined, position: NotificationPosition): Notification {
  const { notification: notificationKind, plural, singular } = KINDS[kind];
  const advice = nearest === undefined ? "" : `; did you mean ${nearest}?`;
  return notification(
    notificationKind,
    `One of the ${plural} in your query is not available in the database, make sure you didn't misspell it or that the label is available when you run this statement in your application (the missing ${singular} is: ${name}${advice})`,
    position,
  );
}
