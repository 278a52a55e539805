/** Staff erase a person. */
import { describe, expect, test } from 'vitest';
import { localDate } from '../../../src/company/days.ts';
import { findErasedAgain, noteErasure } from '../../../src/privacy/erasures-file.server.ts';
import { eraseRows, findIds, findIdsElsewhere } from '../../../src/privacy/person-stores.server.ts';
import { addEntry } from '../../../src/threads/thread-store.server.ts';
import { eventually } from '../../support/eventually.ts';
import { filesWith, tablesWith } from '../../support/every-row.ts';
import { ownContent } from '../../support/own-content.ts';
import { happen, linkOf } from '../../support/own-page.ts';
import { quoteByStaff } from '../../support/staff-quote.ts';
import { submit } from '../../support/stripe-shop.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { saveDeliveries } from '../../support/test-outbox.ts';
import { newPerson, type Person, peopleSite } from './people-site.ts';

const site = peopleSite();
const { write, chat, buy, find, countOf, download, end, erase, nothingWaits } = site;

async function acceptAddendum(id: number, { name }: Person) {
  const accepted = { addendumName: name, addendumDate: '2026-05-13', addendumHash: 'f00d' };
  const order = site.app.database.db.updateTable('orders').where('id', '=', id);
  await order.set({ ...accepted, addendumAt: Date.now() }).execute();
}

async function passOn(id: number, to: Person) {
  const facts = { ...to, company: null, billingAddress: null, billsTo: null };
  const { status } = await site.staff.post(`/api/admin/orders/${id}/details`, facts);
  expect(status).toBe(200);
}

