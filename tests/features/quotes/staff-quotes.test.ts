/** Staff make, change, withdraw and list quotes. */
import { describe, expect, test } from 'vitest';
import { dayAfter, localDate } from '../../../src/company/days.ts';
import { eventually } from '../../support/eventually.ts';
import { ownContent } from '../../support/own-content.ts';
import { QUOTE, sharedQuoteSite } from '../../support/quote-site.ts';
import { sharedStaff } from '../../support/test-app.ts';

const BY_HAND = { ...QUOTE, discount: null, days: 14, send: false };
const TENTH = { kind: 'percent', value: 10, reason: 'Two stores' };

const site = sharedQuoteSite();
const staff = sharedStaff(() => site.app);

const make = (change = {}) => staff.post('/api/admin/quotes', { ...BY_HAND, ...change });
const change = (id: number, body: object) =>
  staff.post(`/api/admin/quotes/${id}`, { ...BY_HAND, ...body });
const withdraw = (id: number) => staff.post(`/api/admin/quotes/${id}/withdraw`, {});
const newToken = async (id: number) => {
  const { json } = await staff.post(`/api/admin/quotes/${id}/link`, {});
  return json.url.split('/').at(-1) as string;
};

describe('a discount', () => {
  test.each([
    [{ kind: 'percent', value: 33, reason: 'Rounded' }, 476, 148.5, 33],
    [{ kind: 'percent', value: 90, reason: 'Most' }, 219.5, 405, 90],
    [{ kind: 'dollars', value: 64.1, reason: 'Loyal' }, 560.4, 64.1, null],
    [{ kind: 'dollars', value: 449, reason: 'Nearly all' }, 175.5, 449, null],
  ])('%o is taken off the plan', async (discount, amount, off, percent) => {
    const { json } = await make({ discount });
    const plan = { unitPrice: 450 - off, amount: 450 - off };
    expect(json).toMatchObject({
      amount,
      discount: { amount: off, percent, reason: discount.reason },
      price: { lines: [plan, { amount: 125 }, { amount: 49.5 }], discount: { amount: off } },
    });
    const paid = await site.pay(await newToken(json.id), { amount });
    expect(paid).toMatchObject({ status: 200, json: { amount } });
  });

  const PERCENT = 'Please enter a whole number from 1 to 90';
  const DOLLARS = 'Please enter an amount such as 125.50 that leaves at least $1.00 of the plan';
  test.each([
    // What the form sends where it cannot read the field, as of '10%'.
    [{ kind: 'percent', value: 0, reason: 'Why' }, 'value', PERCENT],
    [{ kind: 'percent', value: 91, reason: 'Why' }, 'value', PERCENT],
    [{ kind: 'percent', value: 12.5, reason: 'Why' }, 'value', PERCENT],
    [{ kind: 'dollars', value: 449.01, reason: 'Why' }, 'value', DOLLARS],
    [{ kind: 'dollars', value: 0, reason: 'Why' }, 'value', DOLLARS],
    [{ kind: 'percent', value: 10, reason: '' }, 'reason', 'Please say why there is a discount'],
  ])('%o is refused at its field, in words for it', async (discount, field, message) => {
    const errors = [{ path: `discount.${field}`, message }];
    expect(await make({ discount })).toMatchObject({ status: 400, json: { errors } });
  });
});

test('a quote is made once by a press that is sent twice at once, or again since its answer was lost', async () => {
  const body = { ...BY_HAND, email: 'once@fox.example', send: true };
  const press = (change = {}) =>
    staff.post('/api/admin/quotes', { ...body, ...change }, { 'Idempotency-Key': 'staff-once' });
  const [first, ...others] = await Promise.all([press(), press(), press()]);
  for (const { json } of others) expect(json.id).toBe(first.json.id);
  expect((await press()).json).toEqual(first.json);
  expect((await staff.get('/api/admin/quotes?find=once%40fox')).json).toMatchObject({ total: 1 });
  expect((await press({ days: 15 })).status).toBe(409);
});

test('staff list the quotes of a day at the company', async () => {
  const { json } = await make({ name: 'Dated Quote' });
  const day = (later: number) =>
    localDate(ownContent().company, Date.parse(json.createdAt) + later * 86_400_000);
  const found = async (from: string, to: string) =>
    (await staff.get(`/api/admin/quotes?find=dated&from=${from}&to=${to}`)).json;
  expect(await found(day(0), day(0))).toMatchObject({ total: 1, quotes: [{ id: json.id }] });
  expect(await found(day(1), '')).toMatchObject({ total: 0, quotes: [] });
});

test('a quote by staff names its maker, lasts the chosen days, and is emailed only on request, as is its change', async () => {
  await make({ email: 'quiet@fox.example' });
  const email = 'by-hand@fox.example';
  const { json } = await make({ email, send: true, days: 3 });
  expect(json).toMatchObject({ madeBy: 'admin', email, state: 'open', opened: 0 });
  const left = Date.parse(json.expiresAt) - Date.now();
  expect(Math.floor(left / (24 * 60 * 60 * 1000))).toBe(3);
  await eventually(() => expect(site.mailbox.to(email)).toHaveLength(1));
  expect(site.mailbox.to(email)[0]?.text).toContain('We prepared this quote for you');
  await change(json.id, { email, send: true });
  await eventually(() => expect(site.mailbox.to(email)).toHaveLength(2));
  expect(site.mailbox.to(email)[1]?.text).toContain('We changed your quote');
  expect(site.mailbox.to('quiet@fox.example')).toEqual([]);
});

