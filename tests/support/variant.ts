import { test } from 'vitest';

/** Tries in another way what the gate tries once. The gate leaves it to the full run; a file that is named runs it. */
export const variant = test.runIf(process.env.TEST_PLAN !== 'gate');
