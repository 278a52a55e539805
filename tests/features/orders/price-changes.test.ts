/** Staff change prices with notice; what was announced is what is charged. */

import { sql } from 'kysely';
import { afterEach, describe, expect, test as onBoth, vi } from 'vitest';
import { orderReference } from '../../../src/billing/reference.ts';
import { dayAfter, endOfDay, localDate, noonOf, startOfDay } from '../../../src/company/days.ts';
import { cents, totalOf } from '../../../src/platform/money.ts';
import { monthsLater } from '../../../src/platform/time.ts';
import { logged } from '../../support/logged.ts';
import { DESK } from '../../support/mailbox.ts';
import { ownContent } from '../../support/own-content.ts';
import { type Customer, customer, happen, NO_BACKUP } from '../../support/own-page.ts';
import { RISE, sharedPriceSite, TO_COME } from '../../support/price-site.ts';
import { orderByQuote, QUOTE } from '../../support/quote-site.ts';
import { line, notesOf } from '../../support/saved-order.ts';
import { signedData } from '../../support/signed-event.ts';
import { quoteByStaff, quotedByInvoice } from '../../support/staff-quote.ts';
import { PURCHASE } from '../../support/stripe-shop.ts';
import { saveDeliveries } from '../../support/test-outbox.ts';
import { onOneDatabase as test } from '../../support/variant.ts';

const DAY_MS = 86_400_000;
const site = sharedPriceSite();
const mailsOf = async (orderId: number) => {
  const { email } = await site.app.database.db
    .selectFrom('orders')
    .select('email')
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow();
  return { email, subjects: () => site.mailbox.to(email).map(({ subject }) => subject) };
};
const day = (at: string) =>
  new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York', dateStyle: 'long' }).format(
    Date.parse(at),
  );
const paid = async (orderId: number) =>
  (
    await site.app.database.db
      .selectFrom('invoices')
      .selectAll()
      .where('orderId', '=', orderId)
      .orderBy('createdAt')
      .execute()
  ).map(({ amountCents, periodStart }) => [Number(periodStart), amountCents]);

afterEach(() => void vi.useRealTimers());

test('a price to come is on no page and in no list for the public before its day, and on all from midnight on', async () => {
  const paths = ['/', '/checkout', '/checkout/1', '/api/plans', '/api/services'];
  paths.push('/sitemap.xml', '/api/openapi.json', '/api/payment-config', '/news/rss.xml');
  const visitor = site.app.visitor();
  const read = async () => {
    const texts = await Promise.all(paths.map(async (path) => (await visitor.get(path)).text));
    return texts.join('\n');
  };
  const today = await read();
  for (const price of [...Object.values(TO_COME), RISE]) expect(today).not.toContain(`${price}`);
  const midnight = Date.parse(`${RISE}T05:00:00Z`);
  vi.useFakeTimers({ toFake: ['Date'], now: midnight - 2 * 3_600_000 });
  expect(await read()).not.toContain('477.77');
  vi.setSystemTime(midnight + 1_000);
  const { json } = await visitor.get('/api/plans');
  expect(json[0].price).toBe(TO_COME.plan);
  for (const path of ['/', '/checkout']) expect((await visitor.get(path)).text).toContain('477.77');
  expect((await visitor.get('/checkout')).text).not.toContain(RISE);
});

test('a new price begins with a month that is charged, counted from the day the plan starts', async () => {
  const { company } = ownContent();
  const startsOn = dayAfter(company, Date.now(), 20);
  const once = [{ label: 'Onboarding', amount: 1500 }];
  const { token } = await quoteByStaff(site.staff, { once, startsOn });
  const visitor = site.app.visitor();
  const bought = { ...PURCHASE, quote: token, dueToday: 1500 };
  const { orderId, clientSecret } = (await visitor.post('/api/create-payment-intent', bought)).json;
  await visitor.post('/api/test-payments/confirm', { clientSecret, token: 'succeeds' });
  const { firstChargeAt } = await site.row(orderId);
  const first = noonOf(company, startsOn);
  const later = [1, 2].map((months) => monthsLater(new Date(first), months).toISOString());
  expect(later).toContain(firstChargeAt);
});

