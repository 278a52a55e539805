/** A visitor saves a quote; anyone with its link can view it and pay it at its prices. */

import { domainToASCII } from 'node:url';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { insertEvent } from '../../../src/billing/order-event-store.server.ts';
import { localIsoTime } from '../../../src/company/days.ts';
import { eventually } from '../../support/eventually.ts';
import { tablesWith } from '../../support/every-row.ts';
import { captureLog } from '../../support/logged.ts';
import { DESK } from '../../support/mailbox.ts';
import { ownContent } from '../../support/own-content.ts';
import { AMOUNT, QUOTE, sharedQuoteSite, startQuoteSite } from '../../support/quote-site.ts';
import { TEST_CAUSE } from '../../support/saved-order.ts';
import { OWN_PASSWORD, sharedStaff } from '../../support/test-app.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

const site = sharedQuoteSite(OWN_PASSWORD);
const staff = sharedStaff(() => site.app);

/** The quote as staff see it. */
const shownToStaff = async ({ id }: { id: number }) =>
  (await staff.get(`/api/admin/quotes/${id}`)).json;
const withdraw = ({ id }: { id: number }) => staff.post(`/api/admin/quotes/${id}/withdraw`, {});
/** The orders that pay the quote. */
const ordersOf = ({ id }: { id: number }) =>
  site.app.database.db
    .selectFrom('orders')
    .select(['id', 'status'])
    .where('quoteId', '=', id)
    .execute();
const saveAs = (change: object) => site.app.visitor().post('/api/quotes', { ...QUOTE, ...change });

describe('saving a quote', () => {
  test('answers 201 with number, link, amount and end, and the link shows everything but the email', async () => {
    const { status, json: saved } = await saveAs({});
    expect(status).toBe(201);
    const { reference, url, amount, expiresAt } = saved;
    expect(reference).toMatch(/^Q-\d{3} \d{3} \d{3}$/);
    expect(url).toMatch(/^http:\/\/[^/]+\/quote\/[\w-]{22}$/);
    expect(amount).toBe(AMOUNT);
    expect(Math.floor((Date.parse(expiresAt) - Date.now()) / DAY_MS)).toBe(30);
    const { json } = await site.open(url.split('/').at(-1));
    const { email: _, ...shown } = QUOTE;
    expect(json).toMatchObject({ ...shown, reference, state: 'open', amount, expiresAt });
    expect(json.price.lines.map((line: { amount: number }) => line.amount)).toEqual([
      450, 125, 49.5,
    ]);
    expect(JSON.stringify(json)).not.toContain(QUOTE.email);
  });

  test('saves one quote for a request that is repeated under its key, also at once', async () => {
    const headers = { 'Idempotency-Key': 'a-key-of-the-browser' };
    const body = { ...QUOTE, email: 'twice@lakeside.example' };
    const save = (change = {}) =>
      site.app.visitor().post('/api/quotes', { ...body, ...change }, headers);
    const answers = [...(await Promise.all([save(), save(), save()])), await save()];
    const references = answers.map(({ status, json }) => `${status} ${json.reference}`);
    expect(new Set(references).size).toBe(1);
    const { db } = site.app.database;
    const stored = db.selectFrom('quotes').select('id').where('email', '=', body.email);
    expect(await stored.execute()).toHaveLength(1);
    for (const { json } of answers)
      expect((await site.open(json.url.split('/').at(-1))).json.reference).toBe(json.reference);
    expect(await save({ note: 'Another one' })).toMatchObject({ status: 409 });
  });

  test('saves one of twenty quotes that come at once under one key, and refuses the others', async () => {
    const headers = { 'Idempotency-Key': 'a-key-of-twenty' };
    const bodies = Array.from({ length: 20 }, (_, at) => ({
      ...QUOTE,
      email: `buyer-${at}@one-key.example`,
    }));
    const answers = await Promise.all(
      bodies.map((body) => site.app.visitor().post('/api/quotes', body, headers)),
    );
    const refused = answers.filter(({ status }) => status === 409);
    expect([refused.length, answers.length]).toEqual([19, 20]);
    const { db } = site.app.database;
    const stored = db.selectFrom('quotes').select('id').where('email', 'like', '%@one-key.example');
    expect(await stored.execute()).toHaveLength(1);
  });

  test('stores no token, and gives each link its own', async () => {
    const [one, other] = [await site.save(), await site.save()];
    expect(one.token).not.toBe(other.token);
    for (const { token } of [one, other])
      expect(await tablesWith(site.app.database, token)).toEqual([]);
  });

  test.each([
    [{ email: 'dana' }, 'email'],
    [{ note: 'x'.repeat(1_001) }, 'note'],
    [{ ms365Users: 0 }, 'ms365Users'],
  ])('refuses %o at its field', async (change, field) => {
    const errors = expect.arrayContaining([expect.objectContaining({ path: field })]);
    expect(await saveAs(change)).toMatchObject({ status: 400, json: { errors } });
  });

  test('drops users and backup if no Microsoft 365 option is chosen', async () => {
    const { token } = await site.save({ ms365Option: 'none' });
    const { json } = await site.open(token);
    expect(json).toMatchObject({ ms365Users: 0, includeCloudBackup: false, amount: 450 });
  });

  test.each(['fox.example', 'bücher.example'])(
    'is saved by whom it is for, after strangers have used up the emails of their mailbox at %s',
    async (domain) => {
      const spellings = ['Flooded+1@', 'flooded@', 'FLOODED+2@'].map((name) => name + domain);
      spellings.push(`flooded@${domainToASCII(domain)}`);
      const sent = Array.from({ length: 30 }, (_, at) => saveAs({ email: spellings[at % 4] }));
      const answers = await Promise.all(sent);
      expect(answers.filter(({ json }) => json.emailed)).toHaveLength(10);
      const own = await saveAs({ email: `flooded@${domain}` });
      expect(own).toMatchObject({ status: 201, json: { emailed: false } });
    },
  );

  test('emails the customer the link, and nothing that a visitor typed', async () => {
    const email = 'mailed@fox.example';
    const typed = { name: 'Pills Today', note: 'BUY PILLS', company: 'Cheap Pills' };
    const { reference } = await site.save({ email, ...typed });
    await eventually(() => expect(site.mailbox.to(email)).toHaveLength(1));
    const text = site.mailbox.to(email)[0]?.text ?? '';
    expect(text).toContain(reference);
    expect(text).not.toMatch(/pills/i);
    const token = /\/quote\/([\w-]{22})/.exec(text)?.[1] ?? '';
    expect((await site.open(token)).json.reference).toBe(reference);
  });
});

