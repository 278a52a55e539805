/** What came to the tables of 1.0, in order. A released one never changes, down to its blanks. */
import { sql } from 'kysely';
import type { Db, Engine } from '../tables.server.ts';

/** By the names under which a database records them. */
export const LATER_MIGRATIONS = {
  '002-notices': addNoticeFacts,
  '003-names-of-staff': foldNamesAgain,
  '004-outbox-in-order': indexOutbox,
  '005-faults': addFaults,
  '006-staff-acts': addStaffActs,
  '007-quote-keys': addQuoteKeys,
  '008-disputed-parts': addDisputedParts,
  '009-deals': addDeals,
  '010-replies-by-mail': addReplies,
  '011-credits': addCredits,
  '012-intervals': addIntervals,
  '013-web-vitals': addWebVitals,
  '014-order-details': addOrderDetails,
  '015-quoted-addendum': addQuotedAddendum,
  '016-waiting-credits': addWaitingCredits,
};

/** Why a notice was withdrawn, and when the payment provider had its prices. */
async function addNoticeFacts(db: Db): Promise<void> {
  await sql`alter table "priceChanges" add column "reason" text`.execute(db);
  await sql`alter table "priceChanges" add column "setUpAt" bigint`.execute(db);
  // The lock on an order keeps it at one; a notice that 1.0 is taking back is none.
  await sql`drop index "priceChangesAnnounced"`.execute(db);
}

/** Names of staff differ by more than case and blanks; 1.0 also took letters that look alike. */
async function foldNamesAgain(db: Db): Promise<void> {
  for (const { id, name } of await db.selectFrom('accounts').select(['id', 'name']).execute()) {
    const foldedName = name.normalize('NFKC').toLowerCase().replace(/\s/g, '');
    await db.updateTable('accounts').set({ foldedName }).where('id', '=', id).execute();
  }
}

/** Deliveries leave in the order in which they were added; 1.0 also looked at who caused them. */
async function indexOutbox(db: Db): Promise<void> {
  await sql`create index "outboxByChannel" on "outbox" ("state", "channel", "id")`.execute(db);
}

/** What the site depends on and does not work. */
async function addFaults(db: Db, engine: Engine): Promise<void> {
  await sql
    .raw(
      `create table "faults" (
        "id" ${newId(engine)},
        "what" text not null unique,
        "since" bigint not null,
        "answer" text not null,
        "overAt" bigint
      )`,
    )
    .execute(db);
}

/** Which events are a colleague's own acts, for the list of activity. */
async function addStaffActs(db: Db): Promise<void> {
  await sql`alter table "orderEvents" add column "accountId" integer`.execute(db);
  await sql`create index "orderEventsOfStaff" on "orderEvents" ("at", "id") where "accountId" is not null`.execute(
    db,
  );
}

/** A visitor's request for a quote that is repeated under its key gets the same quote. */
async function addQuoteKeys(db: Db): Promise<void> {
  await sql`create table "quoteKeys" (
    "key" text primary key,
    "requestHash" text not null,
    "quoteId" integer not null references "quotes" ("id") on delete cascade,
    "emailed" integer not null
  )`.execute(db);
  await sql`create index "quoteKeysByQuote" on "quoteKeys" ("quoteId")`.execute(db);
}

/** How much of a charge was ever disputed, and what was lost of it has gone back. */
async function addDisputedParts(db: Db): Promise<void> {
  for (const column of ['disputedCents', 'lostCents'])
    await sql`alter table "charges" add column ${sql.ref(column)} integer not null default 0`.execute(
      db,
    );
  // 1.0 took each dispute for one of the whole charge. What a bank debit takes back is owed again.
  await sql`update "charges" set "disputedCents" = "amountCents" where "dispute" is not null`.execute(
    db,
  );
  await sql`update "charges" set "refundedCents" = "amountCents", "lostCents" = "amountCents" where "dispute" = 'lost' and "cardLast4" is not null`.execute(
    db,
  );
}