onBoth(
  'the customer is told both prices and the day, and is charged exactly that from that day on',
  async () => {
    const { orderId, account, happen } = await customer(site.app);
    const row = await site.row(orderId);
    // $450 and ten users at $12.50, then $477.77 and ten at $14.44.
    expect(row).toMatchObject({ before: 575, after: 622.17, price: null });
    const preview = await site.preview(orderId);
    expect(await site.give([orderId])).toEqual({ done: 1, skipped: [] });
    expect((await site.give([orderId])).skipped).toEqual([
      `${orderReference(orderId)} has been given notice already`,
    ]);
    const { entries } = (await site.staff.get('/api/admin/audit')).json;
    const given = entries.filter(
      ({ detail }: { detail: string }) => detail === orderReference(orderId),
    );
    expect(given.map(({ kind }: { kind: string }) => kind)).toEqual(['notice-price']);

    const mails = await mailsOf(orderId);
    await expect.poll(() => mails.subjects().length).toBe(2);
    const announced = site.mailbox.to(mails.email).at(-1);
    const { price } = await site.row(orderId);
    const firstDay = day(price.effectiveAt);
    expect(announced?.subject).toBe(
      `Your price changes on ${firstDay}: order ${orderReference(orderId)}`,
    );
    expect(preview.subject).toBe(announced?.subject);
    // Without its tags, and with blanks that may break.
    const shown = announced?.html?.replace(/<[^>]+>/g, '').replaceAll('\u00a0', ' ');
    for (const text of [
      '$477.77',
      '$12.50 → $14.44',
      '$622.17 a month',
      '$47.17 more a month',
      firstDay,
    ])
      for (const read of [announced?.text, shown, preview.text]) expect(read).toContain(text);
    await expect.poll(async () => (await site.row(orderId)).price.mail).toBe('accepted');
    expect(price).toMatchObject({ state: 'announced', by: 'admin', before: 575, after: 622.17 });
    const { priceChange } = await account();
    expect(priceChange).toMatchObject({
      at: price.effectiveAt,
      before: [{ unitPrice: 450 }, { unitPrice: 12.5, quantity: 10 }],
      after: [{ unitPrice: 477.77 }, { unitPrice: 14.44, amount: 144.4 }],
    });

    const effectiveAt = Date.parse(price.effectiveAt);
    expect(effectiveAt).toBeGreaterThan(Date.parse(`${RISE}T04:00:00Z`));
    await until(effectiveAt, { orderId, happen });
    await happen('renewed');
    const invoices = await paid(orderId);
    for (const [start, amount] of invoices)
      expect([start, amount]).toEqual([start, Number(start) < effectiveAt ? 57_500 : 62_217]);
    expect(invoices.some(([start]) => start === effectiveAt)).toBe(true);
    expect((await site.row(orderId)).price.state).toBe('charged');
    expect((await account()).priceChange).toBeNull();
    expect(mails.subjects().filter((subject) => subject?.includes('price'))).toHaveLength(1);
    expect(await notesOf(site.app.database.db, orderId)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^Notice of new price: \$575.00 → \$622.17 a month, from .*, by admin$/,
        ),
        'First charge at the new price: $622.17',
      ]),
    );
    // Staff get no alert of another price at the provider.
    const kinds = site.app.database.db.selectFrom('orderEvents').select('kind');
    const happened = await kinds.where('orderId', '=', orderId).execute();
    expect(happened).not.toContainEqual({ kind: 'lines-changed' });
  },
);

test.each([
  ['that is paid', 'renewed', 'renewed', 'paid'],
  ['that fails', 'renewal_failed', 'renewal-failed', 'past_due'],
] as const)(
  'a program reads the new price from the first renewal %s',
  async (_what, next, kind, status) => {
    const buyer = await announced();
    await until(buyer.effectiveAt - 31 * DAY_MS, buyer);
    const { db } = site.app.database;
    expect(await signedData(db, buyer.orderId, 'renewed')).toMatchObject({ monthlyAmount: 575 });
    while ((await site.row(buyer.orderId)).price.state !== 'charged') await buyer.happen(next);
    const now = { status, monthlyAmount: 622.17 };
    expect(await signedData(db, buyer.orderId, kind)).toMatchObject(now);
  },
);

