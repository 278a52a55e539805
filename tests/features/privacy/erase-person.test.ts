/** A person asks to be forgotten. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { orderPageLinks } from '../../../src/orders/order-page-link.server.ts';
import { eventually } from '../../support/eventually.ts';
import { tablesWith } from '../../support/every-row.ts';
import { peopleSite, somebody } from '../../support/people-site.ts';
import { startTestApp, testDatabase } from '../../support/test-app.ts';

const site = peopleSite();
const { write, chat, buy, find, end, erase, nothingWaits } = site;

describe('staff erase a person', () => {
  test('when nothing runs any more, and leave orders without their buyer', async () => {
    const dana = somebody();
    const other = somebody();
    const kept = await write(other, 'This is somebody else.');
    const message = await write(dana, 'My words in a message.');
    const said = await chat(dana, 'My words in a chat.');
    const order = await buy(dana, { key: dana.email });
    await nothingWaits();

    const refused = await erase(dana.email);
    expect(refused.status).toBe(409);
    expect(refused.json.message).toContain(order.reference);
    expect((await find(dana.email)).json.counts).toMatchObject({ messages: 1, orders: 1 });

    expect((await end(order.id)).status).toBe(200);
    const { status, json } = await erase(dana.email);
    expect([status, json]).toEqual([
      200,
      {
        erased: [message, said.reference],
        kept: [order.reference],
        externalCopies: { teams: true, mail: true, stripeCustomers: [] },
      },
    ]);
    expect((await find(dana.email)).json.items).toEqual([]);

    // The access log is written at the latest when the server stops.
    await site.restart();
    const encoded = encodeURIComponent(dana.email);
    for (const trace of [dana.email, encoded, dana.name, dana.phone, 'My words']) {
      expect(await tablesWith(site.app.database, trace), trace).toEqual([]);
    }
    expect(await tablesWith(site.app.database, other.email)).toEqual([
      'contactSubmissions',
      'mailRecipients',
    ]);
    expect((await find(other.email)).json.items[0].reference).toBe(kept);

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
        detail: `${message}, ${said.reference}, ${order.reference}`,
      }),
    );
  });

  test('and nobody sees the order any more who could before', async () => {
    const dana = somebody();
    const order = await buy(dana, { pay: false });
    const links = orderPageLinks(site.app.database.db, site.app.address);
    await links.loadKey();
    const token = links.address({ id: order.id, linkVersion: 0 }).split('#')[1];
    const visitor = Object.assign(site.app.visitor(), { cookies: order.visitor.cookies });
    const seen = async () => [
      (await visitor.get(`/api/orders/${order.id}`)).status,
      (await visitor.post('/api/order-page', { token })).status,
    ];
    expect(await seen()).toEqual([200, 200]);
    expect((await erase(dana.email)).status).toBe(200);
    expect(await seen()).toEqual([404, 404]);
    expect((await visitor.post('/api/order-page/billing', { token })).status).toBe(404);
  });

  test('and end what has not been paid, so that nobody pays for an order of nobody', async () => {
    const dana = somebody();
    const order = await buy(dana, { pay: false });
    expect((await erase(dana.email)).json.kept).toEqual([order.reference]);
    expect((await site.staff.get(`/api/orders/${order.id}`)).json.status).toBe('canceled');
  });

  test('and what people still wait to be notified of reaches nobody', async () => {
    const dana = somebody();
    const other = somebody();
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
    // What is being tried at this moment cannot be called back: the stop waits for it, and it is refused.
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

  test('and an email that was about to be sent has nobody to go to', async () => {
    const dana = somebody();
    const order = await buy(dana, { pay: false });
    expect((await erase(dana.email)).status).toBe(200);
    const row = { channel: 'mail-customer', topic: `order ${order.id}`, state: 'waiting' } as const;
    await site.app.database.db
      .insertInto('outbox')
      .values({
        ...row,
        kind: 'order-paid',
        subjectId: order.id,
        nextTryAt: Date.now(),
        createdAt: Date.now(),
      })
      .execute();
    await write(somebody());
    await nothingWaits();
    expect(await tablesWith(site.app.database, `order ${order.id}"`)).toEqual([]);
    expect(site.mailbox.to('')).toEqual([]);
  });

  test('only as it was shown', async () => {
    const dana = somebody();
    await write(dana);
    const order = await buy(dana, { pay: false });
    const shown = { email: dana.email, messages: 1, chatMessages: 0, orders: 1 };
    await write(dana, 'One more, which nobody has read.');
    const { status, json } = await site.staff.post('/api/admin/people/erase', shown);
    expect([status, json.message]).toEqual([
      409,
      'Something has changed since you opened this. Please review it again.',
    ]);
    expect((await find(dana.email)).json.counts.messages).toBe(2);
    expect((await site.staff.get(`/api/orders/${order.id}`)).json.status).toBe('pending');
  });

  test('and what arrives meanwhile is kept whole, or not at all', async () => {
    const dana = somebody();
    await Promise.all([write(dana), chat(dana, 'Hello?')]);
    const shown = { email: dana.email, messages: 1, chatMessages: 1, orders: 0 };
    const arriving = [...Array(8).keys()].map(async (number) => {
      const message = `Arriving ${number}`;
      return number % 2 === 0 ? write(dana, `${message} …`) : (await chat(dana, message)).reference;
    });
    const [{ status }, ...references] = await Promise.all([
      site.staff.post('/api/admin/people/erase', shown),
      ...arriving,
    ]);
    const { counts, items } = (await find(dana.email)).json;
    expect([200, 409]).toContain(status);
    expect(counts.messages + counts.chatMessages).toBe(status === 200 ? 8 : 10);
    for (const about of references) {
      const kinds = items
        .filter(({ reference }: { reference: string }) => reference === about)
        .map(({ kind }: { kind: string }) => kind);
      expect(kinds).toContain('notice');
      expect(kinds.length).toBeGreaterThan(1);
    }
  });

  test('and two who do so at once erase once', async () => {
    const dana = somebody();
    await write(dana);
    const shown = { email: dana.email, messages: 1, chatMessages: 0, orders: 0 };
    const [one, two] = await Promise.all([
      site.staff.post('/api/admin/people/erase', shown),
      site.staff.post('/api/admin/people/erase', shown),
    ]);
    expect([one.status, two.status].sort()).toEqual([200, 404]);
  });
});

test.runIf(inject('engine') === 'sqlite')(
  'an erased address is in no file of the data folder within a second',
  async () => {
    const { variables, drop } = await testDatabase({ filled: true });
    const { DATA_DIR: folder = '' } = variables;
    const app = await startTestApp(variables);
    await eventually(() => expect(app.site.isStarted()).toBe(true));
    const email = 'nowhere.left@dealer.example';
    const holding = () =>
      readdirSync(folder).filter((file) => readFileSync(join(folder, file)).includes(email));
    await app.visitor().post('/api/contact', { name: 'Di Ek', email, message: 'Please call us.' });
    expect(holding()).not.toEqual([]);
    const staff = await app.staff();
    const shown = { messages: 1, chatMessages: 0, quotes: 0, orders: 0 };
    expect((await staff.post('/api/admin/people/erase', { email, ...shown })).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(holding()).toEqual([]);
    await app.stop();
    await drop();
  },
);
