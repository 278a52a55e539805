/** A visitor saves a quote; anyone with its link can view it and pay it at its prices. */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { AMOUNT, QUOTE, type QuoteSite, startQuoteSite } from '../../support/quote-site.ts';
import { OWN_PASSWORD } from '../../support/test-app.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

let site: QuoteSite;
beforeAll(async () => {
  site = await startQuoteSite(OWN_PASSWORD);
});
afterAll(() => site.stop());
afterEach(() => {
  vi.useRealTimers();
});

describe('saving a quote', () => {
  test('answers 201 with number, link, amount and end, and the link shows everything but the email', async () => {
    const answered = await site.app.visitor().post('/api/quotes', QUOTE);
    expect(answered.status).toBe(201);
    const { reference, url, amount, expiresAt } = answered.json;
    expect(reference).toMatch(/^Q-\d{9}$/);
    expect(url).toMatch(/^http:\/\/[^/]+\/quote\/[\w-]{22}$/);
    expect(amount).toBe(AMOUNT);
    expect((Date.parse(expiresAt) - Date.now()) / DAY_MS).toBeCloseTo(30, 1);
    const { json } = await site.open(url.split('/').at(-1));
    const { email: _, ...shown } = QUOTE;
    expect(json).toMatchObject({ ...shown, reference, state: 'open', amount, expiresAt });
    expect(json.lines.map((line: { amount: number }) => line.amount)).toEqual([450, 125, 49.5]);
    expect(JSON.stringify(json)).not.toContain(QUOTE.email);
  });

  test('stores no token, and gives each link its own', async () => {
    const [one, other] = [await site.save(), await site.save()];
    expect(one.token).not.toBe(other.token);
    const { db } = site.app.database;
    const rows = await db.selectFrom('quoteLinks').selectAll().execute();
    const quotes = await db.selectFrom('quotes').selectAll().execute();
    for (const { token } of [one, other])
      expect(JSON.stringify([rows, quotes])).not.toContain(token);
  });

  test.each([
    [{ planId: 9_999 }, 'planId'],
    [{ email: 'dana' }, 'email'],
    [{ note: 'x'.repeat(1_001) }, 'note'],
    [{ ms365Users: 0 }, 'ms365Users'],
  ])('refuses %o at its field', async (change, field) => {
    const { status, json } = await site.app.visitor().post('/api/quotes', { ...QUOTE, ...change });
    expect(status).toBe(400);
    expect(json.errors.map(({ path }: { path: string }) => path)).toContain(field);
  });

  test('drops users and backup if no Microsoft 365 option is chosen', async () => {
    const { token } = await site.save({ ms365Option: 'none' });
    const { json } = await site.open(token);
    expect(json).toMatchObject({ ms365Users: 0, includeCloudBackup: false, amount: 450 });
  });

  test('is allowed five times a day per mailbox, whoever saves it and however the address is spelled', async () => {
    const sent = Array.from({ length: 30 }, (_, at) =>
      site.app.visitor().post('/api/quotes', { ...QUOTE, email: `Flooded+${at}@fox.example` }),
    );
    const answers = await Promise.all(sent);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.headers.get('retry-after')).toBe('86400');
    const other = { ...QUOTE, email: 'x@fox.example' };
    expect((await site.app.visitor().post('/api/quotes', other)).status).toBe(201);
  });

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

describe('a quote’s link', () => {
  test.each(['', 'A'.repeat(21), 'A'.repeat(22)])(
    'with a cut or forged token (%s) opens nothing',
    async (token) => {
      expect((await site.open(token)).status).toBe(404);
      const ordered = site.app.visitor().post('/api/create-payment-intent', site.order(token));
      expect((await ordered).status).toBe(404);
    },
  );

  test('counts a view once per visit, and none for staff', async () => {
    const { token, id } = await site.save();
    const staff = await site.app.staff();
    const opened = async () => (await staff.get(`/api/admin/quotes/${id}`)).json;
    expect(await opened()).toMatchObject({ opened: 0, lastOpenedAt: null });
    await site.open(token, staff);
    expect(await opened()).toMatchObject({ opened: 0 });
    await site.open(token);
    await site.open(token);
    const { opened: times, state, lastOpenedAt } = await opened();
    expect([times, state]).toEqual([1, 'open']);
    const { db } = site.app.database;
    const earlier = Date.parse(lastOpenedAt) - 61_000;
    await db.updateTable('quotes').set({ lastOpenedAt: earlier }).where('id', '=', id).execute();
    await site.open(token);
    const later = await opened();
    expect(later.opened).toBe(2);
    expect(Date.parse(later.lastOpenedAt)).toBeGreaterThan(earlier);
  });

  test('is redacted in the access log, in URLs and referrers', async () => {
    const { token } = await site.save();
    const visitor = site.app.visitor();
    await visitor.get(`/quote/${token}`);
    await visitor.get(`/checkout?quote=${token}`, {
      referer: `${site.app.address}/quote/${token}`,
    });
    const staff = await site.app.staff();
    await eventually(async () => {
      const raw = (await staff.get('/api/admin/logs')).text;
      expect(raw).toContain('/quote/REMOVED');
      expect(raw).not.toContain(token);
    });
  });
});

describe('a quote’s page', () => {
  const read = async (token: string, visitor = site.app.visitor()) => {
    const { status, text, headers } = await visitor.get(`/quote/${token}`);
    const [, shown = ''] = /<main[^>]*>(.*)<\/main>/s.exec(text) ?? [];
    return { status, headers, shown };
  };

  test('is server-rendered, is not cached, and does not count as viewed', async () => {
    const { token, reference, id } = await site.save();
    const { status, headers, shown } = await read(token);
    expect(status).toBe(200);
    for (const text of [`Quote ${reference}`, '$624.50', `/checkout?quote=${token}`])
      expect(shown).toContain(text);
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    });
    const staff = await site.app.staff();
    expect((await staff.get(`/api/admin/quotes/${id}`)).json.opened).toBe(0);
    await site.age(id, 31);
    expect((await read(token)).shown).toContain('This quote has expired.');
    await staff.post(`/api/admin/quotes/${id}/withdraw`, {});
    expect((await read(token)).shown).toContain('This quote was withdrawn');
    for (const unknown of ['A'.repeat(22), 'x'])
      expect((await read(unknown)).shown).toContain('This link isn’t valid.');
  });

  test('labels what a visitor typed as the requester’s', async () => {
    const name = 'INVOICE PAID?';
    const { shown } = await read(
      (await site.save({ name, company: 'Our Bank Has Changed' })).token,
    );
    const [before = '', entered = ''] = shown.split('As entered by the requester');
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

test('moving a demo’s clock ahead expires quotes', async () => {
  const demo = await startQuoteSite();
  const { token, id } = await demo.save();
  const staff = await demo.app.staff();
  for (const _ of ['a month', 'and another']) {
    const { now } = (await staff.get('/api/admin/test-clock')).json;
    await staff.post('/api/admin/test-clock/ahead', { now });
  }
  const { now } = (await staff.get('/api/admin/test-clock')).json;
  expect((await demo.open(token)).json.state).toBe('expired');
  expect((await demo.pay(token)).status).toBe(410);
  expect((await staff.get('/api/admin/quotes')).json.counts).toEqual({ expired: 1 });
  const row = (await staff.get(`/api/admin/quotes/${id}`)).json;
  const body = { ...QUOTE, discount: null, days: 30, send: false, changedAt: row.changedAt };
  const changed = (await staff.post(`/api/admin/quotes/${id}`, body)).json;
  expect(changed.state).toBe('open');
  const left = Date.parse(changed.expiresAt) - Date.parse(now);
  expect(Math.round(left / DAY_MS)).toBe(30);
  const { json } = await demo.open((await demo.save()).token);
  expect([json.state, Date.parse(json.createdAt) >= Date.parse(now)]).toEqual(['open', true]);
  await demo.stop();
});

describe('paying a quote', () => {
  test('uses the quote’s choice and prices, and the order names the quote', async () => {
    const { token, reference, id } = await site.save();
    // The catalogue no longer has the plan.
    const { db } = site.app.database;
    await db.updateTable('quotes').set({ planId: 77 }).where('id', '=', id).execute();
    const { status, json } = await site.pay(token, { planId: 77 });
    expect([status, json.amount]).toEqual([200, AMOUNT]);
    const staff = await site.app.staff();
    expect((await staff.get(`/api/orders/${json.orderId}`)).json).toMatchObject({
      quote: reference,
      planName: 'Essential',
      amount: AMOUNT,
      status: 'paid',
    });
    expect((await staff.get(`/api/admin/quotes/${id}`)).json).toMatchObject({
      state: 'accepted',
      orderId: json.orderId,
    });
    const again = await site.pay(token, { planId: 77 });
    expect([again.status, again.json.message]).toEqual([
      409,
      `Quote ${reference} has already been paid. Nothing has been charged now.`,
    ]);
  });

  test.each([
    [{ amount: AMOUNT - 1 }, 409],
    [{ planId: 2 }, 400],
    [{ ms365Option: 'none', ms365Users: 0, includeCloudBackup: false }, 400],
  ])('with another choice or amount (%o) is refused without an order', async (change, status) => {
    const { token, id } = await site.save();
    expect((await site.pay(token, change)).status).toBe(status);
    const orders = await site.app.database.db
      .selectFrom('orders')
      .selectAll()
      .where('quoteId', '=', id)
      .execute();
    expect(orders).toEqual([]);
  });

  test('is refused with 410 once it is withdrawn', async () => {
    const { token, id } = await site.save();
    const staff = await site.app.staff();
    expect((await staff.post(`/api/admin/quotes/${id}/withdraw`, {})).json.state).toBe('withdrawn');
    expect((await site.open(token)).json.state).toBe('withdrawn');
    expect((await site.pay(token)).status).toBe(410);
  });

  test('works until the last millisecond of the thirtieth day', async () => {
    const { token, id } = await site.save();
    const staff = await site.app.staff();
    const row = async () => (await staff.get(`/api/admin/quotes/${id}`)).json;
    const end = Date.parse((await row()).expiresAt);
    const at = async (now: number) => {
      vi.useFakeTimers({ toFake: ['Date'], now });
      const [opened, paid] = [await site.open(token), await site.pay(token, {}, 'declined')];
      const shown = (await site.app.visitor().get(`/quote/${token}`)).text;
      vi.useRealTimers();
      return [opened.json.state, paid.status, shown.includes('This quote has expired.')];
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
    const staff = await site.app.staff();
    expect((await staff.get(`/api/orders/${first.json.orderId}`)).json.status).toBe('processing');
  });

  test('by eight buyers at once leaves one paid order', async () => {
    const { token, id } = await site.save();
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, at) => site.pay(token, { email: `buyer-${at}@fox.example` })),
    );
    expect(all.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    const paid = await site.app.database.db
      .selectFrom('orders')
      .select('id')
      .where('quoteId', '=', id)
      .where('status', '=', 'paid')
      .execute();
    expect(paid).toHaveLength(1);
  });
});
