/** A fee and a start day at Stripe, which charges them in its own time. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { expireOrders } from '../../../src/billing/abandon-order.server.ts';
import { dayAfter, noonOf } from '../../../src/company/days.ts';
import { wordsOf } from '../../../src/orders/status-words.ts';
import { formatDate, isoTime } from '../../../src/platform/time.ts';
import { booksDisagree } from '../../support/books.ts';
import { eventually } from '../../support/eventually.ts';
import { Mailbox } from '../../support/mailbox.ts';
import { ownContent } from '../../support/own-content.ts';
import { linkOf, ownPage } from '../../support/own-page.ts';
import { intervalsOf } from '../../support/running-subscription.ts';
import { acceptanceOf, quoteByStaff } from '../../support/staff-quote.ts';
import {
  ageOrders,
  PURCHASE,
  paidOrder,
  sharedShop,
  submit,
  subscriptionOf,
  toldOf,
  WITH_MAIL,
} from '../../support/stripe-shop.ts';

const GOOD = '4242424242424242';
const ASKS = '4000002760003184';
const { company } = ownContent();
const START = dayAfter(company, Date.now(), 40);
const ONCE = [
  { label: 'Onboarding', amount: 1500 },
  { label: 'Migration of the mail', amount: 250.5 },
];
const FEES = 1750.5;
const { amount: MONTH } = PURCHASE;

describe.each([
  ['as its documents say', false],
  ['where they leave it open', true],
])('%s', (_, uncertain) => {
  const shop = sharedShop({}, { uncertain });
  let people = 0;

  async function placed(deal: object, by: 'card' | 'invoice' = 'card', dueToday = 0) {
    people += 1;
    const email = `deal-${people}@dealer.example`;
    const dueDays = by === 'invoice' ? 15 : null;
    const quote = await quoteByStaff(shop.staff, { email, dueDays, ...deal });
    const visitor = shop.app.visitor();
    const { json } =
      by === 'card'
        ? await submit(visitor.move(), { email, quote: quote.token, dueToday })
        : await visitor.post('/api/quote/accept', await acceptanceOf(shop.app, quote.token));
    const id: number = json.orderId;
    const { token } = await linkOf(shop.app, id);
    const ask = (what: string, body: object = {}) =>
      visitor.post(`/api/order-page${what}`, { token, ...body });
    const follow = () => visitor.post(`/api/orders/${id}/update-status`, { status: 'processing' });
    const account = async () => (await ask('')).json;
    const subscription = () =>
      [...shop.fake.state.subscription.values()].find(
        ({ metadata }) => metadata.orderId === `${id}`,
      );
    const renew = async (pay = true) => {
      const { id: running = '' } = subscription() ?? {};
      const invoice = shop.fake.renew(running, { pay });
      await settled();
      return invoice;
    };
    const edit = async (change: Parameters<typeof shop.fake.editSubscription>[1]) => {
      shop.fake.editSubscription(subscription()?.id ?? '', change);
      await settled();
    };
    return {
      ...{ id, quote, visitor, ask, follow, account, subscription, renew, edit },
      secret: json.clientSecret as string,
      now: async () => {
        const { order } = await account();
        return [order.status, order.startsOn];
      },
      charged: async () =>
        (await account()).payments.map(({ amount }: { amount: number }) => amount),
    };
  }

  /** Accepted with a card that works. */
  async function paid(...terms: Parameters<typeof placed>) {
    const deal = await placed(...terms);
    shop.fake.confirmCard(deal.secret, GOOD);
    await deal.follow();
    return deal;
  }

  const settled = async () => {
    shop.fake.autoDeliver(shop.webhook);
    await shop.fake.settled();
    await shop.fake.deliver(shop.fake.events.slice(-6), { to: shop.webhook });
  };

  test('a fee is charged with the first month and never again', async () => {
    const deal = await paid({ once: ONCE }, 'card', MONTH + FEES);
    expect(await deal.now()).toEqual(['paid', null]);
    await deal.renew();
    const { payments, running } = await deal.account();
    expect(payments).toMatchObject([
      { amount: MONTH, once: [] },
      { amount: MONTH + FEES, once: ONCE, lines: [{ kind: 'plan' }, {}, {}] },
    ]);
    expect(running.next.total).toBe(MONTH);
    const alerts = await shop.staff.get(`/api/orders/${deal.id}`);
    expect(JSON.stringify(alerts.json.changes)).not.toContain('is for');
  });

  test('with a start day the fee is charged on acceptance, and the month on that day', async () => {
    const deal = await placed({ once: ONCE, startsOn: START }, 'card', FEES);
    expect(await deal.now()).toEqual(['pending', null]);
    shop.fake.confirmCard(deal.secret, GOOD);
    await deal.follow();
    expect(await deal.now()).toEqual(['paid', START]);
    expect(deal.subscription()?.trial_end).toBe(noonOf(company, START) / 1000);
    expect((await deal.account()).running).toMatchObject({ next: { total: MONTH } });
    await deal.renew();
    expect(await deal.now()).toEqual(['paid', null]);
    const { payments } = await deal.account();
    expect(payments).toMatchObject([
      { amount: MONTH, once: [], lines: [{ kind: 'plan' }, {}, {}] },
      { amount: FEES, once: ONCE, lines: [], periodStart: null },
    ]);
  });

  test('with a start day alone the card is saved with 3-D Secure, and charged on that day', async () => {
    const deal = await placed({ startsOn: START });
    expect(deal.secret).toMatch(/^seti_/);
    shop.fake.confirmCard(deal.secret, ASKS);
    await deal.follow();
    expect(await deal.now()).toEqual(['processing', null]);
    shop.fake.authenticate(deal.secret, true);
    await settled();
    expect(await deal.now()).toEqual(['processing', START]);
    expect(await deal.charged()).toEqual([]);
    expect((await shop.staff.get(deal.quote.path)).json.state).toBe('accepted');
    expect((await deal.account()).running.card.last4).toBe('3184');
    await deal.renew();
    expect(await deal.now()).toEqual(['paid', null]);
    expect(await deal.charged()).toEqual([MONTH]);
  });

  test('on the start day nothing is paid until the card is asked, an hour later', async () => {
    const deal = await paid({ startsOn: START });
    const draft = shop.fake.renew(deal.subscription()?.id ?? '', { draft: true });
    await settled();
    expect(await deal.now()).toEqual(['processing', null]);
    shop.fake.chargeDraft(draft?.id ?? '');
    await settled();
    expect(await deal.now()).toEqual(['paid', null]);
    expect(await deal.charged()).toEqual([MONTH]);
  });

  test('in that hour the plan is its customer’s, who buys no second one and may end it', async () => {
    const deal = await paid({ startsOn: START });
    shop.fake.renew(deal.subscription()?.id ?? '', { draft: true });
    await settled();
    const { order, running } = await deal.account();
    expect(wordsOf(order)?.next).toContain('Your first month is being charged.');
    expect(running.card.last4).toBe('4242');
    const again = await submit(deal.visitor, { email: order.email });
    expect([again.status, again.json.errors?.[0]?.path]).toEqual([409, 'another']);
    expect((await deal.ask('/card')).status).toBe(200);
    const ended = await deal.ask('/cancel', { version: order.version, until: running.periodEnd });
    expect([ended.status, ended.json.order?.status]).toEqual([200, 'canceled']);
    expect(deal.subscription()?.status).toBe('canceled');
  });

  test.each(['card', 'invoice'] as const)(
    'a plan by %s whose billing staff pause before its day says so until it goes on',
    async (by) => {
      const deal = await placed({ startsOn: START }, by);
      if (by === 'card') shop.fake.confirmCard(deal.secret, GOOD);
      await deal.follow();
      await settled();
      const pause = async (paused: boolean) => {
        await deal.edit((subscription) => {
          subscription.pause_collection = paused ? { behavior: 'void', resumes_at: null } : null;
        });
      };
      await pause(true);
      const { order, running } = await deal.account();
      expect(wordsOf(order)?.customer).toBe('Billing paused');
      expect(running).not.toBeNull();
      const { changes } = (await shop.staff.get(`/api/orders/${deal.id}`)).json;
      expect(changes.at(-1).text).toContain('Billing paused');
      await pause(false);
      expect(await deal.now()).toEqual(['processing', START]);
    },
  );

  test('who has saved a card while the site was down keeps the plan that was not accepted in time', async () => {
    const deal = await placed({ startsOn: START });
    shop.fake.confirmCard(deal.secret, ASKS);
    await deal.follow();
    await ageOrders(shop, 25 * 60);
    shop.fake.autoDeliver(null);
    shop.fake.authenticate(deal.secret, true);
    await expireOrders(intervalsOf(shop), () => false);
    expect(await deal.now()).toEqual(['processing', START]);
    expect(deal.subscription()?.status).toBe('trialing');
  });

  test('staff cannot withdraw a quote that was accepted just then', async () => {
    const deal = await placed({ startsOn: START });
    shop.fake.autoDeliver(null);
    shop.fake.confirmCard(deal.secret, GOOD);
    const withdrawn = await shop.staff.post(`${deal.quote.path}/withdraw`, {});
    expect([withdrawn.status, withdrawn.json.message]).toEqual([
      409,
      'This quote has just been accepted',
    ]);
    expect(await deal.now()).toEqual(['processing', START]);
    expect((await shop.staff.get(deal.quote.path)).json.state).toBe('accepted');
    expect(deal.subscription()?.status).toBe('trialing');
  });

  test('a start day that staff move at Stripe is the one that everybody reads', async () => {
    const deal = await paid({ once: ONCE, startsOn: START }, 'card', FEES);
    const later = dayAfter(company, Date.now(), 55);
    const end = noonOf(company, later) / 1000;
    await deal.edit((subscription) => {
      subscription.trial_end = end;
      subscription.billing_cycle_anchor = end;
      for (const item of subscription.items.data) item.current_period_end = end;
    });
    expect(await deal.now()).toEqual(['paid', later]);
    const { changes } = (await shop.staff.get(`/api/orders/${deal.id}`)).json;
    const moved = changes.filter(({ text }: { text: string }) =>
      text.includes('The start was moved'),
    );
    expect(moved).toHaveLength(1);
    await deal.renew();
    expect(await deal.now()).toEqual(['paid', null]);
  });

  test('the start day that staff move while billing is paused is told as another one is', async () => {
    const deal = await paid({ startsOn: START });
    await deal.edit((subscription) => {
      subscription.pause_collection = { behavior: 'void', resumes_at: null };
    });
    const later = dayAfter(company, Date.now(), 55);
    await deal.edit((subscription) => {
      subscription.trial_end = noonOf(company, later) / 1000;
    });
    const { changes } = (await shop.staff.get(`/api/orders/${deal.id}`)).json;
    const moved = `The start was moved at the payment provider from ${formatDate(START)} to ${formatDate(later)}`;
    expect(changes.map(({ text }: { text: string }) => text)).toContain(moved);
  });

  test('the start day of a plan by the year that staff move is told without a monthly sum', async () => {
    const deal = await paid({ startsOn: START });
    const later = dayAfter(company, Date.now(), 55);
    await deal.edit(({ items }) => {
      for (const item of items.data)
        item.price = { ...item.price, recurring: { interval: 'year' } };
    });
    await deal.edit((subscription) => {
      subscription.trial_end = noonOf(company, later) / 1000;
    });
    const { changes } = (await shop.staff.get(`/api/orders/${deal.id}`)).json;
    const moved = `The start was moved at the payment provider from ${formatDate(START)} to ${formatDate(later)}`;
    expect(changes.map(({ text }: { text: string }) => text)).toContain(moved);
  });

  test('a month that staff give for free after the start moves no start', async () => {
    const deal = await paid({ startsOn: START });
    await deal.renew();
    const end = noonOf(company, dayAfter(company, Date.now(), 99)) / 1000;
    await deal.edit((subscription) => {
      Object.assign(subscription, { status: 'trialing', trial_end: end });
      for (const item of subscription.items.data) item.current_period_end = end;
    });
    expect(await deal.now()).toEqual(['paid', null]);
    expect((await deal.account()).running).toMatchObject({ periodEnd: isoTime(end * 1000) });
    const { changes } = (await shop.staff.get(`/api/orders/${deal.id}`)).json;
    expect(JSON.stringify(changes)).not.toContain('moved');
  });

  test('a first month that is refused on its day is paid with another card', async () => {
    const deal = await paid({ startsOn: START });
    await deal.renew(false);
    expect(await deal.now()).toEqual(['failed', null]);
    const { clientSecret } = (await deal.ask('/card')).json;
    shop.fake.confirmCard(clientSecret, GOOD);
    const { status, json } = await deal.ask('/card/use', { clientSecret });
    expect([status, json.order.status]).toEqual([200, 'paid']);
  });

  test('a bill of staff’s own that the card refuses before the start day is no payment', async () => {
    const deal = await paid({ startsOn: START });
    shop.fake.billNow(deal.subscription()?.id ?? '', 'On-site visit', 300_00, false);
    await settled();
    expect(await deal.now()).toEqual(['processing', START]);
    await deal.renew();
    expect(await deal.now()).toEqual(['paid', null]);
  });

  test('who ends a plan that was charged for its first month just then is asked to look again', async () => {
    const deal = await paid({ startsOn: START });
    await settled();
    shop.fake.autoDeliver(null);
    shop.fake.renew(deal.subscription()?.id ?? '', { pay: true });
    const { status, json } = await deal.ask('/cancel');
    expect([status, json.now?.order.status]).toEqual([409, 'paid']);
    expect(json.message).toContain('Please look at it again');
  });

  test('who has saved no card by the start day owes nothing', async () => {
    const deal = await placed({ startsOn: START });
    await deal.renew(false);
    await deal.follow();
    expect(await deal.now()).toEqual(['pending', null]);
  });

  test('by invoice the fee is sent on acceptance, and the month on its day', async () => {
    const deal = await placed({ once: ONCE, startsOn: START }, 'invoice');
    expect(await deal.now()).toEqual(['pending', START]);
    expect(await deal.charged()).toEqual([FEES]);
    const [first] = [...shop.fake.state.invoice.values()].slice(-1);
    shop.fake.receiveMoney(first?.id ?? '', 'us_bank_account');
    await settled();
    expect(await deal.now()).toEqual(['paid', START]);
    const month = await deal.renew();
    shop.fake.finalize(month?.id ?? '');
    shop.fake.receiveMoney(month?.id ?? '', 'us_bank_account');
    await settled();
    expect(await deal.now()).toEqual(['paid', null]);
    expect(await deal.charged()).toEqual([MONTH, FEES]);
  });

  test('by invoice nothing is sent before the start day', async () => {
    const deal = await placed({ startsOn: START }, 'invoice');
    expect(await deal.now()).toEqual(['processing', START]);
    expect(await deal.charged()).toEqual([]);
    expect(
      shop.fake.events.filter(({ type }) => type === 'invoice.sent').at(-1)?.object.amount_due,
    ).not.toBe(0);
    const month = await deal.renew();
    shop.fake.finalize(month?.id ?? '');
    await settled();
    expect((await deal.account()).order.payment.state).toBe('sent');
    shop.fake.receiveMoney(month?.id ?? '', 'us_bank_account');
    await settled();
    expect(await deal.now()).toEqual(['paid', null]);
  });

  test.each([[[]], [ONCE]])(
    'who ends it before its day, with %o, is charged nothing more',
    async (once) => {
      const deal = await paid({ once, startsOn: START }, 'card', once.length > 0 ? FEES : 0);
      const before = await deal.charged();
      const { order } = await deal.account();
      expect((await deal.ask('/cancel', { version: order.version })).status).toBe(200);
      if (once.length > 0) await deal.renew();
      expect(await deal.now()).toEqual(['canceled', null]);
      expect(await deal.charged()).toEqual(before);
      expect(deal.subscription()?.status).toBe('canceled');
    },
  );
});