describe('the discount of a quote', () => {
  /** A plan of $450 with ten seats, bought by a quote of another person of the company. */
  async function bought(off: number) {
    const email = `jane-${off}@fox.example`;
    const discount = { kind: 'dollars', value: off, reason: 'Three years with us' };
    const choice = { ...QUOTE, includeCloudBackup: false };
    const { token } = await quoteByStaff(site.staff, { ...choice, email, discount });
    const body = { includeCloudBackup: false, email: `boss-${off}@fox.example`, amount: 575 - off };
    const buyer = site.app.visitor();
    const placed = await buyer.post('/api/create-payment-intent', orderByQuote(token, body));
    expect([placed.status, placed.json.message]).toEqual([200, undefined]);
    const { orderId, clientSecret } = placed.json;
    await buyer.post('/api/test-payments/confirm', { clientSecret, token: 'succeeds' });
    return { orderId, email };
  }

  test('that is more than the plan costs now leaves its price as low as it was', async () => {
    const { orderId } = await bought(449);
    // The plan was sold at a higher price.
    const sold = { discountCents: cents(60_000) };
    await site.app.database.db.updateTable('orders').set(sold).where('id', '=', orderId).execute();
    // Only the seats get dearer.
    expect(await site.row(orderId)).toMatchObject({ before: 126, after: 145.4 });
  });

  test('stays when prices change, also once the person who got the quote is erased', async () => {
    const { orderId, email } = await bought(50);
    expect(await site.row(orderId)).toMatchObject({ before: 525, after: 572.17 });
    const erased = await site.staff.move().post('/api/admin/people/erase', { email });
    expect([erased.status, erased.json.erased.length]).toEqual([200, 1]);
    expect(await site.row(orderId)).toMatchObject({ before: 525, after: 572.17 });
  });
});

async function announced(buyer?: Customer, mail = 'accepted') {
  const someone = buyer ?? (await customer(site.app));
  expect((await site.give([someone.orderId])).done).toBe(1);
  await expect.poll(async () => (await site.row(someone.orderId)).price.mail).toBe(mail);
  const { effectiveAt } = (await site.row(someone.orderId)).price;
  return { ...someone, effectiveAt: Date.parse(effectiveAt) };
}

/** The plan renews until the month that begins then. */
async function until(at: number, { orderId, happen }: Pick<Customer, 'orderId' | 'happen'>) {
  while (((await paid(orderId)).at(-1)?.[0] ?? at) < at) await happen('renewed');
}

test('a customer who changes users and backup in between keeps the notice, at the new price per user', async () => {
  const buyer = await announced();
  const seen = await buyer.change({ users: 30, backup: true, from: NO_BACKUP });
  expect(seen.now.order.amount).toBe(450 + 30 * (12.5 + 4.95));
  expect(seen.now.priceChange.after).toMatchObject([
    { amount: 477.77 },
    { amount: 433.2 },
    { amount: 148.5 },
  ]);
  await until(buyer.effectiveAt, buyer);
  const [start, amount] = (await paid(buyer.orderId)).at(-1) ?? [];
  // Backup was bought after the notice, which did not name it.
  expect([start, amount]).toEqual([buyer.effectiveAt, 47_777 + 30 * (1_444 + 495)]);
});

test('a customer who ends the plan before the day never pays the new price, and gets no notice after it', async () => {
  const buyer = await announced();
  await until(buyer.effectiveAt - 45 * DAY_MS, buyer);
  await buyer.ask('cancel');
  expect((await buyer.happen('renewed')).status).toBe('canceled');
  for (const [, amount] of await paid(buyer.orderId)) expect(amount).toBe(57_500);
  expect(await site.row(buyer.orderId)).toBeUndefined();
  const late = await customer(site.app);
  await late.ask('cancel');
  const { before } = await site.row(late.orderId);
  expect(await site.row(late.orderId)).toMatchObject({ after: before, firstChargeAt: null });
  const { skipped } = await site.give([late.orderId]);
  expect(skipped).toEqual([`${orderReference(late.orderId)} ends before the first charge`]);
});