test('a visitor’s quote for our own address is mailed to staff alone, and says so', async () => {
  const { json } = await saveAs({ email: DESK });
  expect(json.emailed).toBe(false);
  const text = expect.stringContaining(`${DESK} is our own address`);
  await eventually(() =>
    expect(site.mailbox.to(DESK)).toContainEqual(expect.objectContaining({ text })),
  );
  const { db } = site.app.database;
  await eventually(async () =>
    expect(
      await db.selectFrom('outbox').where('state', '=', 'waiting').selectAll().execute(),
    ).toEqual([]),
  );
  const subjects = site.mailbox.to(DESK).map(({ subject = '' }) => subject);
  expect(subjects).not.toContainEqual(expect.stringContaining('Your quote'));
});

describe('a quote’s link', () => {
  test.each(['', 'A'.repeat(21), 'A'.repeat(22)])(
    'with a cut or forged token (%s) opens nothing',
    async (token) => {
      expect((await site.open(token)).status).toBe(404);
      expect((await site.pay(token)).status).toBe(404);
    },
  );

  test('counts a view once per visit, and none for staff and programs', async () => {
    const quote = await site.save();
    await site.open(quote.token, staff);
    // As a program does that loads every link of a mail.
    await site.app.visitor().post('/api/quote', { token: quote.token });
    expect(await shownToStaff(quote)).toMatchObject({ opened: 0, lastOpenedAt: null });
    await site.open(quote.token);
    await site.open(quote.token);
    const { lastOpenedAt, ...once } = await shownToStaff(quote);
    expect(once).toMatchObject({ opened: 1, state: 'open' });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(lastOpenedAt) + 61_000 });
    await site.open(quote.token);
    // A session of that later time: the other's would lie in the future afterwards.
    const colleague = await site.app.staff();
    const later = (await colleague.get(`/api/admin/quotes/${quote.id}`)).json;
    expect(later.opened).toBe(2);
    expect(later.lastOpenedAt > lastOpenedAt).toBe(true);
  });
});

