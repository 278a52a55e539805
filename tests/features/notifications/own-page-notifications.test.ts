/** What a customer's own page notifies of, each once; and a request for lost links never reveals who has ordered. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { insertEvent } from '../../../src/orders/order-event-store.server.ts';
import { getOrder } from '../../../src/orders/order-store.server.ts';
import { cents } from '../../../src/platform/money.ts';
import { setPassword } from '../../../src/staff/account-store.server.ts';
import { SAMPLE_MESSAGE } from '../../support/call-row.ts';
import { eventually } from '../../support/eventually.ts';
import { executedStatements } from '../../support/executed-statements.ts';
import { DESK } from '../../support/mailbox.ts';
import { notifiedSite } from '../../support/notified-site.ts';
import { customer, NO_BACKUP, shownPrice } from '../../support/own-page.ts';
import { QUOTE } from '../../support/quote-site.ts';
import { savedOrder, TEST_CAUSE } from '../../support/saved-order.ts';
import { OWN_PASSWORD, ownTestApp } from '../../support/test-app.ts';
import { signedIn } from '../../support/visitor.ts';

const JANE = 'jane@dealer.example';

const site = notifiedSite();
const { allAccepted, deliveries, subjects } = site;

const textOf = (subject: string) =>
  site.mailbox
    .to(JANE)
    .find((mail) => mail.subject === subject)
    ?.text?.replace(/\s+/g, ' ') ?? '';

/** Makes all subscriptions and invoices a month older and restarts the site, which then finds what is due. */
async function monthPasses() {
  const { db } = site.app.database;
  const month = 32 * 86_400_000;
  await db
    .updateTable('testSubscriptions')
    .set(({ eb }) => ({
      startedAt: eb('startedAt', '-', month),
      periodStart: eb('periodStart', '-', month),
      periodEnd: eb('periodEnd', '-', month),
    }))
    .execute();
  await db
    .updateTable('orderInvoices')
    .set(({ eb }) => ({ createdAt: eb('createdAt', '-', month) }))
    .execute();
  site.app = await site.app.restart();
}

test('a customer is notified of a change, a new card, a cancellation that is undone, and a renewal', async () => {
  const { orderId, ask, replaceCard } = await customer(site.app);
  const number = `O-${orderId}`;
  await allAccepted();
  const wanted = { users: 12, backup: true, from: NO_BACKUP };
  const shown = (await ask('preview', wanted)).json;
  for (const _twice of [1, 2])
    expect((await ask('change', { ...wanted, ...shownPrice(shown) })).status).toBe(200);
  await allAccepted();
  await replaceCard({ token: 'succeeds', last4: '4444' });
  await allAccepted();
  for (const what of ['cancel', 'cancel', 'keep', 'keep']) {
    await ask(what);
    await allAccepted();
  }
  await monthPasses();
  const receipt = `Receipt for your order ${number}`;
  await eventually(() =>
    expect(subjects(JANE)).toEqual([
      receipt,
      `Your plan has changed: order ${number}`,
      `New card for your order ${number}`,
      `Your cancellation of order ${number}`,
      `Your plan continues: order ${number}`,
      receipt,
    ]),
  );
  // Only the customer gets receipts of later months.
  expect(subjects(DESK)).toEqual([
    `New order ${number} from Jane Doe`,
    `Change of order ${number} from Jane Doe`,
    `New card for order ${number} from Jane Doe`,
    `Cancellation of order ${number} from Jane Doe`,
    `Cancellation of order ${number} from Jane Doe`,
  ]);
  expect(site.mailbox.to(DESK).at(-1)?.text).toContain('The cancellation was withdrawn.');
  const changed = textOf(`Your plan has changed: order ${number}`);
  for (const words of [
    '10 users without cloud backup',
    '12 users with cloud backup',
    '$659.40',
    'Nothing was charged today. Open your order to see your next charge, which includes this change.',
    'If you didn’t make this change, please call us right away.',
  ])
    expect(changed).toContain(words);
  expect(textOf(`New card for your order ${number}`)).toContain('Mastercard ending in 4444');
  const renewal = site.mailbox.to(JANE).at(-1)?.text?.replace(/\s+/g, ' ');
  for (const words of [
    `T-${orderId}-0002`,
    `$${shown.next.total.toFixed(2)}`,
    'Mastercard ending in 4444',
    'runs for another month',
  ])
    expect(renewal).toContain(words);
});

