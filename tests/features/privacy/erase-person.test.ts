/** Staff erase a person. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { tablesWith } from '../../support/every-row.ts';
import { Mailbox } from '../../support/mailbox.ts';
import { linkOf } from '../../support/own-page.ts';
import { newPerson, peopleSite } from '../../support/people-site.ts';
import { startTestApp, testDatabase } from '../../support/test-app.ts';

const site = peopleSite();
const { write, chat, buy, find, countOf, end, erase, nothingWaits } = site;

describe('staff erase a person', () => {
  test('after their orders have ended, and keep the orders without their buyer', async () => {
    const dana = newPerson();
    const other = newPerson();
    const kept = await write(other, 'This is somebody else.');
    const message = await write(dana, 'My words in a message.');
    const sent = await chat(dana, 'My words in a chat.');
    const order = await buy(dana, { key: dana.email });
    await nothingWaits();

    const refused = await erase(dana.email);
    expect(refused.status).toBe(409);
    expect(refused.json.message).toContain(order.reference);
    expect([await countOf(dana.email, 'message'), await countOf(dana.email, 'order')]).toEqual([
      1, 1,
    ]);

    expect((await end(order.id)).status).toBe(200);
    const { status, json } = await erase(dana.email);
    expect([status, json]).toEqual([
      200,
      {
        erased: [message, sent.reference],
        kept: [order.reference],
        externalCopies: { teams: true, mail: true, stripeCustomers: [] },
      },
    ]);
    expect((await find(dana.email)).json.items).toEqual([]);

    expect((await find(other.email)).json.items[0].reference).toBe(kept);
    // Stopping the server writes the rest of the access log.
    await site.restart();
    for (const trace of [encodeURIComponent(dana.email), dana.phone, 'My words'])
      expect(await tablesWith(site.app.database, trace), trace).toEqual([]);

    const stays = (await site.staff.get(`/api/orders/${order.id}`)).json;
    expect(stays).toMatchObject({
      name: 'Erased on request',
      email: '',
      phone: null,
      planName: 'Essential',
      amount: 450,
      status: 'canceled',
      paymentId: expect.any(String),
      notes: expect.arrayContaining([{ at: expect.any(String), note: 'Buyer erased by admin' }]),
    });
    expect(stays.history.map((each: { status: string }) => each.status)).toContain('paid');
    expect((await site.staff.get('/api/admin/orders/download')).text).toContain(
      '"Erased on request",""',
    );
    const { entries } = (await site.staff.get('/api/admin/audit')).json;
    expect(entries).toContainEqual(
      expect.objectContaining({
        kind: 'person-erased',
        username: 'admin',
        detail: `${message}, ${sent.reference}, ${order.reference}`,
      }),
    );
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

  test('with pending notifications, which are never sent', async () => {
    const dana = newPerson();
    const other = newPerson();
    site.mailbox.behaviour = () => 451;
    site.teams.behaviour = () => ({ status: 503 });
    await write(dana, 'These words reach nobody.');
    await buy(dana, { pay: false });
    await eventually(async () => {
      const { deliveries } = (await site.staff.move().get('/api/admin/outbox')).json;
      const answers = deliveries.map((each: { lastAnswer: string | null }) => each.lastAnswer);
      expect(answers).toEqual(Array(3).fill(expect.any(String)));
    });
    expect((await erase(dana.email)).status).toBe(200);
    expect((await site.staff.get('/api/admin/outbox')).json).toMatchObject({
      waiting: 0,
      setAside: 0,
    });
    // A delivery in progress cannot be recalled: the restart waits until it has been refused.
    await site.restart();
    site.mailbox.behaviour = () => 'accept';
    site.teams.behaviour = () => 'accept';
    await write(other, 'These words arrive.');
    await nothingWaits();
    const messages = [
      ...site.mailbox.mails.map(({ raw }) => raw),
      ...site.teams.accepted.map(({ text }) => text),
    ];
    expect(messages.some((each) => each.includes('These words arrive.'))).toBe(true);
    expect(messages.filter((each) => each.includes('These words reach nobody.'))).toEqual([]);
    expect(site.mailbox.to(dana.email)).toEqual([]);
  });

  test('and drop an email still queued for their order', async () => {
    const dana = newPerson();
    const order = await buy(dana, { pay: false });
    expect((await erase(dana.email)).status).toBe(200);
    const about = { kind: 'order-paid', subjectId: order.id, topic: `order ${order.id}` };
    const row = { ...about, channel: 'mail-customer', state: 'waiting' } as const;
    await site.app.database.db
      .insertInto('outbox')
      .values({ ...row, nextTryAt: Date.now(), createdAt: Date.now() })
      .execute();
    await write(newPerson());
    await nothingWaits();
    expect(await tablesWith(site.app.database, `order ${order.id}"`)).toEqual([]);
    expect(site.mailbox.to('')).toEqual([]);
  });

  test('while messages arrive, and keep each with its notification or not at all', async () => {
    const dana = newPerson();
    await Promise.all([write(dana), chat(dana, 'Hello?')]);
    const arriving = [...Array(8).keys()].map(async (number) => {
      const message = `Arriving ${number}`;
      return number % 2 === 0 ? write(dana, `${message} …`) : (await chat(dana, message)).reference;
    });
    const [{ status }, ...references] = await Promise.all([erase(dana.email), ...arriving]);
    expect(status).toBe(200);
    const items: { reference: string; kind: string }[] = (await find(dana.email)).json.items;
    for (const about of references) {
      const own = items.filter(({ reference }) => reference === about);
      const notices = own.filter(({ kind }) => kind === 'notice');
      expect([about, notices.length > 0]).toEqual([about, own.length > notices.length]);
    }
  });

  test('once, even if two of them do it at the same time', async () => {
    const dana = newPerson();
    await write(dana);
    const [one, two] = await Promise.all([erase(dana.email), erase(dana.email)]);
    expect([one.status, two.status].sort()).toEqual([200, 404]);
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
  const email = 'NowhereLeft@dealer.example';
  const person = { name: 'Nora Left', email };
  const mailbox = await Mailbox.start();
  const ground = await testDatabase({ filled: true });
  const app = await startTestApp({ ...ground.variables, ...mailbox.variables });
  await eventually(() => expect(app.site.isStarted()).toBe(true));
  const choice = { planId: 1, ms365Option: 'none', ms365Users: 0, includeCloudBackup: false };
  const send = async (path: string, body: object, visitor = app.visitor()) => {
    const { status, json } = await visitor.post(path, body);
    expect([path, json?.message, status < 300]).toEqual([path, undefined, true]);
    return json;
  };
  mailbox.refusal = `5.1.1 <${email.toUpperCase()}>: unknown`;
  mailbox.behaviour = ({ to }) => (to?.[0]?.address === email ? 451 : 'accept');
  await send('/api/contact', { ...person, message: 'Please call us.' });
  await send('/api/teams-chat', { ...person, message: 'Hello?' });
  await send('/api/quotes', { ...person, ...choice });
  const buyer = app.visitor();
  const order = { ...person, ...choice, amount: 450 };
  const { orderId, clientSecret } = await send('/api/create-payment-intent', order, buyer);
  await send('/api/test-payments/confirm', { clientSecret, token: 'succeeds' }, buyer);
  const { token } = await linkOf(app, orderId);
  await send('/api/order-page/address', { token, address: '12 Peachtree Street' }, buyer);
  await send('/api/safeguards-report', { email, answers: { consumers: 'yes' } });
  await send('/api/order-page/links', { email: email.toUpperCase() });
  const staff = await app.staff();
  await eventually(async () =>
    expect((await staff.get('/api/admin/outbox')).text).toContain('unknown'),
  );
  expect(await tablesWith(app.database, email)).toEqual([
    'chatMessages',
    'contactSubmissions',
    'mailRecipients',
    'orderLinkRequests',
    'orders',
    'quotes',
    'safeguardsReports',
  ]);
  await staff.post(`/api/admin/orders/${orderId}/cancel`, { when: 'now' });

  expect((await staff.post('/api/admin/people/erase', { email })).status).toBe(200);
  for (const text of [email, person.name, 'Peachtree'])
    expect([text, await tablesWith(app.database, text)]).toEqual([text, []]);
  expect((await buyer.post('/api/order-page', { token })).status).toBe(404);
  if (inject('engine') === 'sqlite') {
    const { DATA_DIR: folder = '' } = ground.variables;
    const filesWithEmail = () =>
      readdirSync(folder).filter((file) => {
        const bytes = readFileSync(join(folder, file)).toString('latin1').toLowerCase();
        return bytes.includes(email.toLowerCase());
      });
    await eventually(() => expect(filesWithEmail()).toEqual([]));
  }
  await app.stop();
  await ground.drop();
  await mailbox.stop();
});
