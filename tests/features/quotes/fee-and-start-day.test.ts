/** Quotes by staff with amounts that are charged once and a day on which the plan starts. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { dayAfter, localDate, localIsoTime, startOfDay } from '../../../src/company/days.ts';
import { startsInWords } from '../../../src/orders/status-words.ts';
import type { Happening } from '../../../src/payments/test-gateway/test-happenings.ts';
import { ownContent } from '../../support/own-content.ts';
import { happen, ownPage } from '../../support/own-page.ts';
import { AMOUNT, orderByQuote, QUOTE, sharedQuoteSite } from '../../support/quote-site.ts';
import { acceptanceOf, quoteByStaff } from '../../support/staff-quote.ts';
import { sharedStaff } from '../../support/test-app.ts';

const site = sharedQuoteSite();
const staff = sharedStaff(() => site.app);

const day = (later: number) => dayAfter(ownContent().company, Date.now(), later);
const ONCE = [
  { label: 'Onboarding', amount: 1500 },
  { label: 'Migration of the mail', amount: 250.5 },
];
const FEES = 1750.5;
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

  test('a start that is too early is refused with the days of the company, which may be ahead', async () => {
    onTestFinished(() => void vi.useRealTimers());
    // In Marietta it is December 1, in Los Angeles November 30.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-12-01T05:30:00Z') });
    const { json } = await (await site.app.staff()).post('/api/admin/quotes', {
      ...{ ...QUOTE, discount: null, days: 14, send: false },
      startsOn: '2026-12-01',
    });
    expect(json.errors).toEqual([
      {
        path: 'startsOn',
        message: 'Please choose a day from December 2, 2026 to May 30, 2027',
      },
    ]);
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

const START = day(30);

/** A customer who accepts a quote: by card with what the page says is due, or by invoice. */
async function accepted(change: object, { card = 'succeeds', by = 'card' } = {}) {
  const email = `deal-${Math.random()}@fox.example`;
  const dueDays = by === 'invoice' ? 15 : null;
  const { json: made } = await quote({ email, dueDays, ...change });
  const { url } = (await staff.post(`/api/admin/quotes/${made.id}/link`, {})).json;
  const token = url.split('/').at(-1) as string;
  const visitor = site.app.visitor();
  const order = async (dueToday?: number) => {
    const sent = orderByQuote(token, { email, ...(dueToday !== undefined && { dueToday }) });
    return visitor.move().post('/api/create-payment-intent', sent);
  };
  const confirm = (clientSecret: string, as = card) =>
    visitor.post('/api/test-payments/confirm', { clientSecret, token: as });
  const open = async () => (await staff.get(`/api/admin/quotes/${made.id}`)).json;
  return { made, token, visitor, order, confirm, open, email };
}

/** Accepts it, and returns what happens to the order then. */
async function bought(change: object, by: 'card' | 'invoice', dueToday = 0) {
  const { order, confirm, token, visitor, open, email } = await accepted(change, { by });
  let orderId: number;
  if (by === 'invoice') {
    const acceptance = await acceptanceOf(site.app, token);
    orderId = (await visitor.post('/api/quote/accept', acceptance)).json.orderId;
  } else {
    const { json } = await order(dueToday);
    await confirm(json.clientSecret);
    orderId = json.orderId;
  }
  const page = await ownPage(site.app, orderId, visitor);
  return {
    ...page,
    visitor,
    orderId,
    open,
    email,
    happen: (...what: Happening[]) => happen(site.app, orderId, ...what),
    now: async () => {
      const { json } = await staff.get(`/api/orders/${orderId}`);
      return [json.status, json.startsOn];
    },
    /** What was charged, or asked for, the newest first. */
    charged: async () =>
      (await page.account()).payments.map(({ amount }: { amount: number }) => amount),
  };
}

