import { describe, expect, test } from 'vitest';
import { insertEvent } from '../../../src/billing/order-event-store.server.ts';
import { orderReference, receiptReference } from '../../../src/billing/reference.ts';
import { formatDay } from '../../../src/company/days.ts';
import { cents } from '../../../src/platform/money.ts';
import { SAMPLE_MESSAGE } from '../../support/call-row.ts';
import { eventually } from '../../support/eventually.ts';
import { DESK } from '../../support/mailbox.ts';
import { notifiedSite } from '../../support/notified-site.ts';
import { ownContent } from '../../support/own-content.ts';
import { type Customer, customer, NO_BACKUP, shownPrice } from '../../support/own-page.ts';
import { savedOrder, TEST_CAUSE } from '../../support/saved-order.ts';

const JANE = 'jane@dealer.example';
const LINKS = 'Your orders at Tidewell';

const site = notifiedSite();
const { allAccepted, subjects } = site;

const textOf = (subject: string) =>
  site.mailbox
    .to(JANE)
    .find((mail) => mail.subject === subject)
    ?.text?.replace(/\s+/g, ' ') ?? '';

/** The customer reads the mail at their address, and opens the link to the order there. */
async function openMailedLink({ visitor }: Customer) {
  const before = subjects(JANE).length;
  await visitor.post('/api/order-page/links', { email: JANE });
  await eventually(() => expect(subjects(JANE)).toHaveLength(before + 1));
  const [, token = '', access = ''] =
    /#([\w.-]+)\/access\/([\w-]+)/.exec(site.mailbox.to(JANE).at(-1)?.text ?? '') ?? [];
  expect((await visitor.post('/api/order-page/open', { token, access })).status).toBe(200);
}

test('a customer is notified of a change, a new card, a cancellation that is undone, and a renewal', async () => {
  const buyer = await customer(site.app);
  const { orderId, ask, replaceCard, happen } = buyer;
  const number = orderReference(orderId);
  await allAccepted();
  await openMailedLink(buyer);
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
  await happen('renewed');
  const receipt = `Receipt for your order ${number}`;
  await eventually(() =>
    expect(subjects(JANE)).toEqual([
      receipt,
      LINKS,
      `Your plan has changed: order ${number}`,
      `New card for your order ${number}`,
      `Your cancellation of order ${number}`,
      `Your plan continues: order ${number}`,
      receipt,
    ]),
  );
  // Only the customer gets receipts of later months.
  expect(subjects(DESK)).toEqual([
    `New order ${number}, Jane Doe`,
    `Change of order ${number}, Jane Doe`,
    `New card for order ${number}, Jane Doe`,
    `Cancellation of order ${number}, Jane Doe`,
    `Cancellation taken back: order ${number}, Jane Doe`,
  ]);
  expect(site.mailbox.to(DESK).at(-1)?.text).toContain('The subscription continues');
  const changed = textOf(`Your plan has changed: order ${number}`);
  const nextDay = formatDay(ownContent().company, Date.parse(shown.next.at));
  for (const words of [
    '10 users without cloud backup',
    '12 users with cloud backup',
    '$659.40 a month',
    '$84.40 more a month than before',
    `Nothing was charged today. Your next charge on ${nextDay} includes this change.`,
    'If you didn’t make this change, please call us right away.',
  ])
    expect(changed).toContain(words);
  expect(textOf(`New card for your order ${number}`)).toContain('Mastercard ending in 4444');
  const renewal = site.mailbox.to(JANE).at(-1)?.text?.replace(/\s+/g, ' ');
  for (const words of [
    receiptReference(orderId, 2),
    `$${shown.next.total.toFixed(2)}`,
    'Mastercard ending in 4444',
    'Your Essential plan continues.',
    'Next charge: ',
  ])
    expect(renewal).toContain(words);
});

test('a customer whose plan staff have changed reads who did it', async () => {
  const { orderId, account } = await customer(site.app);
  const staff = await site.app.staff();
  await staff.post('/api/admin/account/name', { name: 'Dana Ruiz' });
  const { version } = (await account()).order;
  const wanted = { users: 12, backup: true, from: NO_BACKUP };
  const { json } = await staff.post(`/api/admin/orders/${orderId}/preview`, wanted);
  const confirmed = { ...wanted, ...shownPrice(json), version };
  expect((await staff.post(`/api/admin/orders/${orderId}/change`, confirmed)).status).toBe(200);
  await allAccepted();
  const words = 'Dana Ruiz at Tidewell made this change for you.';
  expect(textOf(`Your plan has changed: order ${orderReference(orderId)}`)).toContain(words);
});

test('the button of the mail about a failed renewal opens the card, one press mails the link that may replace it, and the end is mailed, too', async () => {
  const buyer = await customer(site.app);
  await allAccepted();
  await openMailedLink(buyer);
  await buyer.happen('renewal_failed');
  const failed = `Your payment for order ${orderReference(buyer.orderId)} didn’t go through`;
  await eventually(() => expect(subjects(JANE).slice(2)).toEqual([failed]));
  const [, token = '', place] = /Replace card: \S+#([\w.-]+)\/to\/(\w+)/.exec(textOf(failed)) ?? [];
  expect([token, place]).toEqual([buyer.token, 'card']);
  const bookkeeper = site.app.visitor();
  const press = (of: string) => bookkeeper.post('/api/order-page/link', { token: of, place });
  expect((await press('1.guessed')).status).toBe(404);
  for (const _twice of [1, 2]) expect((await press(token)).status).toBe(204);
  await allAccepted();
  const mails = site.mailbox.to(JANE).filter(({ subject }) => subject === LINKS);
  expect(mails).toHaveLength(2);
  const [, access] =
    /Order O-[\d ]+, \w+\s+Enter a new card: \S+\/to\/card\/access\/([\w-]+)/.exec(
      mails[1]?.text ?? '',
    ) ?? [];
  const opened = await bookkeeper.post('/api/order-page/open', { token, access });
  expect(opened.json.mayChange).toBe(true);
  await buyer.happen('renewal_failed');
  const ended = `Your plan has ended: order ${orderReference(buyer.orderId)}`;
  await eventually(() => expect(subjects(JANE).slice(2)).toEqual([failed, LINKS, ended]));
});

test('what staff press in test mode is mailed to no address that only a stranger has typed', async () => {
  const { orderId, happen } = await customer(site.app);
  await allAccepted();
  const before = subjects(JANE);
  await happen('renewed', 'disputed', 'renewal_failed', 'renewal_failed');
  await allAccepted();
  expect(subjects(JANE)).toEqual(before);
  expect(subjects(DESK).at(-1)).toContain(orderReference(orderId));
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
    const text = textOf(LINKS);
    for (const { link } of [one, two]) expect(text).toContain(link);
    expect(text).not.toContain(`#${unpaid.orderId}.`);
    await allAccepted();
    expect(site.mailbox.mails.length).toBe(before + 1);
  });

  const inbox = (address: string) =>
    site.mailbox.to(address).filter(({ subject }) => subject === LINKS);

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

  test('is limited per visitor, and refused for an invalid address', async () => {
    const visitor = site.app.visitor();
    // The demo multiplies limits by ten.
    for (let times = 0; times < 50; times += 1)
      expect((await ask(`n${times}@nowhere.example`, visitor)).status).toBe(204);
    expect((await ask('n50@nowhere.example', visitor)).status).toBe(429);
    expect((await ask('no address')).status).toBe(400);
  });
});
