import { test } from 'vitest';

/** Another way of what the gate tries once. Left to the full run, unless its file is named. */
export const variant = test.runIf(process.env.TEST_PLAN !== 'gate');