describe('staff erase a person', () => {
  test('after their orders have ended, and keep the orders without their buyer', async () => {
    const dana = newPerson();
    const other = newPerson();
    const kept = await write(other, 'This is somebody else.');
    const message = await write(dana, 'My words in a message.');
    const sent = await chat(dana, 'My words in a chat.');
    const order = await buy(dana, { key: dana.email });
    await nothingWaits();

    for (const status of ['paid', 'past_due']) {
      await site.staff.post(`/api/orders/${order.id}/update-status`, { status });
      const refused = await erase(dana.email);
      expect([status, refused.status]).toEqual([status, 409]);
      expect(refused.json.message).toContain(order.reference);
    }
    for (const kind of ['message', 'order']) expect(await countOf(dana.email, kind)).toBe(1);

    expect((await end(order.id)).status).toBe(200);
    expect((await erase(dana.email)).json).toEqual({
      erased: [message, sent.reference],
      kept: [order.reference],
      externalCopies: {
        channels: ['teams', 'mail-staff'],
        providerCustomers: [],
      },
    });
    expect((await find(dana.email)).json.items).toEqual([]);

    expect((await find(other.email)).json.items[0].reference).toBe(kept);
    // Stopping the server writes the rest of the access log.
    await site.restart();
    for (const trace of [encodeURIComponent(dana.email), dana.phone, 'My words'])
      expect(await tablesWith(site.app.database, trace), trace).toEqual([]);

    const has = (part: object) => expect.arrayContaining([expect.objectContaining(part)]);
    expect((await site.staff.get(`/api/orders/${order.id}`)).json).toMatchObject({
      name: 'Erased on request',
      email: '',
      phone: null,
      planName: 'Essential',
      amount: 450,
      status: 'canceled',
      paymentId: expect.any(String),
      changes: has({ status: null, text: 'Buyer erased by admin' }),
      history: has({ status: 'paid' }),
    });
    expect((await site.staff.get('/api/admin/orders/download')).text).toContain(
      '"Erased on request",""',
    );
    const detail = `${message}, ${sent.reference}, ${order.reference}`;
    const erased = { kind: 'person-erased', name: 'admin', detail };
    expect((await site.staff.get('/api/admin/audit')).json.entries).toEqual(has(erased));
  });

  test('who is known only by another’s order or thread, which stay', async () => {
    const { db } = site.app.database;
    const [dana, books, tom] = [newPerson(), newPerson(), newPerson()];
    const order = await buy(dana);
    const bills = db.updateTable('orders').set({ billsTo: books.email });
    await bills.where('id', '=', order.id).execute();
    const message = await write(dana);
    const threadId = Number(message.slice(2));
    const reply = { kind: 'third-party', text: 'Since Monday.', sender: tom.email } as const;
    await addEntry(db, { threadId, ...reply });
    for (const [{ email }, item] of [
      [books, { kind: 'billing', id: order.id, reference: order.reference }],
      [tom, { kind: 'email', id: threadId, reference: message, what: 'Since Monday.' }],
    ] as const) {
      const part = email.toLowerCase().slice(0, -3);
      const { people } = (await site.staff.get(`/api/admin/customers?find=${part}`)).json;
      expect(people).toMatchObject([{ email }]);
      expect((await find(email)).json.items).toMatchObject([item]);
      expect((await download(email)).json.elsewhere).toMatchObject([
        { kind: item.kind, reference: item.reference },
      ]);
      const { json } = await erase(email);
      expect(json).toMatchObject({ erased: [], kept: [item.reference] });
      expect((await find(email)).json.items).toEqual([]);
      expect((await erase(email)).status).toBe(404);
    }
    expect((await find(dana.email)).json.items).toContainEqual(
      expect.objectContaining({ kind: 'message', reference: message }),
    );
  });

  test('who is named only on earlier papers of an order that is another’s by now', async () => {
    const [dana, tom] = [newPerson(), newPerson()];
    const { id, reference } = await buy(dana);
    await passOn(id, tom);
    const item = { kind: 'billing', reference, what: expect.stringContaining(dana.name) };
    expect((await find(dana.email)).json.items).toMatchObject([{ ...item, id }]);
    expect((await download(dana.email)).json.elsewhere).toMatchObject([item]);
    expect((await erase(dana.email)).json).toMatchObject({ erased: [], kept: [reference] });
    expect((await find(dana.email)).json.items).toEqual([]);
  });

  test('with an answer that failed to reach them in the thread of another', async () => {
    const { db } = site.app.database;
    const [dana, tom] = [newPerson(), newPerson()];
    const threadId = Number((await write(dana)).slice(2));
    const answer = { kind: 'staff', text: 'Hello.', recipient: tom.email } as const;
    const subjectId = await addEntry(db, { threadId, ...answer });
    const failed = { state: 'failed', lastAnswer: '550 5.1.1', channel: 'mail-customer' } as const;
    await saveDeliveries(db, [{ ...failed, kind: 'thread-answered', subjectId }]);
    const counts = async () => (await site.staff.get('/api/admin/inbox/counts')).json.failed;
    const before = await counts();
    expect((await erase(tom.email)).status).toBe(200);
    expect(await counts()).toBe(before - 1);
  });

  test('with thousands of messages, while pages are answered', async () => {
    const flood = Array.from({ length: 1_000 }, (_, number) => 1_000_000 + number);
    const erasing = site.app.database.db
      .transaction()
      .execute((trx) => eraseRows(trx, 'threads', flood))
      .then(() => 'erased');
    const answering = new Promise((resolve) => setImmediate(resolve, 'answered'));
    expect(await Promise.race([erasing, answering])).toBe('answered');
    await erasing;
  });

  test('with an unpaid order, which is canceled and can no longer be opened by the buyer', async () => {
    const dana = newPerson();
    const order = await buy(dana, { pay: false });
    const { token } = await linkOf(site.app, order.id);
    const visitor = Object.assign(site.app.visitor(), { cookies: order.visitor.cookies });
    const seen = async () => [
      (await visitor.get(`/api/orders/${order.id}`)).status,
      (await visitor.post('/api/order-page', { token })).status,
    ];
    expect(await seen()).toEqual([200, 200]);
    expect((await erase(dana.email)).json.kept).toEqual([order.reference]);
    expect(await seen()).toEqual([404, 404]);
    expect((await site.staff.get(`/api/orders/${order.id}`)).json.status).toBe('canceled');
  });

  test('not while a bank refuses the first month of their plan, which goes on', async () => {
    const dana = newPerson();
    const startsOn = localDate(ownContent().company, Date.now() + 9 * 86_400_000);
    const { token } = await quoteByStaff(site.staff, { ...dana, phone: undefined, startsOn });
    const visitor = site.app.visitor();
    const { json } = await submit(visitor, { ...dana, quote: token, dueToday: 0 });
    const { orderId: id, clientSecret } = json;
    await visitor.post('/api/test-payments/confirm', { clientSecret, token: 'succeeds' });
    await happen(site.app, id, 'renewal_failed');
    expect(await erase(dana.email)).toMatchObject({ status: 409 });
    expect((await site.staff.get(`/api/orders/${id}`)).json.status).toBe('failed');
  });

  test('with a paid order, whose receipt no longer asks for links to it', async () => {
    const dana = newPerson();
    const { id } = await buy(dana);
    const { token } = await linkOf(site.app, id);
    await end(id);
    await erase(dana.email);
    const body = { token, place: 'card' };
    expect((await site.app.visitor().post('/api/order-page/link', body)).status).toBe(404);
  });

  test('whose order is another’s by now, and who is named on no earlier paper of it', async () => {
    const dana = newPerson();
    await write(dana);
    const { id } = await buy(dana);
    await acceptAddendum(id, dana);
    await passOn(id, newPerson());
    await nothingWaits();
    expect((await erase(dana.email)).status).toBe(200);
    expect(await tablesWith(site.app.database, dana.email)).not.toContain('invoices');
    expect(await tablesWith(site.app.database, dana.name)).toEqual([]);
    const { accepted } = (await site.staff.get(`/api/orders/${id}`)).json;
    expect(accepted).toMatchObject({ name: 'Erased on request', termsHash: expect.any(String) });
  });

  test('whose order is another’s by now, who has accepted the addendum since', async () => {
    const [dana, tom] = [newPerson(), newPerson()];
    const { id } = await buy(dana);
    await passOn(id, tom);
    await acceptAddendum(id, tom);
    expect((await erase(dana.email)).status).toBe(200);
    const { orders } = (await download(tom.email)).json;
    expect(orders).toMatchObject([{ addendum: { name: tom.name } }]);
  });

  test.each(['email', 'billsTo'] as const)(
    'who is the %s of an order that a colleague has open: a late Save brings nothing back',
    async (field) => {
      const [dana, other] = [newPerson(), newPerson()];
      const { id } = await buy(other, { pay: false });
      const facts = { ...other, company: null, billingAddress: null, billsTo: null };
      const save = (version?: number) => {
        const details = { ...facts, [field]: dana.email, version };
        return site.staff.post(`/api/admin/orders/${id}/details`, details);
      };
      await save();
      await site.staff.post(`/api/orders/${id}/update-status`, { status: 'canceled' });
      const { version } = (await site.staff.get(`/api/orders/${id}`)).json;
      expect((await erase(dana.email)).status).toBe(200);
      expect((await save(version)).status).toBe(409);
    },
  );

  test('with pending notifications, which are never sent', async () => {
    const dana = newPerson();
    const other = newPerson();
    await nothingWaits();
    site.mailbox.behaviour = () => 451;
    site.teams.behaviour = () => ({ status: 503 });
    await write(dana, 'This was never delivered.');
    await buy(dana, { pay: false });
    await eventually(async () => {
      const { deliveries } = (await site.staff.move().get('/api/admin/outbox')).json;
      expect(deliveries).toMatchObject(Array(3).fill({ lastAnswer: expect.any(String) }));
    });
    expect((await erase(dana.email)).status).toBe(200);
    const { waiting, failed } = (await site.staff.get('/api/admin/outbox')).json;
    expect([waiting, failed]).toEqual([0, 0]);
    // A delivery in progress cannot be recalled: the restart waits until it has been refused.
    await site.restart();
    site.mailbox.behaviour = () => 'accept';
    site.teams.behaviour = () => 'accept';
    await write(other, 'These words arrive.');
    await nothingWaits();
    const sent = JSON.stringify([site.mailbox.mails, site.teams.accepted]);
    expect(sent).toContain('These words arrive.');
    expect(sent).not.toContain('This was never delivered.');
    expect(site.mailbox.to(dana.email)).toEqual([]);
  });

  test('with what failed to reach another address of their order', async () => {
    const dana = newPerson();
    const other = newPerson();
    site.mailbox.behaviour = ({ to }) => (to?.[0]?.address === other.email ? 550 : 'accept');
    const { id, visitor } = await buy(dana);
    const { token } = await linkOf(site.app, id);
    await visitor.post('/api/order-page/email', { token, email: other.email });
    const failed = async () => (await site.staff.move().get('/api/admin/outbox')).json.failed;
    await expect.poll(failed).toBe(1);
    await end(id);
    expect((await erase(dana.email)).status).toBe(200);
    expect(await failed()).toBe(0);
  });

  test('and drop an email still queued for their order', async () => {
    const dana = newPerson();
    const order = await buy(dana, { pay: false });
    expect((await erase(dana.email)).status).toBe(200);
    const about = { kind: 'order-paid', subjectId: order.id, topic: `order ${order.id}` };
    await saveDeliveries(site.app.database.db, [{ ...about, channel: 'mail-customer' }]);
    await write(newPerson());
    await nothingWaits();
    expect(await tablesWith(site.app.database, `order ${order.id}"`)).toEqual([]);
    expect(site.mailbox.to('')).toEqual([]);
  });
});