test.each([
  [30, true],
  [1, false],
])('a quote of %i days promises reminders on its page and in its email: %s', async (days, are) => {
  const email = `${days}-days@fox.example`;
  const { json } = await make({ email, send: true, days });
  await eventually(() => expect(site.mailbox.to(email)).toHaveLength(1));
  const page = await site.app.visitor().get(`/quote/${await newToken(json.id)}`);
  const texts = [page.text, site.mailbox.to(email)[0]?.text];
  expect(texts.map((text) => text?.includes('top reminders'))).toEqual([are, are]);
});

test('the email of a quote by invoice promises none before it is due', async () => {
  const email = 'later@fox.example';
  const startsOn = dayAfter(ownContent().company, Date.now(), 30);
  await make({ email, send: true, dueDays: 20, startsOn });
  await eventually(() => expect(site.mailbox.to(email)).toHaveLength(1));
  expect(site.mailbox.to(email)[0]?.text).toContain('print it, or accept it by invoice. Anyone');
});

describe('a change of a quote', () => {
  test('is shown by the same link, and only the new price can be paid', async () => {
    const { id, changedAt } = (await make()).json;
    const token = await newToken(id);
    const changed = await change(id, { ms365Users: 12, discount: TENTH, changedAt });
    expect(changed).toMatchObject({ status: 200, json: { amount: 614.4 } });
    expect((await site.open(token)).json).toMatchObject({ amount: 614.4, ms365Users: 12 });
    expect((await site.pay(token)).status).toBe(400);
    expect((await site.pay(token, { ms365Users: 12 })).status).toBe(409);
    expect((await site.pay(token, { ms365Users: 12, amount: 614.4 })).status).toBe(200);
  });

  test('is refused to a colleague who has not seen the change before it', async () => {
    const { id, changedAt } = (await make()).json;
    const first = await change(id, { changedAt, days: 20 });
    const second = await change(id, { changedAt, days: 99 });
    expect([first.status, second.status]).toEqual([200, 409]);
    expect((await staff.get(`/api/admin/quotes/${id}`)).json.expiresAt).toBe(first.json.expiresAt);
  });

  test.each(['declined', 'asks'])(
    'cancels an order whose card test is %s, so that no one pays the old price',
    async (card) => {
      const { id } = (await make()).json;
      const { orderId, clientSecret } = (await site.pay(await newToken(id), {}, card)).json;
      expect((await change(id, { discount: TENTH })).status).toBe(200);
      expect((await staff.get(`/api/orders/${orderId}`)).json.status).toBe('canceled');
      const late = await site.app
        .visitor()
        .post('/api/test-payments/confirm', { clientSecret, token: 'succeeds' });
      expect(late.json.status).toBe('canceled');
    },
  );

  test('is refused once the quote is withdrawn', async () => {
    const { id } = (await make()).json;
    for (const _twice of [1, 2]) expect((await withdraw(id)).json.state).toBe('withdrawn');
    expect((await change(id, {})).status).toBe(409);
  });

  test('is refused once the quote is paid, as is a withdrawal', async () => {
    const { id } = (await make()).json;
    const token = await newToken(id);
    await site.pay(token);
    expect([(await change(id, {})).status, (await withdraw(id)).status]).toEqual([409, 409]);
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
    if (name === 'Dot Gone') await withdraw(json.id);
  }
  const list = async (query: string) => (await staff.get(`/api/admin/quotes?${query}`)).json;
  expect(await list('find=lantern')).toMatchObject({
    quotes: ids.toReversed().map((id) => ({ id })),
    counts: { open: 1, accepted: 1, expired: 1, withdrawn: 1 },
  });
  for (const [at, state] of ['open', 'accepted', 'expired', 'withdrawn'].entries())
    expect(await list(`find=lantern&state=${state}`)).toMatchObject({
      total: 1,
      quotes: [{ id: ids[at] }],
    });
  expect((await list(`find=q-${ids[2]}`)).quotes).toHaveLength(1);
  expect((await list('find=nobody+at+all')).total).toBe(0);
});

test('making, changing, linking and withdrawing a quote are in the audit log', async () => {
  const { json } = await make();
  await change(json.id, {});
  await newToken(json.id);
  await withdraw(json.id);
  const { entries } = (await staff.get('/api/admin/audit')).json;
  const about = entries.filter(({ detail }: { detail: string }) => detail === json.reference);
  const kinds = about.map(({ kind }: { kind: string }) => kind);
  expect(kinds).toEqual(['quote-withdrawn', 'quote-link-made', 'quote-changed', 'quote-made']);
});

test('staff find whom the desk knows by name, company or address, each once and the newest first', async () => {
  await site.app.visitor().post('/api/contact', {
    ...{ name: 'Nadia Found', email: 'Nadia@found.example', phone: '', service: '' },
    message: 'Please call me back.',
  });
  await make({ name: 'N. Found', email: 'nadia@found.example', company: 'Found & Sons' });
  await make({ name: 'Omar Found', email: 'omar@found.example', company: null });
  const find = async (words: string) =>
    (await staff.get(`/api/admin/customers?find=${encodeURIComponent(words)}`)).json.people;
  const nadia = { name: 'N. Found', email: 'nadia@found.example', company: 'Found & Sons' };
  expect(await find('FOUND n')).toMatchObject([{ name: 'Omar Found', company: null }, nadia]);
  expect(await find('sons found')).toMatchObject([nadia]);
  expect((await find('')).slice(0, 2)).toMatchObject([{ name: 'Omar Found' }, nadia]);
  expect(await find('100%')).toEqual([]);
});

test('what staff write into a visitor’s quote is no longer called the customer’s note', async () => {
  const { id, token } = await site.save();
  const byVisitor = async () => (await site.open(token)).json.byVisitor;
  expect(await byVisitor()).toBe(true);
  expect((await change(id, { note: 'Held until Friday' })).status).toBe(200);
  expect(await byVisitor()).toBe(false);
});
