/** Staff of a demo move the time of the test gateway ahead, to see what a month brings. */
import type { Kysely } from 'kysely';
import { monthsLater } from '../../orders/order.ts';
import type { Tables } from '../../platform/database/tables.server.ts';
import { refuse } from '../../platform/http/answer.server.ts';
import { type Call, call } from '../../platform/http/call.server.ts';
import { GET_TEST_CLOCK, MOVE_TEST_CLOCK, type MovedClock } from '../payment-api.ts';
import { billNext } from './test-billing.server.ts';
import { lockClock, setClock, testNow } from './test-clock.server.ts';

type Db = Kysely<Tables>;

const MAX_EVENTS = 100;
const MAX_YEARS_AHEAD = 10;
const YEAR_MS = 366 * 24 * 60 * 60 * 1000;

/** `isDemo`: whether the demo's credentials are in force; without them these calls do not exist. */
export function testClockCalls(db: Db, isDemo: () => Promise<boolean>): Call[] {
  const absent = () => refuse(404, 'There is nothing at this address');
  return [
    call(GET_TEST_CLOCK, {
      access: 'staff',
      handle: async () => ((await isDemo()) ? { now: iso(await testNow(db)) } : absent()),
    }),
    call(MOVE_TEST_CLOCK, {
      access: 'staff',
      handle: async ({ body }) => {
        if (!(await isDemo())) return absent();
        const to = monthsLater(new Date(body.now), 1).getTime();
        const now = await testNow(db);
        // Two who press at once move it once.
        if (to <= now || Date.parse(body.now) > now)
          return refuse(409, 'The time has moved already. Please look at it again.');
        if (to > Date.now() + MAX_YEARS_AHEAD * YEAR_MS)
          return refuse(409, 'The time is ten years ahead, which is as far as it goes.');
        const moved = await moveClock(db, to);
        return { now: iso(await testNow(db)), ...moved };
      },
    }),
  ];
}

/** Bills everything that is due until then in its order, each in a transaction of its own. Nobody is notified. */
async function moveClock(db: Db, until: number): Promise<Omit<MovedClock, 'now'>> {
  const silent = { db, notify: async () => undefined };
  const failed: number[] = [];
  const events: MovedClock['events'] = [];
  const counts = { renewed: 0, failed: 0, ended: 0 };
  for (;;) {
    const event = await billNext(silent, { until, failed });
    if (!event) break;
    counts[event.what] += 1;
    if (events.length < MAX_EVENTS) events.push({ ...event, at: iso(event.at) });
  }
  await db.transaction().execute(async (trx) => {
    await lockClock(trx);
    await setClock(trx, until);
  });
  return { ...counts, events };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
