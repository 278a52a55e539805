import { inject, test } from 'vitest';

const isGate = process.env.TEST_PLAN === 'gate';

/** Another way of what the gate tries once. Left to the full run, unless its file is named. */
export const variant = test.runIf(!isGate);

/** In the gate on SQLite alone: other tests run its statements on PostgreSQL. */
export const onOneDatabase = test.runIf(!isGate || inject('engine') === 'sqlite');