test('a start day that passes while the site is off changes nothing, and its tax is Stripe’s', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const shop = taxed;
  const quote = await quoteByStaff(shop.staff, { once: ONCE, startsOn: START });
  const bought = { quote: quote.token, dueToday: FEES, postalCode: '30301' };
  const { orderId, clientSecret } = (await submit(shop.app.visitor(), bought)).json;
  shop.fake.confirmCard(clientSecret, GOOD);
  await shop.fake.deliver(shop.fake.events, { to: shop.webhook });
  const order = async () => (await (await shop.app.staff()).get(`/api/orders/${orderId}`)).json;
  const tax = Math.round(MONTH * 8) / 100;
  expect((await order()).price).toMatchObject({ tax, total: MONTH + tax, startsOn: START });
  vi.setSystemTime(noonOf(company, START) + 3 * 86_400_000);
  const [subscription = ''] = shop.fake.state.subscription.keys();
  shop.fake.renew(subscription, { pay: true });
  await shop.restart();
  await expect.poll(async () => (await order()).startsOn).toBeNull();
  expect(await order()).toMatchObject({ status: 'paid', price: { total: MONTH + tax } });
  expect(await booksDisagree(shop.app.database.db, { fake: shop.fake, ids: [orderId] })).toEqual(
    [],
  );
});
test.each([
  ['by card', null],
  ['by invoice', 15],
])(
  '%s the customer of a start day that staff move at Stripe is told both days, once',
  async (_, dueDays) => {
    const email = `moved-${dueDays}@dealer.example`;
    const { token } = await quoteByStaff(mailed.staff, { email, dueDays, startsOn: START });
    const visitor = mailed.app.visitor();
    const { json } =
      dueDays === null
        ? await submit(visitor, { email, quote: token, dueToday: 0 })
        : await visitor.post('/api/quote/accept', await acceptanceOf(mailed.app, token));
    if (dueDays === null) mailed.fake.confirmCard(json.clientSecret, GOOD);
    await mailed.fake.settled();
    const [running] = [...mailed.fake.state.subscription.values()].slice(-1);
    const later = dayAfter(company, Date.now(), 55);
    const move = () =>
      mailed.fake.editSubscription(running?.id ?? '', (subscription) => {
        subscription.trial_end = noonOf(company, later) / 1000;
      });
    move();
    move();
    await mailed.fake.settled();
    const ofMove = () =>
      mailbox.to(email).filter(({ subject }) => subject?.includes('now starts on'));
    await eventually(() => expect(ofMove()).toHaveLength(1));
    const words = ofMove()[0]?.text?.replace(/\s+/g, ' ');
    expect(words).toContain(`plan starts on ${formatDate(later)} instead of ${formatDate(START)}.`);
    const told = await toldOf(mailed, json, 'order-start-moved');
    expect(told.toSorted()).toEqual(['mail-customer', 'mail-staff']);
  },
);
test('a customer who changes a plan in a month for free reads no day of a charge that does not come', async () => {
  const email = 'free@dealer.example';
  const placed = await paidOrder(mailed, { email });
  const { change } = await ownPage(mailed.app, placed.orderId, placed.visitor);
  mailed.fake.editSubscription(await subscriptionOf(mailed, placed), (subscription) => {
    subscription.status = 'trialing';
    for (const item of subscription.items.data) item.current_period_end += 30 * 86_400;
  });
  await mailed.fake.settled();
  await change({ users: 25, backup: true, from: { users: 20, backup: true } });
  const ofChange = () => mailbox.to(email).filter(({ subject }) => subject?.includes('changed'));
  await eventually(() => expect(ofChange()).toHaveLength(1));
  expect(ofChange()[0]?.text?.replace(/\s+/g, ' ')).toContain('Open your order to see your next');
});
const mailbox = await Mailbox.start();
afterAll(() => mailbox.stop());
const mailed = sharedShop(mailbox.variables);
beforeAll(() => mailed.fake.autoDeliver(mailed.webhook));

const taxed = sharedShop(
  { ...WITH_MAIL, STRIPE_TAX: 'on' },
  { taxPercent: 8, now: () => Date.now() },
);