describe('a quote’s page', () => {
  const read = async (token: string, visitor = site.app.visitor()) => {
    const { status, text, headers } = await visitor.get(`/quote/${token}`);
    const [, shown = ''] = /<main[^>]*>(.*)<\/main>/s.exec(text) ?? [];
    return { status, headers, shown };
  };

  test('is server-rendered, is not cached, and does not count as viewed', async () => {
    const quote = await site.save();
    const { token, reference } = quote;
    const { status, headers, shown } = await read(token);
    expect(status).toBe(200);
    for (const text of [`Quote ${reference}`, '$624.50', `/checkout?quote=${token}`])
      expect(shown).toContain(text);
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store, no-transform',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    });
    expect((await shownToStaff(quote)).opened).toBe(0);
    await site.age(quote.id, 31);
    expect((await read(token)).shown).toMatch(/Expired \w+ \d+/);
    await withdraw(quote);
    expect((await read(token)).shown).toContain('This quote can’t be accepted anymore');
    for (const unknown of ['A'.repeat(22), 'x'])
      expect((await read(unknown)).shown).toContain('This link isn’t valid.');
  });

  test('says what the plan includes, as long as it can be accepted', async () => {
    const { token, id } = await site.save();
    expect((await read(token)).shown).toContain('Managed antivirus');
    await site.age(id, 31);
    expect((await read(token)).shown).not.toContain('Managed antivirus');
  });

  test('opens by a link that was copied with the end of a sentence', async () => {
    const { token } = await site.save();
    for (const end of ['.', ').', '%3E', ',%20thanks', '/', './']) {
      const { status, headers } = await read(`${token}${end}`);
      expect({ status, ...Object.fromEntries(headers) }).toMatchObject({
        ...{ status: 302, location: `/quote/${token}`, 'referrer-policy': 'no-referrer' },
      });
    }
  });

  test('labels what a visitor typed as the requester’s', async () => {
    const name = 'INVOICE PAID?';
    const { token } = await site.save({ name, company: 'Our Bank Has Changed' });
    const { shown } = await read(token);
    const [before = '', entered = ''] = shown.split('Prepared for');
    for (const text of [name, 'Our Bank Has Changed', QUOTE.note]) {
      expect(before).not.toContain(text);
      expect(entered).toContain(text);
    }
  });

  test('comes without the quote, for the browser to fetch, once a visitor has requested it too often', async () => {
    const { token, reference } = await site.save();
    const visitor = site.app.visitor();
    const shown = async () => (await read(token, visitor)).shown.includes(`Quote ${reference}`);
    for (let requests = 0; requests < 30; requests += 1) expect(await shown()).toBe(true);
    const [limited, another] = [await shown(), (await read(token)).shown];
    expect([limited, another.includes(`Quote ${reference}`)]).toEqual([false, true]);
  });
});

test('a quote’s page that fails is logged without its token', async () => {
  const broken = await startQuoteSite();
  onTestFinished(() => broken.stop());
  const log = captureLog();
  const { token } = await broken.save();
  await broken.app.database.db.schema.dropTable('quoteLinks').execute();
  expect((await broken.app.visitor().get(`/quote/${token}`)).status).toBe(500);
  const failed = { event: 'call-failed', path: '/quote/REMOVED' };
  expect(log.lines).toContainEqual(expect.objectContaining(failed));
  expect(JSON.stringify(log.lines)).not.toContain(token);
});

test('an expired quote that staff change is open again, for the days that they give it', async () => {
  const { token, id } = await site.save();
  await site.age(id, 31);
  expect((await site.open(token)).json.state).toBe('expired');
  const { changedAt } = (await staff.get(`/api/admin/quotes/${id}`)).json;
  const body = { ...QUOTE, discount: null, days: 20, send: false, changedAt };
  const changed = (await staff.post(`/api/admin/quotes/${id}`, body)).json;
  expect(changed.state).toBe('open');
  expect(Math.floor((Date.parse(changed.expiresAt) - Date.now()) / DAY_MS)).toBe(20);
});

