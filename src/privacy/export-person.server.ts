/** Everything that is stored of a person as one file of JSON, read and sent in pieces; that it was taken is kept. */
import { deliveriesAbout } from '../notifications/outbox-store.server.ts';
import { orderReference } from '../orders/order.ts';
import { staffOrdersJson } from '../orders/order-calls.server.ts';
import type { Row } from '../platform/database/tables.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import { fileDownload } from '../platform/http/file-download.server.ts';
import { recordAudit } from '../staff/audit-store.server.ts';
import { type By, findExternalCopies, type PersonDeps } from './erase-person.server.ts';
import { NOTHING_STORED } from './person-api.ts';
import {
  allOf,
  eachRow,
  findRecords,
  KINDS,
  LISTS,
  type PersonRecords,
  referencesIn,
} from './person-records.server.ts';

export async function exportPerson(deps: PersonDeps, email: string, by: By): Promise<Response> {
  const { db } = deps.database;
  const records = await findRecords(db, email);
  const all = allOf(records);
  if (all.length === 0) return refuse(404, NOTHING_STORED);
  const head = {
    email,
    exportedAt: new Date().toISOString(),
    externalCopies: await findExternalCopies(deps, email),
  };
  await recordAudit(db, { ...by, kind: 'person-exported', detail: referencesIn(all) });
  return fileDownload(
    'person.json',
    'application/json; charset=utf-8',
    jsonFile(head, {
      ...Object.fromEntries(
        LISTS.map((name) => [
          name,
          eachRow(records[name], (ids) =>
            name === 'orders' ? orderRows(deps, ids) : KINDS[name].rows(db, ids),
          ),
        ]),
      ),
      notices: notices(deps, records),
    }),
  );
}

/** One object: what is in `head`, and each of the lists. */
async function* jsonFile(
  head: object,
  lists: Record<string, AsyncGenerator<object>>,
): AsyncGenerator<string> {
  yield JSON.stringify(head, null, 2).slice(0, -2);
  for (const [name, list] of Object.entries(lists)) {
    yield `,\n  ${JSON.stringify(name)}: [`;
    let before = '\n    ';
    for await (const row of list) {
      yield before + JSON.stringify(row);
      before = ',\n    ';
    }
    yield ']';
  }
  yield '\n}\n';
}

async function orderRows({ database: { db }, gateway }: PersonDeps, ids: readonly number[]) {
  const rows = await db
    .selectFrom('orders')
    .selectAll()
    .where('id', 'in', ids)
    .orderBy('id')
    .execute();
  const views = await staffOrdersJson(db, rows, gateway.staffPage);
  const payments = await db
    .selectFrom('orderInvoices')
    .selectAll()
    .where('orderId', 'in', ids)
    .execute();
  return rows.map(({ id, postalCode, billingAddress, customerId }, index) => ({
    reference: orderReference(id),
    ...views[index],
    postalCode,
    billingAddress,
    payments: payments.filter(({ orderId }) => orderId === id).map(paymentJson),
    stripeCustomer: customerId,
  }));
}

function paymentJson(bill: Row<'orderInvoices'>): object {
  return {
    at: iso(bill.createdAt),
    number: bill.number,
    amount: bill.amountCents / 100,
    paid: bill.paid === 1,
    card: bill.cardBrand,
    cardEndsIn: bill.cardLast4,
  };
}

/** What they and our staff were notified of about all this, as far as that is still kept. */
async function* notices(
  { database: { db } }: PersonDeps,
  records: PersonRecords,
): AsyncGenerator<object> {
  for (const row of await deliveriesAbout(db, allOf(records))) {
    const { reference: about, channel, state, createdAt, settledAt, lastAnswer } = row;
    yield {
      about,
      channel,
      state,
      at: iso(createdAt),
      settledAt: settledAt === null ? null : iso(settledAt),
      lastAnswer,
    };
  }
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
