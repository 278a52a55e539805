/** While one instance is brought to a new version, which adds columns, the others go on with the statements they have. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SAMPLE_MESSAGE, SAMPLE_ORDER } from '../../support/call-row.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';
import type { Visitor } from '../../support/visitor.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

async function callAll(buyer: Visitor, staff: Visitor): Promise<number[]> {
  // Stored in a transaction by the first statement of all: that one has no other to warn it.
  const sent = await buyer.post('/api/contact', SAMPLE_MESSAGE);
  const ordered = await buyer.post('/api/create-payment-intent', SAMPLE_ORDER);
  const { orderId } = ordered.json;
  const answers = [
    sent,
    ordered,
    await buyer.get(`/api/orders/${orderId}`),
    await staff.get('/api/admin/orders'),
    await staff.get(`/api/orders/${orderId}`),
    await staff.get('/api/admin/contacts'),
  ];
  return answers.map(({ status }) => status);
}

test('a column that another version of the site adds breaks no call', async () => {
  const buyer = app.visitor();
  const staff = await app.staff();
  const all = [200, 200, 200, 200, 200, 200];
  // PostgreSQL keeps what it has planned from the first time on, each connection by itself.
  for (let times = 0; times < 3; times += 1) expect(await callAll(buyer, staff)).toEqual(all);
  for (const table of ['plans', 'orders', 'orderStatuses', 'testPayments', 'contactSubmissions'])
    await sql`alter table ${sql.table(table)} add column "added" text`.execute(app.database.db);
  expect(await callAll(buyer, staff)).toEqual(all);
});