test('the emails of a notice and of its end name all that is charged then, also what staff added', async () => {
  const buyer = await customer(site.app);
  const { db } = site.app.database;
  const mails = await mailsOf(buyer.orderId);
  const number = orderReference(buyer.orderId);
  const textOf = (subject: string) =>
    site.mailbox
      .to(mails.email)
      .find((mail) => mail.subject?.startsWith(subject) && mail.text?.includes(number))
      ?.text?.replace(/\s+/g, ' ');
  const phone = line('other', 15_00);
  const setLines = (users: number) => {
    const lines = [line('plan', 450_00), line('microsoft365', 12_50, users), phone];
    const columns = { priceLines: JSON.stringify(lines), amountCents: totalOf(lines) };
    const running = db.updateTable('subscriptions').set(columns);
    return running.where('orderId', '=', buyer.orderId).execute();
  };
  await setLines(20);
  await announced(buyer);
  const totals = `$${(477.77 + 20 * 14.44 + 15).toFixed(2)} Monthly total (was $715.00)`;
  await expect.poll(() => textOf('Your price changes')).toContain(totals);
  await setLines(31);
  expect(await site.takeBack([buyer.orderId])).toEqual({ done: 1, skipped: [] });
  await expect.poll(() => textOf('Your price stays')).toContain('$852.50 a month, as before');
});

onBoth(
  'a notice that is taken back is charged to nobody, and only who has read of it is told',
  async () => {
    const buyer = await announced();
    const mails = await mailsOf(buyer.orderId);
    await expect.poll(mails.subjects).toContainEqual(expect.stringContaining('Your price changes'));
    await expect.poll(async () => (await site.row(buyer.orderId)).price.mail).toBe('accepted');
    expect(await site.takeBack([buyer.orderId])).toEqual({ done: 1, skipped: [] });
    await expect
      .poll(mails.subjects)
      .toContain(`Your price stays as it is: order ${orderReference(buyer.orderId)}`);
    expect((await site.takeBack([buyer.orderId])).skipped).toHaveLength(1);
    expect((await buyer.account()).priceChange).toBeNull();
    await until(buyer.effectiveAt, buyer);
    expect((await paid(buyer.orderId)).at(-1)?.[1]).toBe(57_500);

    // The next email waits behind another to the same customer, and never leaves.
    const again = await customer(site.app);
    const other = await withMailInTheWay(again);
    await announced(again, 'waiting');
    await site.takeBack([again.orderId]);
    expect(await waitingMails(again).execute()).toEqual([{ kind: other.kind }]);
  },
);

const waitingMails = ({ orderId }: { orderId: number }) =>
  site.app.database.db
    .selectFrom('outbox')
    .select('kind')
    .where('topic', '=', `order ${orderId}`)
    .where('state', '=', 'waiting');

/** No email to the customer leaves before this one. */
async function withMailInTheWay(buyer: { orderId: number }) {
  await expect.poll(() => waitingMails(buyer).execute()).toEqual([]);
  const other = { kind: 'order-card-replaced', subjectId: buyer.orderId };
  const delivery = { ...other, topic: `order ${buyer.orderId}`, channel: 'mail-customer' as const };
  const nextTryAt = Date.now() + 1_800_000;
  await saveDeliveries(site.app.database.db, [{ ...delivery, nextTryAt }]);
  return other;
}

