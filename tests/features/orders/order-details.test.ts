/** Customers and staff correct an order's facts; another address is confirmed by a link to it. */
import { expect, test } from 'vitest';
import { insertEvent } from '../../../src/billing/order-event-store.server.ts';
import { COULD_NOT } from '../../../src/billing/outcome.server.ts';
import { describeHistory } from '../../../src/orders/describe-event.server.ts';
import { eventually } from '../../support/eventually.ts';
import { notifiedSite } from '../../support/notified-site.ts';
import { customer, ownPage } from '../../support/own-page.ts';
import { parseCsv } from '../../support/parse-csv.ts';
import { historyOf, TEST_CAUSE } from '../../support/saved-order.ts';
import { atStripe, paidOrder, rowOf, sharedShop } from '../../support/stripe-shop.ts';

const JANE = 'jane@dealer.example';
const NEW = 'new.books@dealer.example';
const LONG = '+1 (770) 555-0102 extension 12';
const FACTS = {
  name: 'Jane Roe',
  company: 'Okafor Toyota',
  phone: '404-555-0123',
  billingAddress: '12 Peachtree Street\nSmyrna, GA 30080',
  billsTo: 'books@dealer.example',
};

const site = notifiedSite();
const shop = sharedShop();

const notesOf = async (orderId: number) =>
  describeHistory(await historyOf(site.app.database.db, orderId)).changes.map(({ text }) => text);

test('a customer corrects name, company, phone and address: later papers say the new, earlier ones what they said', async () => {
  const { ask, account, happen, orderId } = await customer(site.app);
  const { status, json } = await ask('details', FACTS);
  expect(status).toBe(200);
  const { name, company, phone, ...billing } = FACTS;
  expect(json).toMatchObject({ order: { name, company, phone }, ...billing });
  await happen('renewed');
  const [later, earlier] = (await account()).payments;
  expect(later.billedTo).toBeNull();
  expect(earlier.billedTo).toMatchObject({ name: 'Jane Doe', email: JANE });
  expect(await notesOf(orderId)).toContain(
    'Name, company, phone, billing address, address for papers corrected by the customer',
  );
  for (const [field, wrong] of [
    ['name', 'J'],
    ['billsTo', 'nobody'],
    ['billingAddress', '1\n2\n3\n4\n5\n6\n7'],
  ] as const)
    expect([field, (await ask('details', { ...FACTS, [field]: wrong })).status]).toEqual([
      field,
      400,
    ]);
});

