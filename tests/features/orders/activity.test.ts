/** What a colleague did with money, links and notifications stands in the one list of activity. */

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { orderReference } from '../../../src/billing/reference.ts';
import { SAMPLE_ORDER } from '../../support/call-row.ts';
import { customer, NO_BACKUP, shownPrice } from '../../support/own-page.ts';
import { sharedTestApp } from '../../support/test-app.ts';
import { saveDeliveries } from '../../support/test-outbox.ts';

const app = sharedTestApp();

test('staff read in the list of activity who changed, refunded, ended, linked, answered, sent again and dismissed', async () => {
  const staff = await app.staff();
  const { orderId } = await customer(app);
  const paid = (what: string, body?: object) =>
    staff.move().post(`/api/admin/orders/${orderId}/${what}`, body);
  const change = { planId: 1, ms365Option: 'business_standard', users: 12, backup: true };
  const { json: shown } = await paid('preview', { ...change, from: NO_BACKUP });
  const { version: seen } = (await staff.get(`/api/orders/${orderId}`)).json;
  const wanted = { ...change, from: NO_BACKUP, ...shownPrice(shown), version: seen };
  await paid('change', wanted);
  const { name, email } = SAMPLE_ORDER;
  await paid('details', { name, email, company: 'Lakeside', phone: null, billsTo: null });
  await paid('refund', { amount: 50 });
  await paid('refund', { amount: null });
  await paid('link');
  await paid('revoke-links');
  const other = await customer(app);
  const { version } = (await staff.get(`/api/orders/${other.orderId}`)).json;
  const end = { when: 'period-end', version };
  await staff.move().post(`/api/admin/orders/${other.orderId}/cancel`, end);
  const unpaid = (await app.visitor().post('/api/create-payment-intent', SAMPLE_ORDER)).json;
  const status = { status: 'canceled' };
  await staff.move().post(`/api/orders/${unpaid.orderId}/update-status`, status);

  const { db } = app.database;
  const failed = { channel: 'mail-customer', state: 'failed', subjectId: 7 } as const;
  await saveDeliveries(db, [
    { ...failed, topic: 'again' },
    { ...failed, topic: 'dismissed' },
  ]);
  const idOf = async (topic: string) => {
    const found = db.selectFrom('outbox').select('id').where('topic', '=', topic);
    return (await found.executeTakeFirstOrThrow()).id;
  };
  await staff.move().post(`/api/admin/outbox/${await idOf('again')}/resend`);
  await staff.move().post(`/api/admin/outbox/${await idOf('dismissed')}/dismiss`);

  const asked = { message: 'Anybody there?', name: 'Ann', email: 'ann@lakeside.example' };
  const { reference } = (await app.visitor().post('/api/teams-chat', asked)).json;
  const threads = db.selectFrom('threads').select('id').orderBy('id', 'desc').limit(1);
  const { id } = await threads.executeTakeFirstOrThrow();
  const answer = { kind: 'staff', text: 'Yes.', after: 2 ** 31 - 1, key: randomUUID() };
  const written = await staff.move().post(`/api/admin/threads/${id}/entries`, answer);
  const entry = written.json.entries.at(-1).id;
  await staff.move().post(`/api/admin/threads/${id}/entries/${entry}/undo`);
  await staff.move().post(`/api/admin/threads/${id}/answered-by-mail`);

  const { entries } = (await staff.move().get('/api/admin/audit')).json;
  const acts = entries.map(({ kind, name, detail }: Record<string, string>) => [
    kind,
    `${name}: ${detail}`,
  ]);
  const isSignIn = ([kind]: [string]) => ['signed-in', 'password-changed'].includes(kind);
  expect(acts.filter((act: [string]) => !isSignIn(act)).reverse()).toEqual([
    ['order-changed', `admin: ${orderReference(orderId)}`],
    ['order-details', `admin: ${orderReference(orderId)}`],
    ['order-refunded', `admin: ${orderReference(orderId)}: $50.00`],
    // All that was left.
    ['order-refunded', `admin: ${orderReference(orderId)}: $525.00`],
    ['order-link-made', `admin: ${orderReference(orderId)}`],
    ['order-links-revoked', `admin: ${orderReference(orderId)}`],
    ['order-ended', `admin: ${orderReference(other.orderId)}`],
    ['order-status', `admin: ${orderReference(unpaid.orderId)}: canceled`],
    ['delivery-resent', 'admin: Chat message T-7'],
    ['delivery-dismissed', 'admin: Chat message T-7'],
    ['message-answered', `admin: ${reference}`],
    ['message-answered', `admin: ${reference}: undone`],
    ['message-answered', `admin: ${reference}: by email`],
  ]);
  expect(entries[0].address).not.toBe('');
});

/** What it counts belongs to nobody. */
const WITHOUT_PERSONS = ['/api/admin/sources/download'];

test('whoever takes a file with customers’ data stands in the list of activity with what it was and how much', async () => {
  const staff = await app.staff();
  await customer(app);
  const files = app.site.calls
    .filter(({ path }) => path.endsWith('/download') && !WITHOUT_PERSONS.includes(path))
    .map(({ path }) => path);
  expect(files.length).toBeGreaterThanOrEqual(6);
  for (const path of files) {
    await staff.move().get(`${path}?find=${SAMPLE_ORDER.email}`);
    const [newest] = (await staff.move().get('/api/admin/audit')).json.entries;
    const detail = path.includes('people') ? /O-\d/ : /^[a-z-]+[\d-]+\.csv, rows: \d+$/;
    expect(newest, path).toMatchObject({
      ...{ kind: expect.stringMatching(/^(file-taken|person-exported)$/), name: 'admin' },
      detail: expect.stringMatching(detail),
    });
  }
});
