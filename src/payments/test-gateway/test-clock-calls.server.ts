/** Staff move the time of the test gateway ahead, to see what a month brings. There is no such call with Stripe. */
import { monthsLater } from '../../orders/billing-dates.ts';
import type { FollowDeps } from '../../orders/follow-payment.server.ts';
import { refuse } from '../../platform/http/answer.server.ts';
import { type Call, oldCall } from '../../platform/http/call.server.ts';
import { GET_TEST_CLOCK, MOVE_TEST_CLOCK } from '../payment-contracts.ts';
import { type MovedClock, moveClockRequest, movedClock, testClock } from '../payment-shapes.ts';
import { billNext } from './bill-test-subscription.server.ts';
import { lockClock, setClock, testNow } from './test-clock.server.ts';

/** Of all that happened; beyond, it is counted only. */
const MOST_NAMED = 100;
const MOST_YEARS_AHEAD = 10;
const YEAR_MS = 366 * 24 * 60 * 60 * 1000;

export function testClockCalls(deps: FollowDeps): Call[] {
  const { db } = deps;
  return [
    oldCall(GET_TEST_CLOCK, {
      access: 'staff',
      answer: testClock,
      handle: async () => ({ now: moment(await testNow(db)) }),
    }),
    oldCall(MOVE_TEST_CLOCK, {
      access: 'staff',
      body: moveClockRequest,
      answer: movedClock,
      handle: async ({ body }) => {
        const to = monthsLater(new Date(body.now), 1).getTime();
        const now = await testNow(db);
        // Two who press at once move it once.
        if (to <= now || Date.parse(body.now) > now)
          return refuse(409, 'The time has moved already. Please look at it again.');
        if (to > Date.now() + MOST_YEARS_AHEAD * YEAR_MS)
          return refuse(409, 'The time is ten years ahead, which is as far as it goes.');
        const happened = await passUntil(deps, to);
        return { now: moment(await testNow(db)), ...happened };
      },
    }),
  ];
}

/** Everything that is due until then happens in its order, each step by itself. */
async function passUntil(deps: FollowDeps, until: number): Promise<Omit<MovedClock, 'now'>> {
  const events: MovedClock['events'] = [];
  const counts = { renewed: 0, failed: 0, ended: 0 };
  for (;;) {
    const event = await billNext(deps, until);
    if (!event) break;
    counts[event.what] += 1;
    if (events.length < MOST_NAMED) events.push({ ...event, at: moment(event.at) });
  }
  await deps.db.transaction().execute(async (trx) => {
    await lockClock(trx);
    await setClock(trx, until);
  });
  return { ...counts, events };
}

function moment(at: number): string {
  return new Date(at).toISOString();
}
