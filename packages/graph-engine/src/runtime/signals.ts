/**
 * What generated code yields besides batches (decisions/0001). Numbers, so that telling them from a batch is one
 * `typeof`.
 */
export const TICK = 1;
/** Another transaction holds a lock: await it, resume, and the code asks for it again. */
export const WAIT_FOR_LOCK = 2;

/** As {@link TICK}, from work that counts no turns: a search, a sort. */
export const PAUSE = 3;

export type Signal = typeof TICK | typeof WAIT_FOR_LOCK | typeof PAUSE;

/**
 * Loop turns before a statement's first TICK. What the driver hands back for a TICK is how many come before the next
 * one (runtime/pace.ts). Few, as nobody knows yet what a turn costs, but more than most statements make.
 */
export const TURNS_PER_TICK = 512;
