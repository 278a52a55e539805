/** Staff make, change, withdraw and list quotes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { QUOTE, type QuoteSite, startQuoteSite } from '../../support/quote-site.ts';
import type { Visitor } from '../../support/visitor.ts';

const BY_HAND = { ...QUOTE, discount: null, days: 14, send: false };
const TENTH = { kind: 'percent', value: 10, reason: 'Two stores' };

let site: QuoteSite;
let staff: Visitor;
beforeAll(async () => {
  site = await startQuoteSite();
  staff = await site.app.staff();
});
afterAll(() => site.stop());

const make = (change = {}) => staff.post('/api/admin/quotes', { ...BY_HAND, ...change });
const newToken = async (id: number) => {
  const { json } = await staff.post(`/api/admin/quotes/${id}/link`, {});
  return json.url.split('/').at(-1) as string;
};

describe('a discount', () => {
  test.each([
    [{ kind: 'percent', value: 33, reason: 'Rounded' }, 476, 148.5, 33],
    [{ kind: 'dollars', value: 50.25, reason: 'Loyal' }, 574.25, 50.25, null],
    [{ kind: 'dollars', value: 449, reason: 'Nearly all' }, 175.5, 449, null],
  ])('%o is taken off the plan', async (discount, amount, off, percent) => {
    const { status, json } = await make({ discount });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      amount,
      discount: { amount: off, percent, reason: discount.reason },
    });
    const [plan, ...rest] = json.lines;
    expect(plan).toMatchObject({ unitPrice: 450 - off, amount: 450 - off });
    expect(rest.map((line: { amount: number }) => line.amount)).toEqual([125, 49.5]);
    const paid = await site.pay(await newToken(json.id), { amount });
    expect([paid.status, paid.json.amount]).toEqual([200, amount]);
  });

  test.each([
    { kind: 'percent', value: 91, reason: 'Why' },
    { kind: 'percent', value: 12.5, reason: 'Why' },
    { kind: 'dollars', value: 449.01, reason: 'Why' },
    { kind: 'dollars', value: -5, reason: 'Why' },
    { kind: 'percent', value: 10, reason: '' },
  ])('%o is refused', async (discount) => {
    const { status, json } = await make({ discount });
    expect(status).toBe(400);
    expect(json.errors[0].path).toMatch(/^discount\./);
  });
});

test('a quote by staff names its maker, lasts the chosen days, and is emailed only on request', async () => {
  await make({ email: 'quiet@fox.example' });
  const email = 'by-hand@fox.example';
  const { json } = await make({ email, send: true, days: 3 });
  expect(json).toMatchObject({ madeBy: 'admin', email, state: 'open', opened: 0 });
  const left = Date.parse(json.expiresAt) - Date.now();
  expect(Math.round(left / (60 * 60 * 1000))).toBe(72);
  await eventually(() => expect(site.mailbox.to(email)).toHaveLength(1));
  expect(site.mailbox.to(email)[0]?.text).toContain('We prepared this quote for you');
  expect(site.mailbox.to('quiet@fox.example')).toEqual([]);
});

describe('a change of a quote', () => {
  test('is shown by the same link, and only the new price can be paid', async () => {
    const { json } = await make();
    const { id, changedAt } = json;
    const token = await newToken(json.id);
    const changed = await staff.post(`/api/admin/quotes/${id}`, {
      ...BY_HAND,
      ms365Users: 12,
      discount: TENTH,
      changedAt,
    });
    expect([changed.status, changed.json.amount]).toEqual([200, 614.4]);
    expect((await site.open(token)).json).toMatchObject({ amount: 614.4, ms365Users: 12 });
    expect((await site.pay(token)).status).toBe(400);
    expect((await site.pay(token, { ms365Users: 12 })).status).toBe(409);
    expect((await site.pay(token, { ms365Users: 12, amount: 614.4 })).status).toBe(200);
  });

  test('is refused to a colleague who has not seen the change before it', async () => {
    const { json } = await make();
    const { id, changedAt } = json;
    const body = { ...BY_HAND, changedAt };
    const first = await staff.post(`/api/admin/quotes/${id}`, { ...body, days: 20 });
    const second = await staff.post(`/api/admin/quotes/${id}`, { ...body, days: 99 });
    expect([first.status, second.status]).toEqual([200, 409]);
    expect((await staff.get(`/api/admin/quotes/${id}`)).json.expiresAt).toBe(first.json.expiresAt);
  });

  test.each(['declined', 'asks'])(
    'cancels an order whose card test is %s, so that no one pays the old price',
    async (card) => {
      const { json } = await make();
      const begun = (await site.pay(await newToken(json.id), {}, card)).json;
      const change = { ...BY_HAND, discount: TENTH };
      expect((await staff.post(`/api/admin/quotes/${json.id}`, change)).status).toBe(200);
      expect((await staff.get(`/api/orders/${begun.orderId}`)).json.status).toBe('canceled');
      const { clientSecret } = begun;
      const late = await site.app
        .visitor()
        .post('/api/test-payments/confirm', { clientSecret, token: 'succeeds' });
      expect(late.json.status).toBe('canceled');
    },
  );

  test('is refused once the quote is paid, as is a withdrawal', async () => {
    const { json } = await make();
    const { id } = json;
    const token = await newToken(json.id);
    await site.pay(token);
    for (const path of ['', '/withdraw']) {
      const { status } = await staff.post(`/api/admin/quotes/${id}${path}`, BY_HAND);
      expect(status).toBe(409);
    }
    expect((await site.open(token)).json.state).toBe('accepted');
  });
});

test('a new link opens the same quote, and the old one keeps working', async () => {
  const { json } = await make();
  const tokens = [await newToken(json.id), await newToken(json.id)];
  for (const token of tokens) expect((await site.open(token)).json.reference).toBe(json.reference);
  expect(tokens[0]).not.toBe(tokens[1]);
});

test('staff search the list, filter it by state and see counts, newest first', async () => {
  const own = (name: string) => ({ name, company: 'Lantern Row', email: 'lantern@row.example' });
  const ids: number[] = [];
  for (const name of ['Ann Open', 'Bea Paid', 'Cid Late', 'Dot Gone']) {
    const { json } = await make(own(name));
    ids.push(json.id);
    if (name === 'Bea Paid') await site.pay(await newToken(json.id));
    if (name === 'Cid Late') await site.age(json.id, 15);
    if (name === 'Dot Gone') await staff.post(`/api/admin/quotes/${json.id}/withdraw`, {});
  }
  const list = async (query: string) => (await staff.get(`/api/admin/quotes?${query}`)).json;
  const all = await list('find=lantern');
  expect(all.quotes.map(({ id }: { id: number }) => id)).toEqual(ids.toReversed());
  expect(all.counts).toEqual({ open: 1, accepted: 1, expired: 1, withdrawn: 1 });
  for (const [at, state] of ['open', 'accepted', 'expired', 'withdrawn'].entries()) {
    const { quotes, total } = await list(`find=lantern&state=${state}`);
    expect([total, quotes.map((each: { id: number }) => each.id)]).toEqual([1, [ids[at]]]);
  }
  expect((await list(`find=q-${ids[2]}`)).quotes).toHaveLength(1);
  expect((await list('find=nobody+at+all')).total).toBe(0);
});

test('making and withdrawing a quote are in the audit log', async () => {
  const { json } = await make();
  await staff.post(`/api/admin/quotes/${json.id}/withdraw`, {});
  const { entries } = (await staff.get('/api/admin/audit')).json;
  const about = entries.filter(({ detail }: { detail: string }) => detail === json.reference);
  expect(about.map(({ kind }: { kind: string }) => kind)).toEqual([
    'quote-withdrawn',
    'quote-made',
  ]);
});
