/** Staff find and export what is stored about a person. */
import { describe, expect, test } from 'vitest';
import { chunk } from '../../../src/platform/database/queries.server.ts';
import { DAY_MS, HOUR_MS, isoTime } from '../../../src/platform/time.ts';
import { findElsewhere, findNotifications } from '../../../src/privacy/person-stores.server.ts';
import { addEntry } from '../../../src/threads/thread-store.server.ts';
import { FakeGraph } from '../../support/fake-graph.ts';
import { HOSTILE_TEXTS } from '../../support/hostile-texts.ts';
import { QUOTE } from '../../support/quote-site.ts';
import { insertSubmission } from '../../support/staff-steps.ts';
import { ownTestApp } from '../../support/test-app.ts';
import { newPerson, type Person, peopleSite } from './people-site.ts';

const site = peopleSite();
const { write, chat, buy, find, download, erase, nothingWaits } = site;

/** Saves a quote and returns its reference. */
async function quote({ name, email }: Person): Promise<string> {
  const { json } = await site.app.visitor().post('/api/quotes', { ...QUOTE, name, email });
  return json.reference;
}

describe('staff find a person', () => {
  test('by the exact address, in any letter case, with everything sent from it', async () => {
    const dana = newPerson();
    const other = { ...newPerson(), email: `x${dana.email}` };
    const message = await write(dana);
    await write(other);
    const sent = await chat({ ...dana, email: dana.email.toUpperCase() }, 'Is it fixed?');
    const order = await buy({ ...dana, email: dana.email.toLowerCase() });
    const quoted = await quote(dana);
    await nothingWaits();
    const { json } = await find(` ${dana.email.toLowerCase()} `);
    expect(json).toMatchObject({
      running: [{ id: order.id, reference: order.reference }],
      externalCopies: {
        channels: ['teams', 'mail-staff'],
        providerCustomers: [],
      },
    });
    for (const [kind, reference] of [
      ['message', message],
      ['chat', sent.reference],
      ['order', order.reference],
      ['quote', quoted],
    ]) {
      expect(json.items).toContainEqual(expect.objectContaining({ kind, reference }));
      expect(json.items).toContainEqual(expect.objectContaining({ kind: 'notice', reference }));
    }
    for (const near of [dana.email.slice(1), '%@dealer.example'])
      expect((await find(near)).json).toMatchObject({ items: [], running: [] });
  });

  test('and read that the mailbox at Microsoft Graph keeps what it sent', async () => {
    const graph = await FakeGraph.start();
    const app = await ownTestApp(graph.variables);
    const { json } = await (await app.staff()).get('/api/admin/people?find=jane%40dealer.example');
    await graph.stop();
    expect(json.externalCopies).toMatchObject({ channels: ['mail-staff', 'mail-customer'] });
  });

  test('by an address in any alphabet and Unicode form', async () => {
    await write({ name: 'Jürgen', email: 'JÜRGEN.Łódź@Exämple.example' });
    for (const email of ['jürgen.łÓDŹ@EXÄMPLE.example', 'jürgen.łódź@exämple.example'])
      for (const form of ['NFC', 'NFD'])
        expect(await site.countOf(email.normalize(form), 'message')).toBe(1);
  });

  test('only by a valid address', async () => {
    const refused = { status: 400, json: { message: 'Please enter a valid email address' } };
    for (const email of ['', 'a b@c.example'])
      for (const ask of [find, download]) expect(await ask(email)).toMatchObject(refused);
    expect((await site.staff.get('/api/admin/people')).status).toBe(400);
    expect((await download('nobody@nowhere.example')).status).toBe(404);
  });

  test('and open the conversation that a chat message is in', async () => {
    const dana = newPerson();
    const visitor = site.app.visitor();
    for (const message of ['Hello?', 'Still there?']) await chat(dana, message, visitor);
    const { json } = await find(dana.email);
    const chats = json.items.filter(({ kind }: { kind: string }) => kind === 'chat');
    const opened = chats.map(({ id }: { id: number }) =>
      site.staff.get(`/api/admin/threads/${id}`),
    );
    expect(await Promise.all(opened)).toMatchObject([
      { status: 200, json: { email: dana.email, message: 'Still there?' } },
      { status: 200, json: { email: dana.email, message: 'Still there?' } },
    ]);
  });

  test('with each reply by mail to a contact message on its own day', async () => {
    const dana = newPerson();
    const createdAt = Date.now() - DAY_MS;
    const threadId = await insertSubmission(site.app, { ...dana, createdAt });
    const reply = { kind: 'visitor', text: 'And on Sundays?', sender: dana.email } as const;
    await addEntry(site.app.database.db, { threadId, ...reply, at: createdAt + HOUR_MS });
    const { json } = await find(dana.email);
    expect(json.items).toMatchObject([
      { what: 'And on Sundays?', at: isoTime(createdAt + HOUR_MS) },
      { at: isoTime(createdAt) },
    ]);
  });

  test('with chat messages from before the person gave an address', async () => {
    const [dana, other] = [newPerson(), newPerson()];
    const visitor = site.app.visitor();
    const { reference: first } = await chat({}, 'Hello?', visitor);
    const { reference: second } = await chat(dana, 'It is me.', visitor);
    await chat(other, 'And me.', visitor);
    await chat({}, 'Anybody?', visitor);
    expect(second).toBe(first);
    // Emails of 1.0 name each message.
    const eachMessage = [first, expect.stringMatching(/^T-\d+$/)];
    expect((await erase(dana.email)).json.erased).toEqual(eachMessage);
    expect(await site.countOf(other.email, 'chat')).toBe(2);
  });
});

