/** Where customers come from: what is stored beside what they send, and the sums by source. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CHROME, LOADED_AHEAD, pageOf, request } from '../../tests/support/access-records.ts';
import { SAMPLE_MESSAGE, SAMPLE_ORDER } from '../../tests/support/call-row.ts';
import { tablesWith } from '../../tests/support/every-row.ts';
import { executedStatements } from '../../tests/support/executed-statements.ts';
import { HOSTILE_CELLS, HOSTILE_TEXTS } from '../../tests/support/hostile-texts.ts';
import { parseCsv } from '../../tests/support/parse-csv.ts';
import { QUOTE } from '../../tests/support/quote-site.ts';
import { startTestApp, type TestApp } from '../../tests/support/test-app.ts';
import type { Visitor } from '../../tests/support/visitor.ts';
import { AccessLog } from '../access-log/access-log.server.ts';
import { trimAccessLog } from '../access-log/trim-access-log.server.ts';
import { chunk } from '../platform/database/queries.server.ts';
import { DAY_MS } from '../platform/time.ts';
import { expireMessages } from '../privacy/expire-messages.server.ts';
import { type AttributedKind, sourceOf } from './attribution-store.server.ts';
import { readFirstVisit, visitLabel } from './read-visit.server.ts';

let app: TestApp;
let staff: Visitor;
beforeEach(async () => {
  app = await startTestApp();
  staff = await app.staff();
});
afterEach(() => app.stop());

/** The header of a tab whose first request was this. */
function firstVisit(query: Record<string, string> = {}): Record<string, string> {
  return { 'First-Visit': String(new URLSearchParams({ page: '/', ...query })) };
}

const FALL = {
  page: '/resources',
  host: 'www.news.example',
  source: 'Google',
  medium: 'cpc',
  campaign: 'fall dealers',
};
const FALL_VIEW = 'google, cpc, fall dealers, from news.example, first page /resources';

let messages = 0;
const write = (headers = {}, by = app.visitor()) =>
  by.post('/api/contact', { ...SAMPLE_MESSAGE, name: `Jane ${++messages}` }, headers);
const chat = (headers = {}, by = app.visitor()) =>
  by.post('/api/teams-chat', { message: 'Is anybody there?' }, headers);
const save = (headers = {}, by = app.visitor()) => by.post('/api/quotes', QUOTE, headers);

async function buy(headers = {}, { order = {}, by = app.visitor() } = {}): Promise<number> {
  const body = { ...SAMPLE_ORDER, email: `${Math.random()}@dealer.example`, ...order };
  const { json } = await by.post('/api/create-payment-intent', body, headers);
  const { clientSecret } = json;
  await by.post('/api/test-payments/confirm', { clientSecret, token: 'succeeds' });
  return json.orderId;
}

type Sums = Record<'visits' | 'messages' | 'quotes' | 'orders' | 'money', number> & {
  source: string;
};

const attributionOf = (kind: AttributedKind, id: number) => sourceOf(app.database.db, kind, id);
async function sources(days = 30): Promise<Sums[]> {
  const { json } = await staff.move().get('/api/admin/sources');
  return json.sources.flatMap(({ days: period, ...sums }: Sums & { days: number }) =>
    period === days ? [sums] : [],
  );
}

describe('a visitor whose tab began with a campaign', () => {
  test('is shown to staff with it beside their message, chat, quote and order', async () => {
    const headers = firstVisit(FALL);
    await write(headers);
    const chatting = app.visitor();
    await chat(headers, chatting);
    await chat(firstVisit({ source: 'later' }), chatting);
    const { json: quote } = await save(headers);
    const orderId = await buy(headers);
    for (const thread of [1, 2]) {
      expect(await attributionOf('thread', thread)).toEqual(FALL_VIEW);
      expect((await staff.get(`/api/admin/threads/${thread}`)).json.source).toEqual(FALL_VIEW);
    }
    const quoteId = quote.reference.replace(/\D/g, '');
    expect((await staff.get(`/api/admin/quotes/${quoteId}`)).json.source).toEqual(FALL_VIEW);
    expect((await staff.get(`/api/orders/${orderId}`)).json.source).toEqual(FALL_VIEW);
  });

  test('who accepts their quote later, from its email, still came by the campaign', async () => {
    const { json: quote } = await save(firstVisit(FALL));
    const token = new URL(quote.url).pathname.split('/')[2];
    const { planId, ms365Option, ms365Users, includeCloudBackup } = QUOTE;
    const order = { planId, ms365Option, ms365Users, includeCloudBackup };
    const orderId = await buy(firstVisit({ page: `/quote/${token}` }), {
      order: { ...order, amount: quote.amount, quote: token },
    });
    expect(await attributionOf('order', orderId)).toEqual(FALL_VIEW);
    expect(await tablesWith(app.database, String(token))).toEqual([]);
  });
});