test('a price that goes down needs no thirty days, and the customer reads it as good news', async () => {
  const buyer = await customer(site.app);
  const { db } = site.app.database;
  const dear = JSON.stringify([line('plan', 50_000), line('microsoft365', 1_300, 10)]);
  await db
    .updateTable('subscriptions')
    .set({ priceLines: dear, amountCents: cents(63_000) })
    .where('orderId', '=', buyer.orderId)
    .execute();
  const { today } = (await site.staff.move().get('/api/admin/prices')).json;
  await site.give([buyer.orderId], today);
  const { price } = await site.row(buyer.orderId, today);
  expect(price).toMatchObject({ before: 630, after: 575 });
  expect(price.effectiveAt).toBe((await buyer.account()).running.periodEnd);
  const mails = await mailsOf(buyer.orderId);
  await expect
    .poll(mails.subjects)
    .toContainEqual(expect.stringMatching(/^Good news: your price goes down/));
  await expect.poll(async () => (await site.row(buyer.orderId, today)).price.mail).toBe('accepted');
  await until(Date.parse(price.effectiveAt), buyer);
  expect((await paid(buyer.orderId)).at(-1)?.[1]).toBe(57_500);
});

/** A notice whose email failed. */
async function undelivered() {
  const buyer = await customer(site.app);
  site.mailbox.behaviour = ({ subject = '' }) =>
    /price changes|price goes down|terms change/.test(subject) ? 550 : 'accept';
  return buyer;
}

const toldOf = (orderId: number) => () =>
  site.mailbox
    .to(DESK)
    .filter(({ text = '', subject }) =>
      `${subject} ${text}`.includes(orderReference(orderId))
        ? text.includes('could not be delivered')
        : false,
    );

onBoth.each([
  ['a new price', 'price', () => undefined],
  ['a lower price', 'price', paysMore],
  ['new terms', 'terms', () => undefined],
] as const)(
  'a notice of %s that the mail server refused is withdrawn by itself, and staff are told once and can give it again',
  async (_what, kind, prepare) => {
    const buyer = await undelivered();
    const { orderId } = buyer;
    await prepare(orderId);
    const give = () => (kind === 'price' ? site.give([orderId]) : site.giveTerms([orderId]));
    expect((await give()).done).toBe(1);
    const notice = async () => (await site.row(orderId))[kind];
    await expect
      .poll(notice)
      .toMatchObject({ state: 'withdrawn', reason: 'undelivered', mail: 'failed' });
    await expect.poll(toldOf(orderId)).toHaveLength(1);
    expect((await buyer.account()).priceChange).toBeNull();

    site.mailbox.behaviour = () => 'accept';
    // The failed one, sent again by staff, says nothing any more.
    const { db } = site.app.database;
    const failed = db.selectFrom('outbox').select('id').where('state', '=', 'failed');
    const delivery = await failed.where('subjectId', '=', orderId).executeTakeFirstOrThrow();
    await site.staff.move().post(`/api/admin/outbox/${delivery.id}/resend`);
    expect((await give()).done).toBe(1);
    await expect.poll(notice).toMatchObject({ state: 'announced', mail: 'accepted' });
    const mails = await mailsOf(orderId);
    const notices = mails
      .subjects()
      .filter((subject) => subject?.endsWith(`order ${orderReference(orderId)}`));
    expect(notices.filter((subject) => !subject?.startsWith('Receipt'))).toHaveLength(1);
    expect(toldOf(orderId)()).toHaveLength(1);
  },
);

async function paysMore(orderId: number) {
  const dear = JSON.stringify([line('plan', 50_000), line('microsoft365', 1_800, 10)]);
  const columns = { priceLines: dear, amountCents: cents(68_000) };
  const running = site.app.database.db.updateTable('subscriptions').set(columns);
  await running.where('orderId', '=', orderId).execute();
}

onBoth(
  'a notice that staff delivered by hand is mailed to nobody, and counts from then on',
  async () => {
    const buyer = await customer(site.app);
    const { orderId } = buyer;
    expect(await site.give([orderId], RISE, true)).toEqual({ done: 1, skipped: [] });
    const { price } = await site.row(orderId);
    expect(price).toMatchObject({ state: 'announced', mail: null });
    expect((await buyer.account()).priceChange.at).toBe(price.effectiveAt);
    expect(await notesOf(site.app.database.db, orderId)).toContainEqual(
      expect.stringMatching(/^Notice of new price: .*, delivered by hand by admin$/),
    );
    await until(Date.parse(price.effectiveAt), buyer);
    expect((await paid(orderId)).at(-1)?.[1]).toBe(62_217);
    const { subjects } = await mailsOf(orderId);
    const notice = expect.stringMatching(
      new RegExp(`^Your price changes .*${orderReference(orderId)}$`),
    );
    expect(subjects()).not.toContainEqual(notice);
  },
);

