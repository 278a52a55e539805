/** Erases a person's threads, quotes and mails, and makes orders anonymous unless one is active. */

import type { Order } from '../billing/billed-order.server.ts';
import { type Actor, staffActor } from '../billing/cause.server.ts';
import { BUSY, claimAll } from '../billing/claim-order.server.ts';
import { endOrder } from '../billing/end-order.server.ts';
import { emailTopic } from '../billing/order-details.server.ts';
import { insertEvent } from '../billing/order-event-store.server.ts';
import { awaitsPayment, isBillable, isOver } from '../billing/order-status.ts';
import { NEXT_VERSION } from '../billing/order-store.server.ts';
import { customerOf, isOrderAt } from '../billing/provider-mode.server.ts';
import { orderReference } from '../billing/reference.ts';
import { ERASED_BUYER } from '../orders/order.ts';
import {
  CHUNK_SIZE,
  chunk,
  contains,
  inBatches,
  sameEmail,
  selectForUpdate,
} from '../platform/database/queries.server.ts';
import { emptyWriteAheadLog } from '../platform/database/sqlite.server.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import type { StaffRequest } from '../platform/http/call.server.ts';
import { deleteMailbox } from '../platform/message-limits.server.ts';
import type { Site } from '../site.server.ts';
import { recordAudit } from '../staff/audit-store.server.ts';
import { canNote, noteErasure } from './erasures-file.server.ts';
import { type Erased, type ExternalCopies, NOTHING_STORED } from './person-api.ts';
import {
  deleteTraces,
  type Elsewhere,
  eraseRows,
  findIds,
  findIdsElsewhere,
  idsIn,
  type PersonIds,
  referencesIn,
  referencesOf,
} from './person-stores.server.ts';

const NOT_NOTED =
  'Nothing was erased: the list of erasures in BACKUP_DIR cannot be written. Please tell the person who runs this site.';

export async function erasePerson(
  site: Site,
  email: string,
  request: StaffRequest,
): Promise<Erased | Response> {
  const { db, env } = site;
  const { backups } = env;
  if (backups && !canNote(backups.folder)) return refuse(503, NOT_NOTED);
  const { orders } = await findIds(db, email);
  const refusal = refuseActive(orders.filter((order) => mayStillCharge(site, order)));
  if (refusal) return refusal;
  const notCanceled = await cancelUnpaidOrders(site, orders, staffActor(request));
  if (notCanceled) return notCanceled;
  const erased = await db.transaction().execute(async (trx) => {
    await lockPerson(trx, email);
    const records = await findIds(trx, email);
    const active = records.orders.filter(
      (order) => mayStillCharge(site, order) || canBePaid(site, order),
    );
    const refused = refuseActive(active);
    if (refused) return refused;
    // What is being changed would be stored again. Who waits for this transaction reads its work.
    for (const ids of chunk(records.ids.orders))
      if (!(await claimAll(trx, ids, Date.now())))
        return refuse(409, `Nothing was erased. ${BUSY.refused}`);
    const elsewhere = await findIdsElsewhere(trx, email);
    const done = await eraseRecords(trx, email, { ...records, ...elsewhere }, request);
    // Before the commit: noted for nothing does no harm.
    if (backups) noteErasure(backups.folder, records, elsewhere);
    return done;
  });
  // Deleted data would stay in SQLite's write-ahead log until new data overwrites it.
  await emptyWriteAheadLog(site.database);
  if (erased instanceof Response) return erased;
  return { ...erased, externalCopies: externalCopies(site, orders) };
}

/** Of a person who is in a restored copy. False while an order has not ended. */
export function eraseAgain(db: Db, email: string): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    await lockPerson(trx, email);
    const records = await findIds(trx, email);
    if (!records.orders.every(({ status }) => isOver(status))) return false;
    await eraseRecords(trx, email, { ...records, ...(await findIdsElsewhere(trx, email)) }, null);
    return true;
  });
}

const DELETED = ['threads', 'entries', 'quotes', 'safeguardsReports', 'orderLinkRequests'] as const;

/** `request`: null if the site does so by itself. */
async function eraseRecords(
  trx: Db,
  email: string,
  records: PersonIds & Elsewhere,
  request: StaffRequest | null,
) {
  const { ids, orders, references } = records;
  const erased = DELETED.flatMap((table) => referencesOf(records, table));
  const kept = [...referencesOf(records, 'orders'), ...references];
  // Entries before their threads, with which all would go in one statement.
  for (const table of DELETED.toReversed()) await eraseRows(trx, table, ids[table]);
  await eraseFromThreads(trx, email);
  await eraseFromOrders(trx, email, records.invoices);
  await deleteTraces(trx, 'orders', ids.orders);
  await anonymizeOrders(trx, orders, request ? staffActor(request) : { is: 'site' });
  await deleteMailbox(trx, email);
  if (erased.length + kept.length === 0) return refuse(404, NOTHING_STORED);
  await recordAudit(trx, {
    kind: 'person-erased',
    by: request?.staff ?? null,
    ...(request && { address: request.address }),
    detail: referencesIn(records, references),
  });
  return { erased, kept };
}

/** In threads of others: what went to the person, and what they wrote by mail. */
async function eraseFromThreads(trx: Db, email: string): Promise<void> {
  const mailed = trx.updateTable('entries').set({ recipient: null }).returning('id');
  const answers = await mailed.where(sameEmail('recipient', email)).execute();
  await deleteTraces(trx, 'entries', idsIn(answers));
  const sent = trx.selectFrom('entries').select('id').where('sender', 'is not', null);
  const some = sent.where(sameEmail('sender', email)).limit(CHUNK_SIZE);
  for await (const page of inBatches(() => some.execute()))
    await trx.deleteFrom('entries').where('id', 'in', idsIn(page)).execute();
}

