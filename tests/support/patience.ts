/** Timeout for anything a test waits for: a busy machine can stall for half a minute. */
export const PATIENCE_MS = 90_000;
