/** A person asks what is stored of them, or to be forgotten. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { orderPageLinks } from '../../../src/orders/customer/order-page-link.server.ts';
import { eventually } from '../../support/eventually.ts';
import { tablesWith } from '../../support/every-row.ts';
import { FakeTeams } from '../../support/fake-teams.ts';
import { HOSTILE_TEXTS } from '../../support/hostile-texts.ts';
import { Mailbox } from '../../support/mailbox.ts';
import { storedOfPerson } from '../../support/person-answer-shapes.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';
import type { Answered, Visitor } from '../../support/visitor.ts';

let mailbox: Mailbox;
let teams: FakeTeams;
let app: TestApp;
let staff: Visitor;
beforeAll(async () => {
  mailbox = await Mailbox.start();
  teams = await FakeTeams.start();
  app = await startTestApp({ ...mailbox.variables, ...teams.variables });
  staff = await app.staff();
});
afterAll(async () => {
  await app.stop();
  await Promise.all([mailbox.stop(), teams.stop()]);
});
beforeEach(() => {
  mailbox.behaviour = () => 'accept';
  teams.behaviour = () => 'accept';
  staff.move();
});

/** Each test is about a person of its own. */
let people = 0;
function somebody() {
  people += 1;
  return {
    email: `Whitfield-${people}@dealer.example`,
    name: `Dana Whitfield the ${people}th`,
    phone: `(770) 555-01${String(people).padStart(2, '0')}`,
  };
}
type Person = ReturnType<typeof somebody>;

async function write(person: Partial<Person>, message = 'Our tablets lose Wi-Fi.') {
  const { status, json } = await app.visitor().post('/api/contact', { ...person, message });
  expect(status).toBe(200);
  return json.reference as string;
}

async function chat({ name, email }: Partial<Person>, message: string, conversation?: string) {
  const { status, json } = await app
    .visitor()
    .post('/api/teams-chat', { name, email, message, conversation });
  expect(status).toBe(200);
  return json as { reference: string; conversation: string };
}

async function buy(person: Partial<Person>, { pay = true, key = 'key' } = {}) {
  const visitor = app.visitor();
  const { json } = await visitor.post(
    '/api/create-payment-intent',
    { ...person, planId: 1, amount: 450 },
    { 'Idempotency-Key': `${key}-${person.email}` },
  );
  const { orderId: id, clientSecret } = json;
  if (pay) await visitor.post('/api/test-payments/confirm', { clientSecret, token: 'succeeds' });
  return { id: id as number, reference: `O-${id}`, visitor };
}

const find = (email: string) => staff.get(`/api/admin/people?find=${encodeURIComponent(email)}`);
const download = (email: string) =>
  staff.get(`/api/admin/people/download?find=${encodeURIComponent(email)}`);
const end = (id: number) => staff.post(`/api/admin/orders/${id}/cancel`, { when: 'now' });

/** Asks to erase what is found at this moment, as the screen does. */
async function erase(email: string): Promise<Answered> {
  const { messages, chatMessages, orders } = (await find(email)).json.counts;
  return staff.post('/api/admin/people/erase', { email, messages, chatMessages, orders });
}

const nothingWaits = () =>
  eventually(async () =>
    expect((await staff.move().get('/api/admin/outbox')).json.waiting).toBe(0),
  );