test('a customer whose renewal fails gets a link to replace the card, and is notified when the subscription ends', async () => {
  const { orderId, link } = await customer(site.app, { token: 'fails_later' });
  await allAccepted();
  await monthPasses();
  const failed = `Your payment for order O-${orderId} didn’t go through`;
  await eventually(() => expect(subjects(JANE).slice(1)).toEqual([failed]));
  expect(textOf(failed)).toContain(link.slice(link.indexOf('#')));
  expect(textOf(failed)).toContain('Replace card');
  await monthPasses();
  const ended = `Your subscription for order O-${orderId} has ended`;
  await eventually(() => expect(subjects(JANE).slice(1)).toEqual([failed, ended]));
});

test('moving a demo’s clock sends no email, neither at once nor for what comes due while it is ahead', async () => {
  await customer(site.app);
  const { orderId } = await customer(site.app, { token: 'fails_later' });
  const staff = await site.app.staff();
  const quote = { ...QUOTE, discount: null, send: false, days: 33 };
  expect((await staff.post('/api/admin/quotes', quote)).status).toBe(200);
  await allAccepted();
  const before = await deliveries();
  const { now } = (await staff.get('/api/admin/test-clock')).json;
  const { json: moved } = await staff.post('/api/admin/test-clock/ahead', { now });
  expect(moved).toMatchObject({ renewed: 1, failed: 1, ended: 0 });
  // A second press with the time shown before the move changes nothing, nor does one from the future.
  const message = 'The time has moved already. Please look at it again.';
  for (const shown of [now, '2099-01-01T00:00:00.000Z']) {
    const again = await staff.post('/api/admin/test-clock/ahead', { now: shown });
    expect(again).toMatchObject({ status: 409, json: { message } });
  }
  await monthPasses();
  const { db } = site.app.database;
  await expect.poll(() => getOrder(db, { id: orderId })).toMatchObject({ status: 'canceled' });
  // By the demo's clock the quote ends in three days, so its first reminder counts as sent.
  await eventually(async () => {
    const [quoted] = await db.selectFrom('quotes').selectAll().execute();
    expect(quoted?.remindAt).toBe(Number(quoted?.expiresAt) - 24 * 60 * 60 * 1000);
  });
  expect(await deliveries()).toHaveLength(before.length);
});

test('a site with its own password, in the environment or set by hand, has no clock to move', async () => {
  const own = await ownTestApp(OWN_PASSWORD);
  const byHand = { username: 'admin', password: 'another long password' };
  await setPassword(site.app.database.db, byHand.username, byHand.password);
  const now = new Date().toISOString();
  for (const staff of [await own.staff(), await signedIn(site.app.address, byHand)]) {
    expect((await staff.get('/api/admin/test-clock')).status).toBe(404);
    expect((await staff.post('/api/admin/test-clock/ahead', { now })).status).toBe(404);
  }
});