describe('paying a quote', () => {
  test('uses the quote’s choice and prices, and the order names the quote', async () => {
    const quote = await site.save();
    const { reference, token } = quote;
    // The catalogue no longer has the plan.
    const gone = site.app.database.db.updateTable('quotes').set({ planId: 77 });
    await gone.where('id', '=', quote.id).execute();
    const { status, json } = await site.pay(token, { planId: 77 });
    expect([status, json.amount]).toEqual([200, AMOUNT]);
    expect((await staff.get(`/api/orders/${json.orderId}`)).json).toMatchObject({
      quote: reference,
      planName: 'Essential',
      amount: AMOUNT,
      status: 'paid',
    });
    const accepted = { state: 'accepted', orderId: json.orderId };
    expect(await shownToStaff(quote)).toMatchObject(accepted);
    const message = `Quote ${reference} has already been accepted. Nothing has been charged now.`;
    const again = await site.pay(token, { planId: 77 });
    expect(again).toMatchObject({ status: 409, json: { message } });
  });

  test('dates its acceptance, which an overdue month that is paid later does not change', async () => {
    const quote = await site.save();
    const { orderId } = (await site.pay(quote.token)).json;
    const { acceptedAt } = await shownToStaff(quote);
    const later = { kind: 'status', to: 'paid', passing: false } as const;
    await insertEvent(site.app.database.db, orderId, later, TEST_CAUSE);
    expect((await site.open(quote.token)).json).toMatchObject({ state: 'accepted', acceptedAt });
  });

  test.each([
    [{ amount: AMOUNT - 1 }, 409],
    [{ planId: 2 }, 400],
    [{ ms365Option: 'e3' }, 400],
    [{ includeCloudBackup: false }, 400],
  ])('with another choice or amount (%o) is refused without an order', async (change, status) => {
    const quote = await site.save();
    expect((await site.pay(quote.token, change)).status).toBe(status);
    expect(await ordersOf(quote)).toEqual([]);
  });

  test('is refused with 410 once it is withdrawn', async () => {
    const quote = await site.save();
    expect((await withdraw(quote)).json.state).toBe('withdrawn');
    expect((await site.open(quote.token)).json.state).toBe('withdrawn');
    expect((await site.pay(quote.token)).status).toBe(410);
  });

  test('works until the thirtieth day ends at the company', async () => {
    const quote = await site.save();
    const { token } = quote;
    const end = Date.parse((await shownToStaff(quote)).expiresAt);
    expect(localIsoTime(ownContent().company)(end)).toContain('T23:59:59');
    const at = async (now: number) => {
      vi.useFakeTimers({ toFake: ['Date'], now });
      const [opened, paid] = [await site.open(token), await site.pay(token, {}, 'declined')];
      const shown = (await site.app.visitor().get(`/quote/${token}`)).text;
      vi.useRealTimers();
      return [opened.json.state, paid.status, shown.includes('>Expired<')];
    };
    expect(await at(end - 1)).toEqual(['open', 200, false]);
    expect(await at(end)).toEqual(['expired', 410, true]);
  });

  test('blocks other buyers while the bank is confirming', async () => {
    const { token } = await site.save();
    const first = await site.pay(token, { email: 'one@fox.example' }, 'asks');
    expect(first.status).toBe(200);
    const second = await site.pay(token, { email: 'two@fox.example' });
    expect(second.status).toBe(409);
    expect(second.json.message).toContain('is being paid right now');
    expect((await staff.get(`/api/orders/${first.json.orderId}`)).json.status).toBe('processing');
  });

  test('by eight buyers at once leaves one paid order', async () => {
    const quote = await site.save();
    const buyers = Array.from({ length: 8 }, (_, at) => ({ email: `buyer-${at}@fox.example` }));
    await Promise.all(buyers.map((buyer) => site.pay(quote.token, buyer)));
    const paid = (await ordersOf(quote)).filter(({ status }) => status === 'paid');
    expect(paid).toHaveLength(1);
  });
});

test('a site that starts cancels an order that was unpaid for a day, and reminds its customer of the quote', async () => {
  const quote = await site.save();
  await site.pay(quote.token, {}, 'declined');
  await site.age(quote.id, 24);
  const createdAt = Date.now() - DAY_MS;
  await site.app.database.db.updateTable('orders').set({ createdAt }).execute();
  Object.assign(site.app, await site.app.restart());
  const reminders = site.app.database.db.selectFrom('outbox').where('kind', '=', 'quote-reminder');
  await eventually(async () => {
    expect(await ordersOf(quote)).toMatchObject([{ status: 'canceled' }]);
    expect(await reminders.select('subjectId').execute()).toEqual([{ subjectId: quote.id }]);
  });
});
