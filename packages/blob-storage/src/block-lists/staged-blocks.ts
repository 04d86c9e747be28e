import { first, run, type Steps } from "../metadata/steps.ts";
import {
  dropStagedExtentUses,
  findUncommitted,
  insertGarbageOfStaged,
  removeStagedBlocks,
  removeUncommitted,
  removeUnusedExtentsOfStaged,
} from "./staged-statements.ts";

/** Forgets the staged blocks of a name; extents that nothing else uses become garbage. */
export function* dropStagedBlocks(containerId: number, name: string): Steps<void> {
  const staged = { containerId, name };
  if ((yield* first(findUncommitted, staged)) === undefined) {
    return;
  }
  yield* run(dropStagedExtentUses, staged);
  yield* run(insertGarbageOfStaged, staged);
  yield* run(removeUnusedExtentsOfStaged, staged);
  yield* run(removeStagedBlocks, staged);
  yield* run(removeUncommitted, staged);
}