describe('a person who has only requested', () => {
  test.each([
    ['a self-check report', '/api/safeguards-report', { answers: { consumers: 'yes' } }],
    ['the links to their orders', '/api/order-page/links', {}],
  ])('%s is found, exported and erased', async (_, path, body) => {
    const { email } = newPerson();
    site.mailbox.behaviour = () => 451;
    expect((await site.app.visitor().post(path, { email, ...body })).status).toBeLessThan(300);
    const { items } = (await find(email.toUpperCase())).json;
    const { reference } = items.find(({ kind }: { kind: string }) => kind === 'request');
    expect(await countOf(email, 'request')).toBe(1);
    const { reports, linkRequests } = (await site.download(email)).json;
    expect([...reports, ...linkRequests]).toMatchObject([{ reference, email }]);
    const { status, json } = await erase(email.toUpperCase());
    expect([status, json.erased]).toEqual([200, [reference]]);
    expect(await tablesWith(site.app.database, email)).toEqual([]);
  });
});

test('an erased person’s address is in no table, and soon in no byte of the database files', async () => {
  const person = newPerson();
  const { name, email } = person;
  site.mailbox.refusal = `5.1.1 <${email.toUpperCase()}>: unknown`;
  site.mailbox.behaviour = ({ to }) => (to?.[0]?.address === email ? 451 : 'accept');
  await write(person);
  await chat(person, 'Hello?');
  const { id, visitor: buyer } = await buy(person);
  const { token } = await linkOf(site.app, id);
  const choice = { planId: 1, ms365Option: 'none', ms365Users: 0, includeCloudBackup: false };
  for (const [path, body, visitor] of [
    ['/api/quotes', { name, email, ...choice }, site.app.visitor()],
    [
      '/api/order-page/details',
      { token, name, billingAddress: '12 Peachtree Street', billsTo: email },
      buyer,
    ],
    ['/api/order-page/email', { token, email }, buyer],
    ['/api/safeguards-report', { email, answers: { consumers: 'yes' } }, site.app.visitor()],
    ['/api/order-page/links', { email: email.toUpperCase() }, site.app.visitor()],
  ] as const)
    expect((await visitor.post(path, body)).status, path).toBeLessThan(300);
  // What anyone types where no one asks for it.
  const typed = encodeURIComponent(email);
  const headers = {
    Referer: `https://mail.example/${email}?v=${typed}`,
    'User-Agent': `A/1 (${email})`,
  };
  for (const path of [`/?utm_source=${typed}&page=${typed}`, `/${email}`, `/unsubscribe/${typed}`])
    await site.app.visitor().get(path, headers);
  for (const username of [email, person.phone])
    await site.app.visitor().post('/api/admin/login', { username, password: 'a guess' }, headers);
  const { db } = site.app.database;
  const quotes = db.selectFrom('quotes').select('id').where('email', '=', email);
  const { id: subjectId } = await quotes.executeTakeFirstOrThrow();
  const sent = { kind: 'quote-reminder', subjectId, topic: 'a reminder' };
  await saveDeliveries(db, [{ ...sent, channel: 'mail-customer', state: 'accepted' }]);
  await eventually(async () =>
    expect((await site.staff.move().get('/api/admin/outbox')).text).toContain('unknown'),
  );
  expect(await tablesWith(site.app.database, email)).toEqual([
    'emailChanges',
    'invoices',
    'mailRecipients',
    'orderLinkRequests',
    'orders',
    'quotes',
    'safeguardsReports',
    'threads',
  ]);
  await end(id);
  expect((await erase(email)).status).toBe(200);
  // Stores the log.
  await site.staff.get('/api/admin/logs');
  for (const text of [email, typed, name, person.phone, 'Peachtree', 'a reminder'])
    expect(await tablesWith(site.app.database, text), text).toEqual([]);
  expect((await buyer.post('/api/order-page', { token })).status).toBe(404);
  await expect.poll(() => filesWith(site.app.database, email)).toEqual([]);
});

test('after a restore, who was known only by another’s order or thread is found again, and nobody who came later', async () => {
  const { db } = site.app.database;
  const [dana, tom, lee] = [newPerson(), newPerson(), newPerson()];
  const [books, later, former] = [newPerson(), newPerson(), newPerson()];
  const order = await buy(dana);
  await passOn((await buy(former)).id, newPerson());
  const setBills = (billsTo?: string, version = 1) =>
    db.updateTable('orders').set({ billsTo, version }).where('id', '=', order.id).execute();
  await setBills(books.email);
  const threadId = Number((await write(dana)).slice(2));
  await addEntry(db, { threadId, kind: 'third-party', sender: tom.email });
  await addEntry(db, { threadId, kind: 'staff', recipient: lee.email });
  const folder = temporaryFolder();
  for (const { email } of [tom, lee, books, former])
    noteErasure(folder, await findIds(db, email), await findIdsElsewhere(db, email));
  expect(await findErasedAgain(db, folder)).toEqual([
    tom.email,
    lee.email,
    books.email,
    former.email,
  ]);
  await setBills(later.email, 2);
  expect(await findErasedAgain(db, folder)).toEqual([tom.email, lee.email, former.email]);
});