test('a notice is taken back on the day before it applies, and on that day it is too late', async () => {
  const { orderId, account } = await announced();
  const other = await announced();
  vi.useFakeTimers({ toFake: ['Date'] });
  const { company } = ownContent();
  const { db } = site.app.database;
  const set = (effectiveAt: number) =>
    db.updateTable('priceChanges').set({ effectiveAt }).where('orderId', '=', orderId).execute();
  await set(endOfDay(company, localDate(company, Date.now())));
  expect(await site.takeBack([orderId])).toEqual({
    done: 0,
    refused: 'It is being applied. Give notice of another price instead.',
  });
  expect((await account()).priceChange).not.toBeNull();
  expect(await site.takeBack([orderId, other.orderId])).toEqual({
    done: 1,
    skipped: [
      `${orderReference(orderId)} is about to pay the new price, which must be charged before another notice`,
    ],
  });
  await set(startOfDay(company, dayAfter(company, Date.now(), 1)));
  expect((await site.takeBack([orderId])).done).toBe(1);
  expect((await account()).priceChange).toBeNull();
});

/** The mail server has answered the first try. */
async function refused({ orderId }: Customer, kind: string) {
  const mail = site.app.database.db.selectFrom('outbox').where('subjectId', '=', orderId);
  const answer = mail.where('kind', '=', kind).select('lastAnswer');
  await expect.poll(async () => (await answer.executeTakeFirst())?.lastAnswer).toContain('421');
}

describe('a notice whose email waits while the mail server is away', () => {
  /** The server has been away until a few days before the announced day. */
  async function waiting() {
    const buyer = await customer(site.app);
    site.mailbox.behaviour = ({ subject }) => (subject?.startsWith('Your price') ? 421 : 'accept');
    await announced(buyer, 'waiting');
    await buyer.happen('renewed');
    const { db } = site.app.database;
    const soon = (await buyer.account()).running.periodEnd;
    await db
      .updateTable('priceChanges')
      .set({ at: Date.now() - 40 * DAY_MS, effectiveAt: Date.parse(soon) })
      .where('orderId', '=', buyer.orderId)
      .execute();
    return buyer;
  }

  test('raises no price, and the customer is not shown it', async () => {
    const buyer = await waiting();
    expect(await buyer.account()).toMatchObject({
      priceChange: null,
      running: { next: { total: 575 } },
    });
    await buyer.happen('renewed');
    expect((await paid(buyer.orderId)).at(-1)?.[1]).toBe(57_500);
    expect((await site.row(buyer.orderId)).price.state).toBe('announced');
  });

  onBoth(
    'names the first bill that is thirty days ahead when it leaves, and that one is charged',
    async () => {
      const buyer = await waiting();
      site.mailbox.behaviour = () => 'accept';
      const { db } = site.app.database;
      await db
        .updateTable('priceChanges')
        .set({ effectiveAt: Date.now() + DAY_MS })
        .where('orderId', '=', buyer.orderId)
        .execute();
      await db
        .updateTable('outbox')
        .set({ nextTryAt: 0 })
        .where('subjectId', '=', buyer.orderId)
        .execute();
      await expect.poll(async () => (await site.row(buyer.orderId)).price.mail).toBe('accepted');
      const { effectiveAt } = (await site.row(buyer.orderId)).price;
      expect(Date.parse(effectiveAt)).toBeGreaterThan(Date.now() + 30 * DAY_MS - 7_200_000);
      const mails = await mailsOf(buyer.orderId);
      expect(mails.subjects()).toContain(
        `Your price changes on ${day(effectiveAt)}: order ${orderReference(buyer.orderId)}`,
      );
    },
  );

  test('names what the customer has when it leaves, and that is charged', async () => {
    const buyer = await customer(site.app);
    site.mailbox.behaviour = ({ subject }) => (subject?.startsWith('Your price') ? 421 : 'accept');
    const { effectiveAt } = await announced(buyer, 'waiting');
    await refused(buyer, 'price-announced');
    await buyer.change({ users: 30, backup: false, from: NO_BACKUP });
    site.mailbox.behaviour = () => 'accept';
    const mail = site.app.database.db.updateTable('outbox').set({ nextTryAt: 0 });
    await mail.where('subjectId', '=', buyer.orderId).execute();
    await expect.poll(async () => (await site.row(buyer.orderId)).price.mail).toBe('accepted');
    const { email } = await mailsOf(buyer.orderId);
    const own = ({ subject = '' }) =>
      subject.startsWith('Your price') && subject.endsWith(orderReference(buyer.orderId));
    const read = site.mailbox.to(email).find(own);
    const after = 477.77 + 30 * 14.44;
    expect(read?.text?.replace(/\s+/g, ' ')).toContain(
      `Your price from ${day(new Date(effectiveAt).toISOString())}: $${after} a month`,
    );
    expect((await site.row(buyer.orderId)).price).toMatchObject({ before: 825, after });
    await until(effectiveAt, buyer);
    expect((await paid(buyer.orderId)).at(-1)?.[1]).toBe(Math.round(after * 100));
  });
});