describe('staff export a person', () => {
  test('as one JSON file, even with hostile text', async () => {
    const dana = newPerson();
    const hostile = HOSTILE_TEXTS.slice(0, 40).map((text) => `${text} and more of it`);
    for (const message of hostile)
      await insertSubmission(site.app, { ...dana, name: message.slice(0, 100), message });
    await write(dana);
    await chat(dana, 'Is it fixed?');
    const order = await buy(dana);
    const address = {
      ...{ postalCode: '30060', billingAddress: '12 Peachtree Street' },
      billsTo: 'books@dealer.example',
    };
    const addendum = { addendumName: 'Dana', addendumDate: 'Today', addendumHash: 'f00d' };
    const orders = site.app.database.db
      .updateTable('orders')
      .set({ ...address, ...addendum, addendumAt: 1 });
    await orders.where('id', '=', order.id).execute();
    const quoted = await quote(dana);
    await nothingWaits();
    const { headers, json: file } = await download(dana.email);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': expect.stringMatching(
        /^attachment; filename="person-\d{4}-\d\d-\d\d\.json"$/,
      ),
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    const { name, email } = dana;
    const notice = { about: order.reference, channel: 'mail-customer', state: 'accepted' };
    expect(file).toMatchObject({
      threads: [
        ...hostile.map((text) => ({ kind: 'contact', entries: [{ kind: 'visitor', text }] })),
        { ...dana, kind: 'contact', entries: [{ text: 'Our tablets lose Wi-Fi.' }] },
        { name, email, kind: 'chat', entries: [{ text: 'Is it fixed?' }, { kind: 'reply' }] },
      ],
      quotes: [{ name, email, reference: quoted, note: QUOTE.note, amountCents: 624_50 }],
      orders: [
        {
          ...dana,
          ...address,
          addendum: { name: 'Dana' },
          reference: order.reference,
          status: 'paid',
          history: expect.any(Array),
          payments: [{ amount: 450, paid: 450, card: 'Visa ending in 4242' }],
        },
      ],
      notices: expect.arrayContaining([expect.objectContaining(notice)]),
    });
    const { entries } = (await site.staff.get('/api/admin/audit')).json;
    const detail = expect.stringMatching(/^C-\d+(, C-\d+){19} and 24 more$/);
    expect(entries[0]).toMatchObject({ kind: 'person-exported', name: 'admin', detail });
  });

  test('with thousands of messages, while pages are answered', async () => {
    const flood = Array.from({ length: 1_000 }, (_, number) => 1_000_000 + number);
    let isAnswered = false;
    setImmediate(() => {
      isAnswered = true;
    });
    for await (const _ of findNotifications(site.app.database.db, () => flood))
      if (isAnswered) return;
    expect.fail('It was read without a pause');
  });

  test('with thousands of emails in the thread of another, some at a time', async () => {
    const { db } = site.app.database;
    const [dana, tom] = [newPerson(), newPerson()];
    const threadId = Number((await write(dana)).slice(2));
    const email = {
      kind: 'third-party',
      text: 'Again.',
      at: Date.now(),
      sender: tom.email,
    } as const;
    for (const some of chunk(Array.from({ length: 1_100 }, () => ({ ...email, threadId }))))
      await db.insertInto('entries').values(some).execute();
    for await (const page of findElsewhere(db, tom.email)) expect(page.length).toBeLessThan(501);
    expect((await find(tom.email)).json.items).toHaveLength(1_000);
    expect((await download(tom.email)).json.elsewhere).toHaveLength(1_100);
    const parts: { entries: object[] }[] = (await download(dana.email)).json.threads;
    expect(parts.map(({ entries }) => entries.length)).toEqual([500, 500, 101]);
    expect((await erase(tom.email)).json.kept).toHaveLength(1);
    expect((await download(dana.email)).json.threads[0].entries).toHaveLength(1);
  });

  test('without the names of colleagues, and without what staff were notified of', async () => {
    const dana = newPerson();
    const { id } = await buy(dana);
    expect((await site.end(id)).status).toBe(200);
    await nothingWaits();
    const { text, json } = await download(dana.email);
    expect(json.orders[0].history.at(-1).cause).toBe('Ended immediately by Tidewell Support');
    expect(text).not.toMatch(/\badmin\b(?!\/)/);
    expect(json.notices.length).toBeGreaterThan(0);
    for (const { channel } of json.notices) expect(channel).toBe('mail-customer');
  });
});
