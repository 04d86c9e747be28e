import { type EntityStates, hasToken } from "../indexes/indexed-values.ts";
import { type EntityKind } from "../schema/definitions.ts";
import { type NodeChange, type RelationshipChange } from "../versions/changes.ts";
import { type WriteSet } from "../transactions/write-set.ts";
import { type ReadSet } from "./read-set.ts";

/** The graph before and after some commits. */
export interface Span {
  readonly before: EntityStates;
  readonly after: EntityStates;
}

/** Whether somebody who has read `reads` before would have got other answers after. */
export function readsChanged(reads: ReadSet, { nodes, relationships, legacy }: WriteSet, span: Span): boolean {
  const deletes = (change: NodeChange | RelationshipChange): boolean => change.deleted;
  if (reads.legacyIndexes && (legacy.length > 0 || [...nodes.values(), ...relationships.values()].some(deletes))) {
    return true;
  }
  for (const change of nodes.values()) {
    if (change.labelsAdded.some((label) => label >= reads.known.labels) || hasNewKey(reads, change)) {
      return true;
    }
    if (nodeMatters(reads, change, span)) {
      return true;
    }
  }
  for (const change of relationships.values()) {
    if (change.type >= reads.known.relationshipTypes || hasNewKey(reads, change)) {
      return true;
    }
    if (relationshipMatters(reads, change, span)) {
      return true;
    }
  }
  return false;
}

function hasNewKey(reads: ReadSet, { properties }: NodeChange | RelationshipChange): boolean {
  return properties.keys.some((key) => key >= reads.known.propertyKeys);
}

function nodeMatters(
  reads: ReadSet,
  { node, created, deleted, labelsAdded, labelsRemoved }: NodeChange,
  span: Span,
): boolean {
  if (reads.hasEntity("node", node) || (reads.scanned.node && (created || deleted))) {
    return true;
  }
  if (reads.labels.size > 0) {
    // A node that goes takes all its labels along.
    const moved = deleted ? reads.labels : [...labelsAdded, ...labelsRemoved];
    for (const label of moved) {
      if (reads.labels.has(label) && tokenMoved("node", label, node, span)) {
        return true;
      }
    }
  }
  return reads.values.differ("node", node, span.before, span.after);
}

function relationshipMatters(reads: ReadSet, change: RelationshipChange, span: Span): boolean {
  const { relationship, created, deleted, start, type, end } = change;
  const isRead = reads.hasEntity("relationship", relationship);
  const comesOrGoes = created || deleted;
  if (isRead || (comesOrGoes && (reads.scanned.relationship || reads.types.has(type)))) {
    return true;
  }
  if (comesOrGoes && reads.hasAdjacency(start, type, end)) {
    return true;
  }
  return reads.values.differ("relationship", relationship, span.before, span.after);
}

function tokenMoved(entity: EntityKind, token: number, id: number, { before, after }: Span): boolean {
  return hasToken(before, entity, token, id) !== hasToken(after, entity, token, id);
}
