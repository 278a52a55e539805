/** What an erasure leaves, looked for in every text column that the schema has. */

import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { NOTIFICATION_KINDS } from '../../../src/app.server.ts';
import { PaymentChecks } from '../../../src/billing/refresh-order.server.ts';
import { readEnv } from '../../../src/env.server.ts';
import { createOutbox } from '../../../src/notifications/outbox.server.ts';
import { testGateway } from '../../../src/payments/test-gateway/test-gateway.server.ts';
import { openDatabase } from '../../../src/platform/database/database.server.ts';
import { erasePerson } from '../../../src/privacy/erase-person.server.ts';
import { NOTIFICATIONS } from '../../../src/privacy/person-stores.server.ts';
import { ownContent } from '../../support/own-content.ts';
import { siteWith } from '../../support/site-with.ts';
import { databaseForEachTest } from '../../support/test-app.ts';

const EMAIL = 'dana@dealer.example';
const WORD = 'Whitfield';

/** Values with which the erasure finds the row, and knows that the order has ended. */
const FOUND_BY: Record<string, string> = {
  'attributions.kind': 'order',
  'entries.sender': EMAIL,
  'emailChanges.email': EMAIL,
  'mailRecipients.email': EMAIL,
  'orderLinkRequests.email': EMAIL,
  'orders.email': EMAIL,
  'orders.status': 'canceled',
  'outbox.kind': 'order-paid',
  'quotes.email': EMAIL,
  'safeguardsReports.email': EMAIL,
  'threads.email': EMAIL,
  'threads.kind': 'contact',
};

/** What stays, as in `table.column`. A new column must be erased, or have its reason here. */
const KEPT = [
  // Content, and what the site itself makes.
  ...['catalogue.items', 'catalogue.list', 'signingKeys.key', 'signingKeys.name'],
  ...['applied_migrations.name', 'applied_migrations.timestamp', 'applied_migrations.digest'],
  ...['writeProbes.id', 'writeProbes.payload', 'providerEvents.id', 'providerEvents.type'],
  // Our own staff. What anyone types at the sign-in does not get there: erase-person.test.ts.
  ...['accounts.email', 'accounts.environmentHash', 'accounts.externalKey', 'accounts.foldedName'],
  ...['accounts.name', 'accounts.passwordHash', 'accounts.publicName', 'accounts.recoveryCodes'],
  'accounts.totpSecret',
  // What services answer to the site.
  ...['faults.answer', 'faults.what', 'mailboxReading.link', 'mailboxReading.mailbox'],
  ...['sessions.address', 'sessions.method', 'sessions.tokenHash', 'sessions.userAgent'],
  ...['audit.address', 'audit.detail', 'audit.kind', 'audit.name'],
  'mailboxTurns.mailbox',
  // Requests; no address gets there (erase-person.test.ts). IPs are removed after a day.
  ...['accessLog.ip', 'accessLog.method', 'accessLog.referrer', 'accessLog.url'],
  ...['accessLog.userAgent', 'accessLogHours.key', 'accessLogHours.kind'],
  ...['webVitals.metric', 'webVitals.page'],
  // Left unread.
  ...['storedBytes.kind', 'storedBytes.network'],
  // The books: what was sold, charged and refunded, in words of ours and of the provider.
  ...['orders.ms365Option', 'orders.planName'],
  ...['orders.boughtLines', 'orders.boughtOnce', 'orders.startsOn', 'invoices.once'],
  ...['subscriptions.attempt', 'subscriptions.billedEvery', 'subscriptions.collection'],
  ...['subscriptions.customerId', 'subscriptions.paymentId', 'subscriptions.priceLines'],
  ...['subscriptions.provider', 'subscriptions.status', 'subscriptions.subscriptionId'],
  'subscriptions.waiting',
  // What was accepted, without who did.
  ...['orders.termsDate', 'orders.termsHash', 'orders.addendumDate', 'orders.addendumHash'],
  ...['termsVersions.hash', 'termsVersions.text', 'termsVersions.updated'],
  ...['charges.cardBrand', 'charges.cardLast4', 'charges.dispute', 'charges.id'],
  'charges.invoiceId',
  // What happened, without what a person typed.
  ...['orderEvents.actor', 'orderEvents.data', 'orderEvents.kind', 'orderEvents.onceKey'],
  'orderEvents.reason',
  ...['invoices.attempt', 'invoices.dueDay', 'invoices.id', 'invoices.lines'],
  ...['invoices.number', 'invoices.status'],
  ...['priceChanges.fromLines', 'priceChanges.kind', 'priceChanges.reason', 'priceChanges.state'],
  'priceChanges.toLines',
  ...['testPayments.clientSecret', 'testPayments.id', 'testPayments.last4'],
  ...['testPayments.refusal', 'testPayments.status'],
];