test('a message without script, or from a browser that says nothing, is of unknown source', async () => {
  const form = new URLSearchParams(SAMPLE_MESSAGE);
  const type = 'application/x-www-form-urlencoded';
  const sent = { method: 'POST', headers: { 'Content-Type': type }, body: `${form}` };
  expect((await app.visitor().send('/contact', sent)).status).toBe(200);
  await save(firstVisit());
  expect(await attributionOf('thread', 1)).toBe('Unknown');
  expect((await sources()).map(({ source }) => source).toSorted()).toEqual(['Direct', 'Unknown']);
});

test('an order without a payment, a colleague’s message and a bot’s count as none', async () => {
  await app.visitor().post('/api/create-payment-intent', SAMPLE_ORDER, firstVisit());
  await write(firstVisit(), staff);
  await write({ ...firstVisit(), 'User-Agent': 'Mozilla/5.0 (compatible; SpamBot/1.0)' });
  expect(await sources()).toEqual([
    { source: 'Direct', visits: 0, messages: 0, quotes: 0, orders: 0, money: 0 },
  ]);
});

test('no text in the header is refused, or kept if it is an email address, invisible or another line', async () => {
  const long = 'x'.repeat(5_000);
  const texts = [...HOSTILE_TEXTS, ...HOSTILE_CELLS, 'ann@lakeside.example', long, 'a\u202eb\nc'];
  for (const text of texts) {
    const visit = { page: text, host: text, source: text, medium: text, campaign: text };
    const attribution = readFirstVisit(new Headers(firstVisit(visit)));
    for (const value of Object.values(attribution)) {
      expect(value ?? '').not.toMatch(/[^\s@]@[^\s@]|[\p{C}\u2028\u2029]/u);
      expect((value ?? '').length).toBeLessThanOrEqual(201);
    }
    // Both of these lead somewhere, so they keep their strict form.
    expect(attribution.page ?? '/').toMatch(/^\/[\w./-]*$/);
    expect(attribution.host ?? 'x').toMatch(/^[a-z\d.-]+$/);
  }
  const parse = vi.spyOn(URL, 'parse');
  readFirstVisit(new Headers({ 'First-Visit': `host=${'%E4%B8%80'.repeat(400)}` }));
  const referer = `https://${'%E4%B8%80'.repeat(1_700)}/`;
  visitLabel({ method: 'GET', url: '/', headers: { 'user-agent': CHROME, referer } });
  for (const [url] of parse.mock.calls) expect(String(url).length).toBeLessThanOrEqual(500);
  parse.mockRestore();
  const quote = firstVisit({ page: '/quote/hushhushhushhush' });
  expect(readFirstVisit(new Headers(quote)).page).toBe('/quote');
  for (const header of ['', '%', '%FF%00', '&&&=', long, 'page=%2F&page=%2F&other=1'])
    expect((await write({ 'First-Visit': header })).status).toBe(200);
});

const visit = (query: string, referrer = '', more = {}) =>
  app
    .visitor()
    .get(query, { 'User-Agent': CHROME, ...(referrer && { Referer: referrer }), ...more });

