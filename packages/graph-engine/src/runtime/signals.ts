/**
 * What generated code yields besides batches (decisions/0001). Numbers, so that telling them from a batch is one
 * `typeof`.
 */
export const TICK = 1;
/** Another transaction holds a lock: await it, resume, and the code asks for it again. */
export const WAIT_FOR_LOCK = 2;

export type Signal = typeof TICK | typeof WAIT_FOR_LOCK;

/** Loop turns between two TICKs: a few milliseconds of the cheapest loop, so that other requests get their turn. */
export const TURNS_PER_TICK = 20_000;
