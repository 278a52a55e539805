/** A person who is erased leaves neither a billing address nor a request for links. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tablesWith } from '../../support/every-row.ts';
import { customer } from '../../support/own-page.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'shop@example.com',
    MAIL_TO: 'staff@example.com',
  });
});
afterAll(() => app.stop());

test('a billing address and what was asked for links go with the person', async () => {
  const { ask, orderId, visitor } = await customer(app);
  const email = 'jane@dealer.example';
  await ask('address', { address: '12 Peachtree Street' });
  await visitor.post('/api/order-page/links', { email: email.toUpperCase() });
  expect(await tablesWith(app.database, 'Peachtree')).toEqual(['orders']);
  expect(await tablesWith(app.database, email)).toEqual([
    'mailRecipients',
    'orderLinkRequests',
    'orders',
  ]);
  const staff = await app.staff();
  const copy = await staff.get(`/api/admin/people/download?find=${email}`);
  expect(copy.json.orders).toMatchObject([
    {
      billingAddress: '12 Peachtree Street',
      payments: [{ amount: 575, paid: true, card: 'Visa', cardEndsIn: '4242' }],
    },
  ]);
  await staff.post(`/api/admin/orders/${orderId}/cancel`, { when: 'now' });
  const { counts } = (await staff.get(`/api/admin/people?find=${email}`)).json;
  const { notices: _, ...shown } = counts;
  expect((await staff.post('/api/admin/people/erase', { email, ...shown })).status).toBe(200);
  for (const text of ['Peachtree', email])
    expect([text, await tablesWith(app.database, text)]).toEqual([text, []]);
  // The link opens nothing any more.
  expect((await ask('account')).status).toBe(404);
});
