import { type Command } from "../metadata/command.ts";
import { run } from "../metadata/steps.ts";
import { setDamaged, setSound } from "./scrub-statements.ts";

export interface Verified {
  readonly extentId: string;
  readonly isSound: boolean;
}

/** Notes what came of reading extents whole. One that is sound again, restored from a copy, loses its mark. */
export const noteVerified: Command<{ readonly verified: readonly Verified[] }, null> = function* (input, { nowMs }) {
  for (const { extentId, isSound } of input.verified) {
    yield* run(isSound ? setSound : setDamaged, { extentId, nowMs });
  }
  return null;
};