describe('staff find a person', () => {
  test('by the exact address, in any case, with everything that came from it', async () => {
    const dana = somebody();
    const other = { ...somebody(), email: `x${dana.email}` };
    const message = await write(dana);
    await write(other);
    const said = await chat({ ...dana, email: dana.email.toUpperCase() }, 'Is it fixed?');
    const order = await buy({ ...dana, email: dana.email.toLowerCase() });
    await nothingWaits();
    const { json } = await find(` ${dana.email.toLowerCase()} `);
    expect(json).toMatchObject({
      counts: { messages: 1, chatMessages: 1, orders: 1 },
      running: [order.reference],
      elsewhere: { teams: true, mail: true, stripeCustomers: [] },
    });
    const numbers = json.items.map((item: { kind: string; reference: string }) => [
      item.kind,
      item.reference,
    ]);
    expect(numbers).toEqual(
      expect.arrayContaining([
        ['message', message],
        ['chat', said.reference],
        ['order', order.reference],
        ['notice', message],
        ['notice', said.reference],
        ['notice', order.reference],
      ]),
    );
    for (const near of [dana.email.slice(1), '%@dealer.example', `${dana.email}.example`]) {
      expect((await find(near)).json).toMatchObject({ items: [], running: [] });
    }
  });

  test('by letters of any alphabet', async () => {
    await write({ name: 'Jürgen', email: 'JÜRGEN.Łódź@Exämple.example' });
    for (const email of ['jürgen.łÓDŹ@EXÄMPLE.example', 'jürgen.łódź@exämple.example']) {
      for (const form of ['NFC', 'NFD'] as const) {
        expect((await find(email.normalize(form))).json.counts.messages).toBe(1);
      }
    }
  });

  test('and are told what is no address', async () => {
    for (const email of ['', 'dana', 'a@b', 'a b@c.example', `${'a'.repeat(250)}@b.example`]) {
      for (const answered of [await find(email), await download(email)]) {
        expect(answered.status).toBe(400);
        expect(answered.json.message).toBe('Please enter a valid email address');
      }
    }
    expect((await staff.get('/api/admin/people')).status).toBe(400);
    expect((await download('nobody@nowhere.example')).status).toBe(404);
  });

  test('with what was said without an address before they gave theirs', async () => {
    const [dana, other] = [somebody(), somebody()];
    const { conversation, reference: first } = await chat({}, 'Hello?');
    const { reference: second } = await chat(dana, 'It is me.', conversation);
    await chat(other, 'And me.', conversation);
    await chat({}, 'Anybody?', conversation);
    expect((await erase(dana.email)).json.erased).toEqual([first, second]);
    expect((await find(other.email)).json.counts.chatMessages).toBe(2);
  });
});

describe('staff hand out what is stored', () => {
  test('as one file, whatever was written', async () => {
    const dana = somebody();
    const hostile = HOSTILE_TEXTS.slice(0, 40).map((text) => `${text} and more of it`);
    const rows = hostile.map((message, at) => ({
      ...dana,
      name: message.slice(0, 100),
      message,
      mark: 'new',
      createdAt: at,
    }));
    await app.database.db.insertInto('contactSubmissions').values(rows).execute();
    await write(dana);
    await chat(dana, 'Is it fixed?');
    const order = await buy(dana);
    await nothingWaits();
    const { headers, json } = await download(dana.email);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': expect.stringMatching(
        /^attachment; filename="person-\d{4}-\d\d-\d\d\.json"$/,
      ),
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    const file = storedOfPerson.parse(json);
    expect(file.messages.slice(0, -1).map(({ message }) => message)).toEqual(hostile);
    expect(file.messages.at(-1)).toMatchObject({ ...dana, message: 'Our tablets lose Wi-Fi.' });
    expect(file.chatMessages).toMatchObject([{ ...withoutPhone(dana), message: 'Is it fixed?' }]);
    expect(file.orders).toMatchObject([
      { ...dana, reference: order.reference, status: 'paid', history: expect.any(Array) },
    ]);
    expect(file.notices).toContainEqual(
      expect.objectContaining({
        about: order.reference,
        channel: 'mail-customer',
        state: 'accepted',
      }),
    );
    const { entries } = (await staff.get('/api/admin/audit')).json;
    expect(entries[0]).toMatchObject({ kind: 'person-exported', username: 'admin' });
  });
});

