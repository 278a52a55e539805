/** Whether every journey runs on both engines and screens, as in `npm run test:full` (journey-plan.ts). */
export const EVERYTHING = process.env.TEST_PLAN === 'everything';

/** Timeout for anything a test waits for: a busy machine can stall for half a minute. */
export const TIMEOUT_MS = 90_000;
