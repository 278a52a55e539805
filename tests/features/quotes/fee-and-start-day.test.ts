/** Quotes by staff with amounts that are charged once and a day on which the plan starts. */
import { beforeAll, describe, expect, test } from 'vitest';
import { dayAfter } from '../../../src/company/hours.ts';
import { ownContent } from '../../support/own-content.ts';
import { AMOUNT, QUOTE, sharedQuoteSite } from '../../support/quote-site.ts';
import type { Visitor } from '../../support/visitor.ts';

const site = sharedQuoteSite();
let staff: Visitor;
beforeAll(async () => {
  staff = await site.app.staff();
});

const day = (later: number) => dayAfter(ownContent().company, Date.now(), later);
const ONCE = [
  { label: 'Onboarding', amount: 1500 },
  { label: 'Migration of the mail', amount: 250.5 },
];
const quote = (change: object) =>
  staff.post('/api/admin/quotes', { ...QUOTE, discount: null, days: 14, send: false, ...change });

describe('what staff type', () => {
  test.each([
    ['a start today', { startsOn: day(0) }, 'startsOn'],
    ['a start in the past', { startsOn: '2024-02-29' }, 'startsOn'],
    ['a start on a day that does not exist', { startsOn: '2027-02-30' }, 'startsOn'],
    ['a start after 180 days', { startsOn: day(181) }, 'startsOn'],
    ['less than a cent', { once: [{ label: 'Onboarding', amount: 0.001 }] }, 'once[0].amount'],
    ['a part of a cent', { once: [{ label: 'Onboarding', amount: 1.005 }] }, 'once[0].amount'],
    ['over 100,000', { once: [ONCE[0], { label: 'All', amount: 100_000.01 }] }, 'once[1].amount'],
    ['no words', { once: [{ label: ' ', amount: 5 }] }, 'once[0].label'],
    ['eleven amounts', { once: Array.from({ length: 11 }, () => ONCE[0]) }, 'once'],
  ])('%s is refused at its field', async (_, change, path) => {
    const { status, json } = await quote(change);
    expect([status, json.errors[0].path]).toEqual([400, path]);
  });

  test.each([1, 180])('a start in %i days is taken, with ten amounts', async (later) => {
    const once = Array.from({ length: 10 }, (_, at) => ({ label: `Part ${at}`, amount: 100_000 }));
    const { status, json } = await quote({ once, startsOn: day(later) });
    expect([status, json.price.startsOn]).toEqual([200, day(later)]);
    expect(json.price.once).toMatchObject(once);
  });

  test('a plan that is no longer sold is refused in words', async () => {
    const { status, json } = await quote({ planId: 999 });
    expect([status, json.message]).toEqual([409, expect.stringContaining('no longer sold')]);
  });
});

test('amounts charged once are no part of the month', async () => {
  const { json } = await quote({ once: ONCE, startsOn: day(30) });
  expect([json.amount, json.price.total]).toEqual([AMOUNT, AMOUNT]);
  expect(json.price.lines).toHaveLength(3);
});