test('the address for papers gets receipts as well, changes nothing, and is told of nothing else', async () => {
  const { ask, happen, orderId } = await customer(site.app);
  await insertEvent(site.app.database.db, orderId, { kind: 'link-opened' }, TEST_CAUSE);
  await ask('details', FACTS);
  await happen('renewed');
  await ask('cancel');
  await eventually(() =>
    expect(site.subjects(FACTS.billsTo)).toEqual([expect.stringContaining('Receipt for')]),
  );
  const text = site.mailbox.to(FACTS.billsTo)[0]?.text ?? '';
  expect(text).toMatch(/checkout\/order#[\w.-]+/);
  expect(text).not.toContain('/access/');
});

test('a customer who names their own address for papers gets each once', async () => {
  const { ask, happen, orderId } = await customer(site.app);
  await insertEvent(site.app.database.db, orderId, { kind: 'link-opened' }, TEST_CAUSE);
  await site.allAccepted();
  const before = site.mailbox.mails.length;
  await ask('details', { ...FACTS, billsTo: JANE.toUpperCase() });
  await happen('renewed');
  await site.allAccepted();
  const mails = site.mailbox.mails.slice(before).map(({ recipients }) => `${recipients}`);
  expect(mails.filter((to) => to.toLowerCase() === JANE)).toHaveLength(1);
});

test('another address of the order counts once its link is opened, and the former one is told', async () => {
  const { ask, account, visitor, orderId, token } = await customer(site.app);
  const other = await customer(site.app);
  await site.app.database.db
    .updateTable('orders')
    .set({ email: 'taken@dealer.example' })
    .where('id', '=', other.orderId)
    .execute();
  await site.allAccepted();
  // The answer does not say whether an address is another order's.
  for (const email of ['taken@dealer.example', NEW])
    expect((await ask('email', { email })).status).toBe(204);
  await eventually(() => expect(site.subjects(NEW)).toHaveLength(1));
  expect((await account()).order.email).toBe(JANE);
  const [, key] = /\/email\/([\w-]+)/.exec(site.mailbox.to(NEW)[0]?.text ?? '') ?? [];
  const confirm = (by: string | undefined) =>
    visitor.post('/api/order-page/email/confirm', { token, key: by });
  expect((await confirm('guessed')).status).toBe(409);
  expect((await confirm(key)).json.order.email).toBe(NEW);
  expect((await confirm(key)).status).toBe(409);
  await eventually(() => {
    expect(site.subjects(JANE).at(-1)).toContain('Another email address for order');
    expect(site.subjects(NEW).at(-1)).toContain('Your email address for order');
  });
  expect(await notesOf(orderId)).toContain('Email address corrected by the customer');
  const stranger = site.app.visitor();
  expect((await stranger.post('/api/order-page/email', { token, email: NEW })).status).toBe(409);
});

test('an address that was asked for before staff revoked the links of the order gets it no more', async () => {
  const { ask, orderId } = await customer(site.app);
  await ask('email', { email: NEW });
  await eventually(() => expect(site.subjects(NEW)).toHaveLength(1));
  const [, key] = /\/email\/([\w-]+)/.exec(site.mailbox.to(NEW)[0]?.text ?? '') ?? [];
  const staff = await site.app.staff();
  await staff.post(`/api/admin/orders/${orderId}/revoke-links`);
  const { url } = (await staff.post(`/api/admin/orders/${orderId}/link`)).json;
  const token = new URL(url).hash.slice(1).split('/')[0];
  const { status } = await site.app.visitor().post('/api/order-page/email/confirm', { token, key });
  expect(status).toBe(409);
});

test('of addresses that are asked for at once, the last alone can be confirmed', async () => {
  const { ask, orderId } = await customer(site.app);
  const asked = ['a', 'b', 'c'].map((name) => ask('email', { email: `${name}@dealer.example` }));
  for (const { status } of await Promise.all(asked)) expect(status).toBe(204);
  const rows = site.app.database.db.selectFrom('emailChanges').select('id');
  expect(await rows.where('orderId', '=', orderId).execute()).toHaveLength(1);
});

test('staff correct a mistyped address at the order, and both addresses are told', async () => {
  const { orderId } = await customer(site.app);
  const staff = await site.app.staff();
  const body = { ...FACTS, email: NEW };
  const { status, json } = await staff.post(`/api/admin/orders/${orderId}/details`, body);
  expect([status, json.email, json.name]).toEqual([200, NEW, FACTS.name]);
  await eventually(() => {
    expect(site.subjects(JANE).at(-1)).toContain('Another email address for order');
    expect(site.subjects(NEW).at(-1)).toContain('Your email address for order');
  });
  const notes = await notesOf(orderId);
  expect(notes.filter((note) => note.includes('corrected by admin'))).toHaveLength(1);
});

test('what staff change at Stripe’s customer is followed, and what is changed here is sent there', async () => {
  shop.fake.autoDeliver(shop.webhook);
  const { orderId: id } = await paidOrder(shop);
  const { customer: at } = await atStripe(shop, { orderId: id });
  shop.fake.editCustomer(String(at), (facts) => Object.assign(facts, { email: NEW, name: 'Ann' }));
  await eventually(async () => expect(await rowOf(shop, id)).toMatchObject({ email: NEW }));
  expect(await rowOf(shop, id)).toMatchObject({ name: 'Ann' });
  const staff = await shop.app.staff();
  await staff.post(`/api/admin/orders/${id}/details`, { ...FACTS, email: NEW });
  expect(shop.fake.state.customer.get(String(at))).toMatchObject({ name: FACTS.name });
  expect(await rowOf(shop, id)).toMatchObject({ name: FACTS.name, email: NEW });
});

test('a phone and an address that staff remove at Stripe’s customer go here as well', async () => {
  const { id } = await editedAtStripe();
  await editAtStripe(id, { phone: null, address: null });
  expect(await rowOf(shop, id)).toMatchObject({ phone: null, billingAddress: null });
});

test.each([
  ['of the sale', async () => ({ id: (await paidOrder(shop, { phone: LONG })).orderId })],
  ['in place of a shorter one', givenLonger],
])('a phone %s that is too long for Stripe stays', async (_which, placed) => {
  const { id } = await placed();
  await editAtStripe(id, { name: 'Ann' });
  expect(await rowOf(shop, id)).toMatchObject({ name: 'Ann', phone: LONG });
});

async function givenLonger() {
  const { id } = await editedAtStripe();
  const staff = await shop.app.staff();
  await staff.post(`/api/admin/orders/${id}/details`, { ...FACTS, email: NEW, phone: LONG });
  return { id };
}

/** Staff have given the customer a phone and an address at Stripe. */
async function editedAtStripe() {
  const { orderId: id } = await paidOrder(shop);
  const address = { line1: '1 Main St', city: 'Tampa', state: 'FL', postal_code: '33602' };
  await editAtStripe(id, { phone: '404-555-0199', address });
  const billingAddress = '1 Main St\nTampa, FL 33602';
  expect(await rowOf(shop, id)).toMatchObject({ phone: '404-555-0199', billingAddress });
  return { id };
}

async function editAtStripe(orderId: number, facts: object) {
  shop.fake.autoDeliver(shop.webhook);
  const { customer: at } = await atStripe(shop, { orderId });
  shop.fake.editCustomer(String(at), (customer) => void Object.assign(customer, facts));
  await shop.fake.settled();
}

test('who gives up the phone, or was deleted at Stripe by staff, is corrected all the same', async () => {
  const { orderId: id, visitor } = await paidOrder(shop);
  const { ask } = await ownPage(shop.app, id, visitor);
  const correct = async (change: object) =>
    [(await ask('details', { ...FACTS, ...change })).status, await rowOf(shop, id)] as const;
  expect(await correct({ phone: null })).toMatchObject([200, { name: FACTS.name, phone: null }]);
  const { customer: at } = await atStripe(shop, { orderId: id });
  shop.fake.state.customer.delete(String(at));
  expect(await correct({ name: 'Ann Roe' })).toMatchObject([200, { name: 'Ann Roe' }]);
});

test('a customer whose details Stripe refuses reads none of its words, which staff read', async () => {
  const { orderId: id, visitor } = await paidOrder(shop);
  const { ask } = await ownPage(shop.app, id, visitor);
  shop.fake.failNext({ how: 'status-400', path: /customers/, times: 9 });
  const refused = await ask('details', FACTS);
  const staff = await shop.app.staff();
  const toStaff = await staff.post(`/api/admin/orders/${id}/details`, { ...FACTS, email: NEW });
  shop.fake.clearFaults();
  expect([refused.status, refused.json.message]).toEqual([409, COULD_NOT]);
  expect(toStaff.json.message).toContain('account');
});

test('an address for papers, which Stripe does not have, is corrected also while Stripe is away', async () => {
  const { orderId: id } = await paidOrder(shop);
  const { name, email } = await rowOf(shop, id);
  const staff = await shop.app.staff();
  const { phone } = (await staff.get(`/api/orders/${id}`)).json;
  shop.fake.failNext({ how: 'status-500', path: /customers/, times: 9 });
  const facts = { ...FACTS, name, email, phone };
  expect((await staff.post(`/api/admin/orders/${id}/details`, facts)).status).toBe(200);
  shop.fake.clearFaults();
  expect(await rowOf(shop, id)).toMatchObject({ billsTo: FACTS.billsTo });
});

test('staff read at the order and in the CSV why a customer ends the plan', async () => {
  const { ask, orderId } = await customer(site.app);
  const why = { reason: 'price', words: 'Too dear for three people' };
  expect((await ask('cancel', { ...why, words: 'x'.repeat(501) })).status).toBe(400);
  expect((await ask('cancel', why)).status).toBe(200);
  const staff = await site.app.staff();
  const order = await staff.get(`/api/orders/${orderId}`);
  expect(order.json).toMatchObject({ endReason: 'price', endWords: why.words });
  const [, row] = parseCsv((await staff.get('/api/admin/orders/download')).text);
  expect(row).toEqual(expect.arrayContaining(['price', why.words]));
  await ask('keep');
  expect((await staff.get(`/api/orders/${orderId}`)).json.endReason).toBeNull();
});
