/** How long one statement may take a peer. Each is told in its own way; filling it has no limit. */
export const TIME_LIMIT_MS = 20_000;
