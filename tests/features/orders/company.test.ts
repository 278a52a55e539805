/** The company that a buyer names stands wherever the order does. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
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

test('its buyer, colleagues and the cards have it', async () => {
  const visitor = app.visitor();
  const body = { ...BUYER, company: `  ${COMPANY} ` };
  const { json } = await visitor.post('/api/create-payment-intent', body);
  const { clientSecret, orderId } = json;
  await visitor.post('/api/test-payments/confirm', { clientSecret, token: 'succeeds' });
  const staff = await app.staff();
  for (const reader of [visitor, staff])
    expect((await reader.get(`/api/orders/${orderId}`)).json.company).toBe(COMPANY);
  const found = (await staff.get('/api/admin/orders?find=lantern+row')).json.orders;
  expect(found.map((each: { id: number }) => each.id)).toEqual([orderId]);
  await eventually(() => expect(mailbox.to(BUYER.email)).toHaveLength(1));
  // The test gateway takes no real money, so no mail repeats what a stranger typed.
  expect(mailbox.to(BUYER.email)[0]?.text).not.toContain(COMPANY);
  await eventually(() => expect(teams.accepted[0]?.text).toContain(COMPANY));
});

test('what cannot be one is refused at its field, and nothing is taken as none', async () => {
  const buy = (company: unknown) =>
    app.visitor().post('/api/create-payment-intent', { ...BUYER, company, another: true });
  for (const company of ['x'.repeat(101), 'a\u0007b', 7]) {
    const { status, json } = await buy(company);
    expect([status, json.errors.map(({ path }: { path: string }) => path)]).toEqual([
      400,
      ['company'],
    ]);
  }
  for (const company of ['', '   ']) {
    const { orderId } = (await buy(company)).json;
    const { json } = await (await app.staff()).get(`/api/orders/${orderId}`);
    expect(json.company).toBeNull();
  }
});

test('the subscription at Stripe carries it', async () => {
  const shop = await openShop();
  onTestFinished(() => shop.close());
  const { orderId } = (await submit(shop.app.visitor(), { company: COMPANY })).json;
  await submit(shop.app.visitor(), { email: 'no.company@example.com' });
  const [one, other] = [...shop.fake.state.subscription.values()].map(({ metadata }) => metadata);
  expect(one).toMatchObject({ orderId: `${orderId}`, company: COMPANY });
  expect(other).not.toHaveProperty('company');
});
