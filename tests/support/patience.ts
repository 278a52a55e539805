/** What is awaited may take as long as a busy machine needs, which now and then stands still for half a minute. */
export const PATIENCE_MS = 90_000;
