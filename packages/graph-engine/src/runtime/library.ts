/**
 * Everything generated code can call, by the names it uses: the compiler takes this module as a whole
 * (`import * as library`).
 */
export { contains, endsWith, matchesPattern, startsWith } from "../functions/string-operators.ts";
export { add } from "../values/addition.ts";
export { divide, modulo, multiply, negate, power, subtract, unaryPlus } from "../values/arithmetic.ts";
export { greaterThan, greaterThanOrEqual, lessThan, lessThanOrEqual } from "../values/comparison.ts";
export { nodeProperty, propertyOf, relationshipProperty, slice, subscript } from "../values/element-access.ts";
export { equals, isIn, notEquals } from "../values/equality.ts";
export { equivalenceKey, equivalenceKeyOfRow } from "../values/equivalence.ts";
export { and, not, or, truthOf, xor } from "../values/logic.ts";
export { newAccumulator } from "./aggregation.ts";
export { newMergingAccumulator, newPartialAccumulator } from "./partial-aggregates.ts";
export { newColumnReader } from "./column-reader.ts";
export { endpointsOf } from "./endpoints.ts";
export { newNode, newRelationship, nodeId, relationshipId, tokenLookup } from "./entities.ts";
export { newExpansion } from "./expansion.ts";
export { concatenate } from "./concatenation.ts";
export { seekIds } from "./id-seek.ts";
export {
  seekAnyNode,
  seekNodes,
  seekNodesBetween,
  seekNodesWithPrefix,
  seekNodesWithProperties,
} from "./index-seek.ts";
export { newJoinTable } from "./join-table.ts";
export { newGroups, newKeyPairs } from "./groups.ts";
export { newIdSet } from "./id-set.ts";
export { newLabelReader } from "./label-reader.ts";
export { hasAnyName, hasName } from "./labels.ts";
export { iterated, unwound } from "./lists.ts";
export { projectMap } from "./map-projection.ts";
export { orderInSteps, sortedOrder } from "./ordering.ts";
export { areDistinct, newPath, pathAlong } from "./paths.ts";
export { newQuantifier } from "./quantifier.ts";
export { newReach } from "./reach.ts";
export { rowCount } from "./row-count.ts";
export { shortestPaths } from "./shortest-path.ts";
export { newTopRows } from "./top-rows.ts";
export { isNormalized, isOfType } from "./type-predicate.ts";
export {
  checkEnd,
  refuseLabelsOfNull,
  refusePropertiesOfNull,
  removeNodeProperty,
  removePropertyOf,
  removeRelationshipProperty,
  checkMergeProperties,
  deleteValue,
  initializeNode,
  initializeNodeProperty,
  initializeRelationship,
  initializeRelationshipProperty,
  setLabels,
  setLabelsOf,
  setNodeProperties,
  setNodeProperty,
  setPropertiesOf,
  setPropertyOf,
  setRelationshipProperties,
  setRelationshipProperty,
  severalMatches,
} from "./updates.ts";
export { checkMergeKeys, lockMergeKeys } from "./merge-keys.ts";
export { newWalk } from "./walk.ts";
export { commitSoFar } from "./periodic-commit.ts";
export { newIntersection } from "./intersection.ts";
export { openCsv } from "./load-csv.ts";
export { searchShortestPaths } from "./shortest-path.ts";
export { callProcedure } from "./procedure-call.ts";
export { givenParameter } from "./parameters.ts";