/** What is charged once, and the day on which a plan starts. */
async function addDeals(db: Db): Promise<void> {
  for (const [table, column] of [
    ['quotes', '"once" text default \'[]\' not null'],
    ['quotes', '"startsOn" text'],
    ['orders', '"boughtOnce" text default \'[]\' not null'],
    ['orders', '"startsOn" text'],
    ['subscriptions', '"dueCents" integer'],
    ['invoices', '"once" text default \'[]\' not null'],
  ])
    await sql`alter table ${sql.raw(`"${table}"`)} add column ${sql.raw(column ?? '')}`.execute(db);
}

/** Replies by mail: how far the mailbox has been read, and who else wrote to a thread. */
async function addReplies(db: Db): Promise<void> {
  await sql`alter table "entries" add column "sender" text`.execute(db);
  await sql`create index "entriesBySender" on "entries" (upper("sender"))
    where "sender" is not null`.execute(db);
  await sql`create table "mailboxReading" (
    "mailbox" text primary key,
    "link" text not null,
    "newestAt" bigint not null
  )`.execute(db);
}

/** What the company owes a customer at the payment provider, which the next bill would use. */
async function addCredits(db: Db): Promise<void> {
  await sql`alter table "subscriptions" add column "creditCents" integer not null default 0`.execute(
    db,
  );
}

/** How often a plan is billed at the payment provider, where that is not each month. */
async function addIntervals(db: Db): Promise<void> {
  await sql`alter table "subscriptions" add column "billedEvery" text`.execute(db);
}

/** What visitors feel: counts of rounded values by day and page. */
async function addWebVitals(db: Db): Promise<void> {
  await sql`create table "webVitals" (
    "day" bigint not null,
    "page" text not null,
    "metric" text not null,
    "value" integer not null,
    "amount" integer not null,
    primary key ("day", "page", "metric", "value")
  )`.execute(db);
}

/** An order's corrected facts, its address for papers, why it ends, and the accepted addendum. */
async function addOrderDetails(db: Db, engine: Engine): Promise<void> {
  for (const [table, column] of [
    ['orders', 'billsTo'],
    ['orders', 'endReason'],
    ['orders', 'endWords'],
    ['orders', 'addendumName'],
    ['orders', 'addendumTitle'],
    ['orders', 'addendumDate'],
    ['orders', 'addendumHash'],
    ['invoices', 'billedTo'],
    ['subscriptions', 'seenCustomer'],
  ] as const)
    await sql`alter table ${sql.table(table)} add column ${sql.ref(column)} text`.execute(db);
  await sql`alter table "orders" add column "addendumAt" bigint`.execute(db);
  await sql
    .raw(
      `create table "emailChanges" (
        "id" ${newId(engine)},
        "orderId" integer not null references "orders" ("id") on delete cascade,
        "email" text not null,
        "formerEmail" text,
        "keyHash" text,
        "createdAt" bigint not null
      )`,
    )
    .execute(db);
  await sql`create index "emailChangesByOrder" on "emailChanges" ("orderId")`.execute(db);
  for (const [table, column] of [
    ['orders', 'billsTo'],
    ['emailChanges', 'email'],
    ['emailChanges', 'formerEmail'],
  ] as const)
    await sql`create index ${sql.ref(`${table}By_${column}`)} on ${sql.table(table)} (upper(${sql.ref(column)}))`.execute(
      db,
    );
}

/** Whether the Safeguards addendum is accepted with a quote. */
async function addQuotedAddendum(db: Db): Promise<void> {
  await sql`alter table "quotes" add column "addendum" integer not null default 0`.execute(db);
}

/** What changes of a plan have left for the next bill, with which an end may do away. */
async function addWaitingCredits(db: Db): Promise<void> {
  await sql`alter table "subscriptions" add column "waiting" text not null default '[]'`.execute(
    db,
  );
}

function newId(engine: Engine): string {
  return engine === 'sqlite'
    ? 'integer primary key autoincrement'
    : 'integer generated always as identity primary key';
}