const testDb = databaseForEachTest();

test('after an erasure a person’s word is left in no text column but those that the books and the site need', async () => {
  const { DATABASE_URL: databaseUrl = null, DATA_DIR: dataDir = '' } = testDb.variables;
  const database = await openDatabase({ databaseUrl, dataDir });
  const { db } = database;
  const tables = await db.introspection.getTables();
  const isText = ({ dataType }: { dataType: string }) => /text/i.test(dataType);
  // Tables that others refer to come first.
  const rank = ({ name }: { name: string }) =>
    ['accounts', 'orders', 'quotes', 'threads'].indexOf(name);
  for (const { name: table, columns } of tables.toSorted((a, b) => rank(b) - rank(a))) {
    const row = columns
      .filter(({ isAutoIncrementing }) => !isAutoIncrementing || table === 'orders')
      .map((column) => [
        column.name,
        isText(column) ? (FOUND_BY[`${table}.${column.name}`] ?? `${WORD} ${column.name}`) : 1,
      ]);
    const inserted = sql`insert into ${sql.table(table)} (${sql.join(row.map(([name]) => sql.ref(`${name}`)))}) values (${sql.join(row.map(([, value]) => value))})`;
    await sql`${inserted} on conflict do nothing`.execute(db);
  }

  const notify = async () => undefined;
  const site = siteWith({
    env: readEnv({}),
    database,
    db,
    paymentChecks: new PaymentChecks(),
    gateway: testGateway({ db, notify, company: ownContent().company }),
    notify,
    outbox: createOutbox(db, ownContent().company, [], NOTIFICATION_KINDS),
  });
  const account = { accountId: 1, name: 'admin', publicName: null, tokenHash: '' };
  const staff = { ...account, signInMethod: 'password', mustSetUp: false } as const;
  expect(await erasePerson(site, EMAIL, { staff, address: '' })).toMatchObject({
    erased: ['C-1', 'Q-1', 'S-1', 'L-1'],
    kept: ['O-1'],
  });

  const left: string[] = [];
  for (const { name: table, columns } of tables)
    for (const column of columns.filter(isText)) {
      const { rows } = await sql<{
        text: string | null;
      }>`select ${sql.ref(column.name)} as text from ${sql.table(table)}`.execute(db);
      if (rows.some(({ text }) => text?.includes(WORD) || text?.includes(EMAIL)))
        left.push(`${table}.${column.name}`);
    }
  expect(left.toSorted()).toEqual(KEPT.toSorted());
  await database.close();
});

test('no kind of notification about a person is left out of their erasure', () => {
  const erased = Object.values(NOTIFICATIONS).flat();
  const others = NOTIFICATION_KINDS.filter(({ kind }) => !erased.some((one) => one.kind === kind));
  expect(others.map(({ kind }) => kind).sort()).toEqual([
    'disk-low',
    // These go with their order, by topic.
    ...['email-changed-from', 'email-changed-to', 'email-to-confirm'],
    ...['second-factor-changed', 'service-failed'],
  ]);
});