describe('by card', () => {
  test('is ordered only with what is due at once, which the answer repeats', async () => {
    const { order } = await accepted({ once: ONCE, startsOn: START });
    for (const dueToday of [undefined, 0, AMOUNT, AMOUNT + FEES, FEES - 0.01])
      expect((await order(dueToday)).status).toBe(409);
    expect((await order(FEES)).json).toMatchObject({ amount: AMOUNT, dueToday: FEES });
    const atOnce = await accepted({ once: ONCE });
    expect((await atOnce.order(FEES)).status).toBe(409);
    expect((await atOnce.order(AMOUNT + FEES)).json.dueToday).toBe(AMOUNT + FEES);
    const plain = await accepted({});
    expect(await plain.order(AMOUNT)).toMatchObject({ status: 200 });
    expect((await plain.order(5)).status).toBe(409);
  });

  test('the fee is charged with the first month, and never again', async () => {
    const { happen, charged, now } = await bought({ once: ONCE }, 'card', AMOUNT + FEES);
    expect(await now()).toEqual(['paid', null]);
    await happen('renewed');
    expect(await charged()).toEqual([AMOUNT, AMOUNT + FEES]);
  });

  test('with a start day the fee is charged on acceptance, and the month from that day on', async () => {
    const deal = await bought({ once: ONCE, startsOn: START }, 'card', FEES);
    expect(await deal.now()).toEqual(['paid', START]);
    expect((await deal.account()).running).toMatchObject({ next: { total: AMOUNT } });
    await deal.happen('renewed');
    expect(await deal.now()).toEqual(['paid', null]);
    const { payments } = await deal.account();
    expect(payments).toMatchObject([
      { amount: AMOUNT, once: [], lines: [{ kind: 'plan' }, {}, {}] },
      { amount: FEES, once: ONCE, lines: [], periodStart: null },
    ]);
    expect(localDate(ownContent().company, Date.parse(payments[0].periodStart))).toBe(START);
  });

  test('is charged on that day of each month, also when the clocks have changed', async () => {
    const { company } = ownContent();
    const isInSummer = (on: string) =>
      localIsoTime(company)(startOfDay(company, on)).endsWith('-04:00') && !/(29|30|31)$/.test(on);
    const startsOn = Array.from({ length: 180 }, (_, at) => day(at + 1)).find(isInSummer) ?? '';
    const deal = await bought({ startsOn }, 'card');
    await deal.happen(...Array.from({ length: 12 }, () => 'renewed' as const));
    const { payments } = await deal.account();
    const days = payments.map(({ periodStart }: { periodStart: string }) =>
      localDate(company, Date.parse(periodStart)).slice(-2),
    );
    expect(days).toEqual(Array.from({ length: 12 }, () => startsOn.slice(-2)));
  });

  test('a fee that staff give back before the start day ends no plan, until its end is asked for', async () => {
    const deal = await bought({ once: ONCE, startsOn: START }, 'card', FEES);
    const refund = () => staff.post(`/api/admin/orders/${deal.orderId}/refund`, { amount: null });
    expect((await refund()).json).toMatchObject({ status: 'paid', refunded: FEES });
    expect(await deal.now()).toEqual(['paid', START]);
    const { version } = (await staff.get(`/api/orders/${deal.orderId}`)).json;
    const end = { when: 'now', version };
    const ended = await staff.post(`/api/admin/orders/${deal.orderId}/cancel`, end);
    expect(ended.json.status).toBe('canceled');
  });

  test('with a start day alone nothing is charged before it, and the quote is accepted', async () => {
    const deal = await bought({ startsOn: START }, 'card');
    expect(await deal.now()).toEqual(['processing', START]);
    expect(await deal.charged()).toEqual([]);
    expect((await deal.open()).state).toBe('accepted');
    await deal.happen('renewed', 'renewed');
    expect(await deal.now()).toEqual(['paid', null]);
    expect(await deal.charged()).toEqual([AMOUNT, AMOUNT]);
  });

  test('a lost link can be asked for before the start day', async () => {
    const { email } = await bought({ startsOn: START }, 'card');
    await site.app.visitor().post('/api/order-page/links', { email });
    const subjects = () => site.mailbox.to(email).map(({ subject }) => subject);
    await expect.poll(subjects).toContainEqual(expect.stringMatching(/^Your orders at/));
  });

  test('a card that the bank does not confirm is not saved', async () => {
    const { order, confirm, open, visitor } = await accepted({ startsOn: START });
    const { clientSecret, orderId } = (await order(0)).json;
    const status = async () => (await staff.get(`/api/orders/${orderId}`)).json.status;
    await confirm(clientSecret, 'asks');
    expect([await status(), (await open()).state]).toEqual(['processing', 'open']);
    await visitor.post('/api/test-payments/answer', { clientSecret, approve: false });
    expect(await status()).toBe('failed');
    expect((await confirm(clientSecret, 'succeeds')).json.status).toBe('saved');
    expect([await status(), (await open()).state]).toEqual(['processing', 'accepted']);
  });

  test.each([
    ['paid when staff press so', 'invoice_paid', 'paid'],
    ['ended when staff press that it fails again', 'renewal_failed', 'canceled'],
  ] as const)('whose first month the bank refuses is %s', async (_what, then, becomes) => {
    const deal = await bought({ startsOn: START }, 'card');
    await deal.happen('renewal_failed', then);
    expect(await deal.now()).toEqual([becomes, null]);
  });
});