function withoutPhone({ phone: _, ...rest }: Person) {
  return rest;
}

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
        elsewhere: { teams: true, mail: true, stripeCustomers: [] },
      },
    ]);
    expect((await find(dana.email)).json.items).toEqual([]);

    // The access log is written at the latest when the server stops.
    app = await app.restart();
    staff = await app.staff();
    const encoded = encodeURIComponent(dana.email);
    for (const trace of [dana.email, encoded, dana.name, dana.phone, 'My words']) {
      expect(await tablesWith(app.database, trace), trace).toEqual([]);
    }
    expect(await tablesWith(app.database, other.email)).toEqual(['contactSubmissions']);
    expect((await find(other.email)).json.items[0].reference).toBe(kept);

    const stays = (await staff.get(`/api/orders/${order.id}`)).json;
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
    expect((await staff.get('/api/admin/orders/download')).text).toContain(
      '"Erased on request",""',
    );
    const { entries } = (await staff.get('/api/admin/audit')).json;
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
    const links = orderPageLinks(app.database.db, app.address);
    await links.loadKey();
    const token = links.address(order.id).split('#')[1];
    const visitor = Object.assign(app.visitor(), { cookies: order.visitor.cookies });
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
    expect((await staff.get(`/api/orders/${order.id}`)).json.status).toBe('canceled');
  });

  test('and what people still wait to be notified of reaches nobody', async () => {
    const dana = somebody();
    const other = somebody();
    mailbox.behaviour = () => 451;
    teams.behaviour = () => ({ status: 503 });
    await write(dana, 'These words reach nobody.');
    await buy(dana, { pay: false });
    await eventually(async () => {
      const { deliveries } = (await staff.move().get('/api/admin/outbox')).json;
      const answers = deliveries.map((each: { lastAnswer: string | null }) => each.lastAnswer);
      expect(answers).toEqual(Array(3).fill(expect.any(String)));
    });
    expect((await erase(dana.email)).status).toBe(200);
    expect((await staff.get('/api/admin/outbox')).json).toMatchObject({ waiting: 0, setAside: 0 });
    // What is being tried at this moment cannot be called back: the stop waits for it, and it is refused.
    app = await app.restart();
    staff = await app.staff();
    mailbox.behaviour = () => 'accept';
    teams.behaviour = () => 'accept';
    await write(other, 'These words arrive.');
    await nothingWaits();
    const messages = [
      ...mailbox.mails.map(({ raw }) => raw),
      ...teams.accepted.map(({ text }) => text),
    ];
    expect(messages.some((each) => each.includes('These words arrive.'))).toBe(true);
    expect(messages.filter((each) => each.includes('These words reach nobody.'))).toEqual([]);
    expect(mailbox.to(dana.email)).toEqual([]);
  });

  test('and an email that was about to be sent has nobody to go to', async () => {
    const dana = somebody();
    const order = await buy(dana, { pay: false });
    expect((await erase(dana.email)).status).toBe(200);
    const row = { channel: 'mail-customer', topic: `order ${order.id}`, state: 'waiting' } as const;
    const notice = JSON.stringify({ kind: 'order-paid', orderId: order.id });
    await app.database.db
      .insertInto('outbox')
      .values({ ...row, notice, nextTryAt: Date.now(), createdAt: Date.now() })
      .execute();
    await write(somebody());
    await nothingWaits();
    expect(await tablesWith(app.database, `order ${order.id}"`)).toEqual([]);
    expect(mailbox.to('')).toEqual([]);
  });

  test('only as it was shown', async () => {
    const dana = somebody();
    await write(dana);
    const order = await buy(dana, { pay: false });
    const shown = { email: dana.email, messages: 1, chatMessages: 0, orders: 1 };
    await write(dana, 'One more, which nobody has read.');
    const { status, json } = await staff.post('/api/admin/people/erase', shown);
    expect([status, json.message]).toEqual([
      409,
      'Something has changed since you opened this. Please review it again.',
    ]);
    expect((await find(dana.email)).json.counts.messages).toBe(2);
    expect((await staff.get(`/api/orders/${order.id}`)).json.status).toBe('pending');
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
      staff.post('/api/admin/people/erase', shown),
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
      staff.post('/api/admin/people/erase', shown),
      staff.post('/api/admin/people/erase', shown),
    ]);
    expect([one.status, two.status].sort()).toEqual([200, 404]);
  });
});