describe('the sums by source', () => {
  test('equal a recount from what visitors did, in the CSV too, and follow a refund', async () => {
    const DID = { google: [3, 2, 1, 2], 'news.example': [2, 1, 0, 0], Direct: [1, 0, 1, 1] };
    const google = firstVisit({ source: 'google' });
    const news = firstVisit({ host: 'www.news.example' });
    for (let n = 0; n < 3; n += 1) await visit('/?utm_source=Google', 'https://google.example/');
    for (const path of ['/news', '/resources/']) await visit(path, 'https://news.example/x');
    await visit('/');
    // Within the visit.
    await visit('/news', `${app.address}/`);
    await visit('/news', '', { 'Sec-Fetch-Site': 'same-origin' });
    await write(google);
    await chat(google);
    await write(news);
    await save(google);
    await save(firstVisit());
    const paid = [await buy(google), await buy(google), await buy(firstVisit())];
    await staff.move().post(`/api/admin/orders/${paid[0]}/refund`, { amount: 100 });
    const rows = Object.entries(DID).map(([source, [visits, messages, quotes, orders = 0]]) => ({
      source,
      ...{ visits, messages, quotes, orders },
      money: 450 * orders - (source === 'google' ? 100 : 0),
    }));
    const order = ['google', 'Direct', 'news.example'];
    const expected = rows.toSorted((a, b) => order.indexOf(a.source) - order.indexOf(b.source));
    for (const days of [30, 90]) expect(await sources(days)).toEqual(expected);
    const [names, ...cells] = parseCsv((await staff.get('/api/admin/sources/download')).text);
    expect(names).toEqual(['days', ...Object.keys(expected[0] ?? {})]);
    expect(
      cells.map(([days, source, ...sums]) => [Number(days), source, ...sums.map(Number)]),
    ).toEqual([30, 90].flatMap((days) => expected.map((row) => [days, ...Object.values(row)])));
  });

  test('do not move by hundreds of requests of bots, of colleagues, loaded ahead, or to no page', async () => {
    await visit('/?utm_source=one');
    const before = await sources();
    const agents = [
      'Googlebot/2.1 (+http://www.google.com/bot.html)',
      'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
      'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/136.0.0.0 Safari/537.36',
      ...['curl/8.5.0', 'python-requests/2.32', 'Go-http-client/2.0', 'WhatsApp/2.23', ''],
    ];
    const others = [...agents.map((agent) => ({ 'User-Agent': agent })), ...LOADED_AHEAD];
    for (let n = 0; n < 200; n += 20)
      await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          visit(`/?utm_source=two`, 'https://x.example/', others[(n + index) % others.length]),
        ),
      );
    await staff.get('/?utm_source=two', { 'User-Agent': CHROME });
    for (const path of ['/nowhere', '/admin-login', '/api/plans', '/robots.txt'])
      await visit(`${path}?utm_source=two`);
    expect(await sources()).toEqual(before);
  });

  test('name the AI assistant that sent a visitor, by utm_source or by its host, after the rest', async () => {
    const labels = {
      ChatGPT: ['chatgpt.com', 'chat.openai.com'],
      Copilot: ['copilot.microsoft.com', 'copilot.com'],
      Gemini: ['gemini.google.com', 'bard.google.com'],
      Perplexity: ['perplexity.ai', 'www.perplexity.ai'],
      Claude: ['claude.ai', 'claude.ai'],
    };
    for (const [name, [source = '', host = '']] of Object.entries(labels)) {
      await visit(`/?utm_source=${source}`);
      await visit('/', `https://${host}/`);
      await write(firstVisit({ source: name }));
      await write(firstVisit({ host }));
    }
    await visit('/', 'https://notclaude.ai/');
    const listed = (await sources()).map((each) => [each.source, each.visits, each.messages]);
    expect(listed.slice(0, 1)).toEqual([['notclaude.ai', 1, 0]]);
    expect(new Map(listed.slice(1).map(([source, ...sums]) => [source, sums]))).toEqual(
      new Map(Object.keys(labels).map((name) => [name, [2, 2]])),
    );
  });

  test('keep a campaign’s name for 90 days, however many others somebody makes up', async () => {
    const log = new AccessLog(app.database.db, 1024, pageOf);
    const now = Date.now();
    const add = (days: number, source: string) => log.add(request(now - days * DAY_MS, { source }));
    for (let n = 0; n < 200; n += 1) add(0, `made up ${n}`);
    for (const days of [0, 29, 89, 92]) for (const _ of [1, 2]) add(days, `${days} days ago`);
    await log.close();
    await trimAccessLog(app.database, now, 48);
    const kept = app.database.db.selectFrom('accessLogHours').selectAll();
    expect(await kept.where('kind', '=', 'source').execute()).toHaveLength(53);
    const listed = await sources(90);
    expect(listed).toHaveLength(51);
    expect(listed.slice(0, 3).map(({ source, visits }) => [source, visits])).toEqual([
      ['0 days ago', 2],
      ['29 days ago', 2],
      ['89 days ago', 2],
    ]);
    const visits = async (days: number) =>
      (await sources(days)).reduce((sum, each) => sum + each.visits, 0);
    expect([await visits(90), await visits(30)]).toEqual([206, 204]);
  });
});

test('sources beyond the first fifty are one row, and all are read, in batches', async () => {
  for (const _ of [1, 2]) await buy(firstVisit({ source: 'google' }));
  const { db } = app.database;
  const made = Array.from({ length: 6_000 }, (_, n) => ({
    kind: 'thread' as const,
    subjectId: 1_000 + n,
    at: Date.now() - n,
    source: `made up ${n}`,
    medium: null,
    campaign: null,
    host: null,
    page: '/',
  }));
  for (const rows of chunk(made)) await db.insertInto('attributions').values(rows).execute();
  await visit('/?utm_source=chatgpt.com');
  const executed = executedStatements(app);
  const listed = await sources();
  expect(
    executed.filter((sql) => / from "attributions"/.test(sql) && !/ limit /.test(sql)),
  ).toEqual([]);
  expect(listed.reduce((sum, { messages }) => sum + messages, 0)).toBe(6_000);
  expect(listed[0]).toMatchObject({ source: 'google', orders: 2, money: 900 });
  expect(listed).toHaveLength(52);
  expect(listed.slice(-2).map(({ source }) => source)).toEqual(['Other sources', 'ChatGPT']);
});

test('where a person came from goes with them, and with what has expired', async () => {
  const headers = firstVisit({ source: 'tell-tale' });
  await write(headers);
  await save({ ...headers });
  await app.visitor().post('/api/contact', { ...SAMPLE_MESSAGE, email: 'old@x.example' }, headers);
  const copy = await staff.get(`/api/admin/people/download?find=${SAMPLE_MESSAGE.email}`);
  expect(copy.json.threads).toMatchObject([{ source: 'tell-tale, first page /' }]);
  const left = () => app.database.db.selectFrom('attributions').select('subjectId').execute();
  await staff.post('/api/admin/people/erase', { email: SAMPLE_MESSAGE.email });
  await staff.post('/api/admin/people/erase', { email: QUOTE.email });
  expect(await left()).toHaveLength(1);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + DAY_MS });
  await expireMessages(1 / DAY_MS, app.database.db);
  expect(await left()).toEqual([]);
});