/** In orders of others: where papers go, and what an order that was passed on has of before. */
async function eraseFromOrders(trx: Db, email: string, invoices: string[]): Promise<void> {
  const bills = trx.updateTable('orders').set({ billsTo: null, ...NEXT_VERSION });
  await bills.where(sameEmail('billsTo', email)).execute();
  const { phone: _, ...anonymous } = ERASED_BUYER;
  const billedTo = JSON.stringify({ ...anonymous, billingAddress: null });
  for (const ids of chunk(invoices))
    await trx.updateTable('invoices').set({ billedTo }).where('id', 'in', ids).execute();
  const ofOthers = trx.updateTable('orders').where('id', 'in', ({ selectFrom }) =>
    selectFrom('invoices')
      .select('orderId')
      .where('id', 'in', ['', ...invoices]),
  );
  await ofOthers.set({ acceptedName: ERASED_BUYER.name, acceptedTitle: null }).execute();
  // The addendum may have been accepted by who has the order now.
  await ofOthers
    .set({ addendumName: ERASED_BUYER.name, addendumTitle: null })
    .where('addendumAt', '<=', ({ selectFrom }) =>
      selectFrom('orderEvents')
        .select(({ fn }) => fn.max('at').as('passedOnAt'))
        .whereRef('orderId', '=', 'orders.id')
        .where('kind', '=', 'details-changed')
        .where(contains('data', '"email"')),
    )
    .execute();
  // Links that would confirm an address.
  for (const address of ['email', 'formerEmail'] as const)
    await trx.deleteFrom('emailChanges').where(sameEmail(address, email)).execute();
}

export function externalCopies(
  { outbox, gateway }: Site,
  orders: readonly Order[],
): ExternalCopies {
  // Each order has a customer of its own.
  return {
    channels: outbox.copies,
    providerCustomers: orders.flatMap((order) => customerOf(gateway, order) ?? []),
  };
}

function refuseActive(active: readonly Order[]): Response | undefined {
  if (active.length === 0) return undefined;
  const numbers = active.map(({ id }) => orderReference(id)).join(', ');
  return refuse(
    409,
    `Nothing was erased. These orders are active or being paid: ${numbers}. Please end them first. Their bills and receipts need this email address.`,
  );
}

/** Whether it may still be charged. An order of test keys never is once keys are live. */
export function mayStillCharge(site: Site, order: Order): boolean {
  // A plan that is paid by invoice runs before its first one is paid.
  const charged =
    isBillable(order) ||
    order.status === 'processing' ||
    (order.subscription.collection === 'invoice' && awaitsPayment(order.status));
  return charged && (isOrderAt(site.gateway, order) || order.subscription.live !== 0);
}

function canBePaid(site: Site, order: Order): boolean {
  return awaitsPayment(order.status) && isOrderAt(site.gateway, order);
}

/** Cancels unpaid orders, which could otherwise be paid after their buyer was erased. */
async function cancelUnpaidOrders(
  site: Site,
  orders: readonly Order[],
  actor: Actor,
): Promise<Response | undefined> {
  for (const order of orders.filter((candidate) => canBePaid(site, candidate))) {
    const outcome = await endOrder(site, order, 'now', actor);
    if (outcome === 'done') continue;
    const failed = `Nothing was erased because order ${orderReference(order.id)} couldn’t be canceled.`;
    return outcome === 'unavailable'
      ? refuse(503, `${failed} Payments are unavailable right now.`, { retryAfter: 5 })
      : refuse(409, `${failed} ${outcome.refused}`);
  }
  return undefined;
}

async function lockPerson(trx: Db, email: string): Promise<void> {
  for (const table of ['orders', 'quotes', 'threads'] as const) {
    const ownRows = trx.selectFrom(table).select('id').where(sameEmail('email', email));
    await selectForUpdate(ownRows, trx).execute();
  }
}

/** Keeps what the books need. No browser, link, key or hash can open or test for the person. */
async function anonymizeOrders(trx: Db, orders: readonly Order[], actor: Actor): Promise<void> {
  const anonymous = {
    ...ERASED_BUYER,
    ...NEXT_VERSION,
    postalCode: null,
    billingAddress: null,
    idempotencyKey: null,
    requestHash: '',
    acceptedName: null,
    acceptedTitle: null,
    poNumber: null,
    billsTo: null,
    addendumName: null,
    addendumTitle: null,
    endReason: null,
    endWords: null,
  };
  for (const ids of chunk(orders.map(({ id }) => id))) {
    await trx.updateTable('orders').set(anonymous).where('id', 'in', ids).execute();
    const subscriptions = trx.updateTable('subscriptions').where('orderId', 'in', ids);
    await subscriptions.set({ clientSecret: null, seenCustomer: null }).execute();
    for (const table of ['orderAccess', 'orderAccessLinks', 'emailChanges', 'orderClaims'] as const)
      await trx.deleteFrom(table).where('orderId', 'in', ids).execute();
    // About rows of `emailChanges`, which go a day later, when these are still shown to staff.
    await trx.deleteFrom('outbox').where('topic', 'in', ids.map(emailTopic)).execute();
    // What staff and the buyer typed.
    const invoices = trx.updateTable('invoices').where('orderId', 'in', ids);
    await invoices.set({ reference: null, poNumber: null, billedTo: null }).execute();
    for (const id of ids) await insertEvent(trx, id, { kind: 'buyer-erased' }, { actor });
  }
}