describe('a lost link', () => {
  const orders = (id: number) => site.app.database.db.updateTable('orders').where('id', '=', id);
  const ask = (email: string, visitor = site.app.visitor()) =>
    visitor.post('/api/order-page/links', { email });

  test('is answered alike for every address, and sent only to the address of the orders', async () => {
    const [one, two] = [await customer(site.app), await customer(site.app)];
    const unpaid = await customer(site.app, { token: 'declined' });
    await orders(unpaid.orderId).set({ status: 'canceled' }).execute();
    await allAccepted();
    const before = site.mailbox.mails.length;
    const known = await ask(JANE.toUpperCase());
    const unknown = await ask('nobody@nowhere.example');
    expect([known.status, known.text, unknown.status, unknown.text]).toEqual([204, '', 204, '']);
    await eventually(() => expect(site.mailbox.mails.length).toBe(before + 1));
    const text = textOf('Your orders at Tidewell');
    for (const { link } of [one, two]) expect(text).toContain(link);
    expect(text).not.toContain(`#${unpaid.orderId}.`);
    await allAccepted();
    expect(site.mailbox.mails.length).toBe(before + 1);
  });

  const inbox = (address: string) =>
    site.mailbox.to(address).filter(({ subject }) => subject === 'Your orders at Tidewell');

  test('is sent once while it works, however often strangers request it, and again once it was used, revoked or has expired', async () => {
    const { orderId } = await customer(site.app);
    // Other emails that strangers cause do not count.
    for (let count = 0; count < 10; count += 1) {
      const body = { ...SAMPLE_MESSAGE, email: JANE, message: `Call me, please ${count}` };
      expect((await site.app.visitor().post('/api/contact', body)).status).toBe(200);
    }
    /** Requests the links six times at once; how many emails were sent so far? */
    const sentAfterRequests = async () => {
      const spellings = [JANE, 'Jane@dealer.example', 'jane@DEALER.example'];
      const answers = [...spellings, ...spellings].map((email) => ask(email));
      expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(6).fill(204));
      await allAccepted();
      return inbox(JANE).length;
    };
    expect(await sentAfterRequests()).toBe(1);
    expect(await sentAfterRequests()).toBe(1);

    const [, token = '', access = ''] =
      /#([\w.-]+)\/access\/([\w-]+)/.exec(inbox(JANE)[0]?.text ?? '') ?? [];
    const opened = await site.app.visitor().post('/api/order-page/open', { token, access });
    expect(opened.status).toBe(200);
    expect(await sentAfterRequests()).toBe(2);

    const staff = await site.app.staff();
    await staff.post(`/api/admin/orders/${orderId}/revoke-links`);
    expect(await sentAfterRequests()).toBe(3);

    const { db } = site.app.database;
    const pass = (ms: number) =>
      db
        .updateTable('orderLinkRequests')
        .set(({ eb }) => ({ holdUntil: eb('holdUntil', '-', ms) }))
        .execute();
    await pass(29 * 60_000);
    expect(await sentAfterRequests()).toBe(3);
    await pass(60_000);
    expect(await sentAfterRequests()).toBe(4);
  });

  test('is sent to the address in its order, to the letter, and never to a stranger who ordered with another spelling', async () => {
    const [mine, theirs] = [await customer(site.app), await customer(site.app)];
    const STRANGER = 'JANE@dealer.example';
    await orders(theirs.orderId).set({ email: STRANGER }).execute();
    expect((await ask('Jane@Dealer.example')).status).toBe(204);
    await allAccepted();
    for (const [address, own, other] of [
      [JANE, mine, theirs],
      [STRANGER, theirs, mine],
    ] as const) {
      const texts = inbox(address).map(({ text = '' }) => text);
      expect(texts).toEqual([expect.stringContaining(`#${own.orderId}.`)]);
      expect(texts[0]).not.toContain(`#${other.orderId}.`);
    }
  });

  test('reaches its owner in one of at most five emails, however many strangers ordered with further spellings', async () => {
    const { db } = site.app.database;
    await customer(site.app);
    await allAccepted();
    for (const name of ['Jane', 'jAne', 'jaNe', 'janE', 'JAne', 'JANE']) {
      const { id } = await savedOrder(db, { email: `${name}@dealer.example`, status: 'paid' });
      const monthly = { lines: [], tax: cents(0) };
      await insertEvent(db, id, { kind: 'paid', monthly, invoice: null }, TEST_CAUSE);
    }
    const before = site.mailbox.mails.length;
    await ask('JANE@dealer.example');
    await allAccepted();
    expect(site.mailbox.mails.length).toBe(before + 5);
    expect(inbox(JANE)).toHaveLength(1);
  });

  test('runs the same statements whether or not there are orders', async () => {
    await customer(site.app);
    await allAccepted();
    const executed = executedStatements(site.app);
    /** Returns the statements until the notification is saved; later ones belong to the workers. */
    const statementsFor = async (email: string) => {
      await allAccepted();
      executed.length = 0;
      await ask(email);
      const own = executed.filter((sql) => !sql.startsWith('update "outbox"'));
      return own.slice(0, own.findIndex((sql) => sql.startsWith('insert into "outbox"')) + 1);
    };
    // Wait until two requests in a row run the same statements: then the start's cleanup is over.
    await expect
      .poll(async () => {
        const one = await statementsFor(`${randomUUID()}@nowhere.example`);
        return `${one}` === `${await statementsFor(`${randomUUID()}@nowhere.example`)}`;
      })
      .toBe(true);
    const known = await statementsFor(JANE);
    expect(known.length).toBeGreaterThan(3);
    expect(await statementsFor('nobody@nowhere.example')).toEqual(known);
    // The same once the links were sent.
    expect(await statementsFor(JANE)).toEqual(known);
  });

  test('is limited per visitor, and refused for an invalid address', async () => {
    const visitor = site.app.visitor();
    // The demo multiplies limits by ten.
    for (let times = 0; times < 50; times += 1)
      expect((await ask(`n${times}@nowhere.example`, visitor)).status).toBe(204);
    expect((await ask('n50@nowhere.example', visitor)).status).toBe(429);
    expect((await ask('no address')).status).toBe(400);
  });
});
