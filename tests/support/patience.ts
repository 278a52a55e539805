/** Timeout for anything a test waits for: a busy machine can stall for half a minute. Its own file, because vitest.config.ts needs it. */
export const PATIENCE_MS = 90_000;