onBoth('a notice of new terms reaches each customer once and changes no price', async () => {
  const buyer = await customer(site.app);
  expect(await site.giveTerms([buyer.orderId])).toEqual({ done: 1, skipped: [] });
  expect((await site.giveTerms([buyer.orderId])).skipped).toHaveLength(1);
  const mails = await mailsOf(buyer.orderId);
  await expect.poll(mails.subjects).toContainEqual(expect.stringMatching(/^Our terms change on/));
  expect(await site.row(buyer.orderId)).toMatchObject({ price: null, terms: { by: 'admin' } });
  expect((await buyer.account()).priceChange).toBeNull();
});

test('a customer whose plan starts on a day to come is given notice of new terms as well', async () => {
  const startsOn = dayAfter(ownContent().company, Date.now(), 60);
  const { token } = await quoteByStaff(site.staff, { startsOn });
  const visitor = site.app.visitor();
  const bought = { ...PURCHASE, quote: token, dueToday: 0 };
  const { orderId, clientSecret } = (await visitor.post('/api/create-payment-intent', bought)).json;
  await visitor.post('/api/test-payments/confirm', { clientSecret, token: 'succeeds' });
  expect(await site.giveTerms([orderId])).toMatchObject({ done: 1 });
  await expect.poll(async () => (await site.row(orderId)).terms.mail).toBe('accepted');
});

test('a notice of new terms that leaves ten days late names a day thirty days ahead, and so does the list', async () => {
  const buyer = await customer(site.app);
  site.mailbox.behaviour = ({ subject }) => (subject?.startsWith('Our terms') ? 421 : 'accept');
  await site.giveTerms([buyer.orderId]);
  const { db } = site.app.database;
  await refused(buyer, 'terms-announced');
  const given = db.updateTable('priceChanges').where('orderId', '=', buyer.orderId);
  await given.set({ effectiveAt: Date.now() + 20 * DAY_MS }).execute();
  site.mailbox.behaviour = () => 'accept';
  const waiting = db.updateTable('outbox').where('subjectId', '=', buyer.orderId);
  await waiting.set({ nextTryAt: 0 }).execute();
  await expect.poll(async () => (await site.row(buyer.orderId)).terms.mail).toBe('accepted');
  const { effectiveAt } = (await site.row(buyer.orderId)).terms;
  expect(Date.parse(effectiveAt)).toBeGreaterThan(Date.now() + 30 * DAY_MS);
  const notes = await notesOf(db, buyer.orderId);
  expect(notes).toContain(`The email of the notice left late and says: from ${effectiveAt}`);
  const { subjects } = await mailsOf(buyer.orderId);
  const named = `Our terms change on ${day(effectiveAt)}: order ${orderReference(buyer.orderId)}`;
  expect(subjects()).toContain(named);
});