describe('by invoice', () => {
  test('the fee is due on acceptance, and the month from the start day on', async () => {
    const deal = await bought({ once: ONCE, startsOn: START }, 'invoice');
    expect(await deal.now()).toEqual(['pending', START]);
    await deal.happen('invoice_paid');
    expect(await deal.now()).toEqual(['paid', START]);
    await deal.happen('renewed', 'invoice_paid');
    expect(await deal.now()).toEqual(['paid', null]);
    expect(await deal.charged()).toEqual([AMOUNT, FEES]);
  });

  test('nothing is asked for before the start day, and then the month', async () => {
    const deal = await bought({ startsOn: START }, 'invoice');
    expect(await deal.now()).toEqual(['processing', START]);
    expect(await deal.charged()).toEqual([]);
    await deal.happen('renewed');
    expect(await deal.charged()).toEqual([AMOUNT]);
    await deal.happen('invoice_paid');
    expect(await deal.now()).toEqual(['paid', null]);
  });
});

test.each([
  ['card', []],
  ['card', ONCE],
  ['invoice', []],
  ['invoice', ONCE],
] as const)(
  'who ends a plan by %s before its day, with %o, is charged nothing more',
  async (by, once) => {
    const deal = await bought({ once, startsOn: START }, by, once.length > 0 ? FEES : 0);
    if (by === 'invoice' && once.length > 0) await deal.happen('invoice_paid');
    const before = await deal.charged();
    const { order } = await deal.account();
    expect((await deal.ask('cancel', { version: order.version })).status).toBe(200);
    if ((await deal.now())[0] === 'paid') await deal.happen('renewed');
    expect(await deal.now()).toEqual(['canceled', null]);
    expect(await deal.charged()).toEqual(before);
  },
);

const pass = ({ id }: { id: number }) =>
  site.app.database.db
    .updateTable('quotes')
    .set({ startsOn: day(0) })
    .where('id', '=', id)
    .execute();

test('a quote that is accepted after its start day starts at once', async () => {
  const { made, order } = await accepted({ once: ONCE, startsOn: day(1) });
  await pass(made);
  expect((await order(FEES)).status).toBe(409);
  expect((await order(AMOUNT + FEES)).status).toBe(200);
});

test('by invoice, nobody accepts a start day that has passed since the quote was opened', async () => {
  const { id, token } = await quoteByStaff(staff, { ...QUOTE, dueDays: 15, startsOn: day(1) });
  const seen = await acceptanceOf(site.app, token);
  await pass({ id });
  const accept = (body: object) => site.app.visitor().post('/api/quote/accept', body);
  const { status, json } = await accept(seen);
  expect([status, json.message]).toEqual([409, expect.stringContaining('Please read them again')]);
  expect((await accept(await acceptanceOf(site.app, token))).status).toBe(200);
});

test('who ends a plan before its start day reads that it will not start', async () => {
  const deal = await bought({ once: ONCE, startsOn: START }, 'card', FEES);
  expect((await deal.ask('cancel')).status).toBe(200);
  const { order } = await deal.account();
  expect([startsInWords(order), order.status]).toEqual(['Will not start', 'paid']);
  const ofEnd = () =>
    site.mailbox.to(deal.email).find(({ subject }) => subject?.includes('cancellation'));
  await expect.poll(() => ofEnd()?.text).toContain('will not start, and nothing more is charged');
  expect(ofEnd()?.text).not.toContain('keep the service');
});
