/** The company that a buyer names stands wherever the order does. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { FakeTeams } from '../../support/fake-teams.ts';
import { Mailbox } from '../../support/mailbox.ts';
import { openShop, submit } from '../../support/stripe-shop.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

const COMPANY = 'Lantern Row Motors';
const BUYER = { name: 'Pat Buyer', email: 'pat@lantern.example', planId: 1, amount: 450 };

let teams: FakeTeams;
let mailbox: Mailbox;
let app: TestApp;
beforeAll(async () => {
  teams = await FakeTeams.start();
  mailbox = await Mailbox.start();
  app = await startTestApp({ ...teams.variables, ...mailbox.variables });
});
afterAll(async () => {
  await app.stop();
  await Promise.all([teams.stop(), mailbox.stop()]);
});

async function buy(company?: string) {
  const visitor = app.visitor();
  const body = company === undefined ? BUYER : { ...BUYER, company };
  const { status, json } = await visitor.post('/api/create-payment-intent', {
    ...body,
    another: true,
  });
  expect(status).toBe(200);
  await visitor.post('/api/test-payments/confirm', {
    clientSecret: json.clientSecret,
    token: 'succeeds',
  });
  return { id: json.orderId as number, visitor };
}

test('its buyer, colleagues and the cards have it', async () => {
  const { id, visitor } = await buy(`  ${COMPANY} `);
  expect((await visitor.get(`/api/orders/${id}`)).json.company).toBe(COMPANY);
  const staff = await app.staff();
  expect((await staff.get(`/api/orders/${id}`)).json.company).toBe(COMPANY);
  const found = (await staff.get('/api/admin/orders?find=lantern+row')).json.orders;
  expect(found.map((each: { id: number }) => each.id)).toEqual([id]);
  const csv = (await staff.get('/api/admin/orders/download')).text;
  expect(csv.split('\r\n')[0]?.split(',')).toContain('company');
  expect(csv).toContain(COMPANY);
  await eventually(() => expect(mailbox.to(BUYER.email)).toHaveLength(1));
  // The test gateway takes no real money, so no mail repeats what somebody typed.
  expect(mailbox.to(BUYER.email)[0]?.text).not.toContain(COMPANY);
  await eventually(() => expect(teams.accepted[0]?.text).toContain(COMPANY));
});

test('without one nothing speaks of it', async () => {
  for (const company of [undefined, '', '   ']) {
    const { id, visitor } = await buy(company);
    expect((await visitor.get(`/api/orders/${id}`)).json.company).toBeNull();
    await eventually(() => expect(mailbox.to(BUYER.email).at(-1)?.text).toContain(`O-${id}`));
    expect(mailbox.to(BUYER.email).at(-1)?.text).not.toContain('Company');
  }
});

test('what cannot be one is refused at its field', async () => {
  for (const company of ['x'.repeat(101), 'a\u0007b', 7, ['x']]) {
    const { status, json } = await app
      .visitor()
      .post('/api/create-payment-intent', { ...BUYER, company });
    expect(status).toBe(400);
    expect(json.errors.map(({ path }: { path: string }) => path)).toEqual(['company']);
  }
});

test('the subscription at Stripe carries it', async () => {
  const shop = await openShop();
  try {
    const placed = await submit(shop.app.visitor(), { company: COMPANY });
    const { orderId } = placed.json;
    const marks = [...shop.fake.state.subscription.values()].map(({ metadata }) => metadata);
    expect(marks).toEqual([expect.objectContaining({ orderId: `${orderId}`, company: COMPANY })]);
    const { json } = await submit(shop.app.visitor(), { email: 'no.company@example.com' });
    const other = [...shop.fake.state.subscription.values()].find(
      ({ metadata }) => metadata.orderId === `${json.orderId}`,
    );
    expect(other?.metadata).not.toHaveProperty('company');
  } finally {
    await shop.close();
  }
});
