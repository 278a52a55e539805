/** Everything that is stored of a person as one file of JSON, read and sent in pieces; that somebody took it is kept. */
import { chatReference } from '../chat/chat.ts';
import { contactReference } from '../contact/contact.ts';
import { orderReference } from '../orders/order.ts';
import type { Row } from '../platform/database/tables.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import { fileDownload } from '../platform/http/file-download.server.ts';
import { quoteReference } from '../quotes/quote.ts';
import { jsonPieces } from './json-pieces.server.ts';
import { type By, elsewhere, type PeopleDeps } from './people-deps.server.ts';
import { NOTHING_STORED } from './person.ts';
import { chatMessagesOf, messagesOf, ordersOf, quotesOf } from './person-store.server.ts';
import { allOf, referencesIn, type Traces } from './traces.server.ts';

export async function exportPerson(
  deps: PeopleDeps,
  email: string,
  traces: Traces,
  by: By,
): Promise<Response> {
  const all = allOf(traces);
  if (all.length === 0) return refuse(404, NOTHING_STORED);
  const head = {
    email,
    exportedAt: new Date().toISOString(),
    elsewhere: await elsewhere(deps, email),
  };
  await deps.recordAudit(deps.db, { ...by, kind: 'person-exported', detail: referencesIn(all) });
  return fileDownload(
    'person.json',
    'application/json; charset=utf-8',
    jsonPieces(head, {
      messages: written(contactReference, messagesOf(deps.db, traces.messages)),
      chatMessages: written(chatReference, chatMessagesOf(deps.db, traces.chatMessages)),
      quotes: written(quoteReference, quotesOf(deps.db, traces.quotes)),
      orders: orders(deps, traces),
      notices: notifications(deps, traces),
    }),
  );
}

async function* written(
  reference: (id: number) => string,
  pieces: AsyncGenerator<{ id: number; createdAt: number }[]>,
): AsyncGenerator<object[]> {
  for await (const rows of pieces) {
    yield rows.map(({ id, createdAt, ...row }) => ({
      reference: reference(id),
      at: new Date(createdAt).toISOString(),
      ...row,
    }));
  }
}

async function* orders({ db, ordersJson }: PeopleDeps, traces: Traces): AsyncGenerator<object[]> {
  for await (const rows of ordersOf(db, traces.orders)) {
    const known = await ordersJson(rows);
    const ids = rows.map(({ id }) => id);
    const payments = await db
      .selectFrom('orderInvoices')
      .selectAll()
      .where('orderId', 'in', ids)
      .execute();
    yield rows.map(({ id, postalCode, billingAddress, customerId }, index) => ({
      reference: orderReference(id),
      ...known[index],
      postalCode,
      billingAddress,
      payments: payments.filter(({ orderId }) => orderId === id).map(paymentJson),
      stripeCustomer: customerId,
    }));
  }
}

function paymentJson(bill: Row<'orderInvoices'>): object {
  return {
    at: new Date(bill.createdAt).toISOString(),
    number: bill.number,
    amount: bill.amountCents / 100,
    paid: bill.paid === 1,
    card: bill.cardBrand,
    cardEndsIn: bill.cardLast4,
  };
}

/** What they and our staff were notified of about all this, as far as that is still kept. */
async function* notifications(
  { db, deliveriesAbout }: PeopleDeps,
  traces: Traces,
): AsyncGenerator<object[]> {
  const deliveries = await deliveriesAbout(db, allOf(traces));
  yield deliveries.map(
    ({ reference: about, channel, state, createdAt, settledAt, lastAnswer }) => ({
      about,
      channel,
      state,
      at: new Date(createdAt).toISOString(),
      settledAt: settledAt === null ? null : new Date(settledAt).toISOString(),
      lastAnswer,
    }),
  );
}