test('a new price applies from the day that its email names, though the mail server takes minutes', async () => {
  const buyer = await customer(site.app);
  site.mailbox.behaviour = ({ subject }) => (subject?.startsWith('Your price') ? 421 : 'accept');
  await site.give([buyer.orderId]);
  const { db } = site.app.database;
  await refused(buyer, 'price-announced');
  // In a minute, the day is too near.
  const effectiveAt = Date.now() + 30 * DAY_MS + 60_000;
  const given = db.updateTable('priceChanges').where('orderId', '=', buyer.orderId);
  await given.set({ effectiveAt }).execute();
  site.mailbox.behaviour = ({ subject }) => {
    if (!subject?.startsWith('Your price')) return 'accept';
    site.mailbox.behaviour = () => 'accept';
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5 * 60_000 });
    return 'accept';
  };
  const waiting = db.updateTable('outbox').where('subjectId', '=', buyer.orderId);
  await waiting.set({ nextTryAt: 0 }).execute();
  await expect.poll(async () => (await site.row(buyer.orderId)).price.mail).toBe('accepted');
  const { price } = await site.row(buyer.orderId);
  const { subjects } = await mailsOf(buyer.orderId);
  const named = `Your price changes on ${day(price.effectiveAt)}: order ${orderReference(buyer.orderId)}`;
  expect(subjects()).toContain(named);
});

test('a price that staff were not shown is not announced, and a plan that is no longer sold keeps its own', async () => {
  const buyer = await customer(site.app);
  const orders = [{ id: buyer.orderId, after: 600 }];
  const { json } = await site.staff
    .move()
    .post('/api/admin/prices/notice', { kind: 'price', day: RISE, orders });
  expect(json.skipped).toEqual([
    `${orderReference(buyer.orderId)} has changed since you opened this page`,
  ]);
  await site.app.database.db
    .updateTable('orders')
    .set({ planId: 99 })
    .where('id', '=', buyer.orderId)
    .execute();
  expect(await site.row(buyer.orderId)).toMatchObject({ before: 575, after: 594.4 });
});

onBoth(
  'a plan by invoice is in the list before its first invoice is paid, and gets notice once it is',
  async () => {
    const choice = { planId: 1, email: 'unpaid@dealer.example' };
    const accept = await quotedByInvoice(site.app, site.staff, { choice });
    const { orderId } = (await accept()).json;
    const { firstChargeAt } = await site.row(orderId);
    expect(Date.parse(firstChargeAt)).toBeGreaterThan(Date.parse(`${RISE}T04:00:00Z`));
    const left = {
      done: 0,
      skipped: [`${orderReference(orderId)} has not paid yet`],
    };
    expect(await site.give([orderId])).toEqual(left);
    await happen(site.app, orderId, 'invoice_paid');
    expect(await site.give([orderId])).toEqual({ done: 1, skipped: [] });
  },
);

onBoth(
  'a press that is cut off has its line in the list of activity, with the notices that were given',
  async () => {
    const [given, failing] = [await customer(site.app), await customer(site.app)];
    await site.give([failing.orderId]);
    await site.takeBack([failing.orderId]);
    const { db } = site.app.database;
    const refusing = sql`create unique index "oneNotice" on "priceChanges" ("orderId") where "orderId" = ${sql.lit(failing.orderId)}`;
    await refusing.execute(db);
    const rows = [given.orderId, failing.orderId];
    const orders = rows.map((id) => ({ id, after: 622.17 }));
    const notice = { kind: 'price', day: RISE, orders };
    const press = () => site.staff.move().post('/api/admin/prices/notice', notice);
    await logged(async () => expect((await press()).status).toBe(500));
    await sql`drop index "oneNotice"`.execute(db);
    const { entries } = (await site.staff.get('/api/admin/audit')).json;
    expect(entries[0]).toMatchObject({
      kind: 'notice-price',
      detail: orderReference(given.orderId),
    });
  },
);
