/** What is stored of a person as one list, the newest first, for the screen. */
import { chatReference } from '../chat/chat.ts';
import { contactReference } from '../contact/contact.ts';
import { RECEIVERS } from '../notifications/outbox-api.ts';
import { orderReference } from '../orders/order.ts';
import { quoteReference } from '../quotes/quote.ts';
import type { PeopleDeps } from './people-deps.server.ts';
import { MOST_SHOWN } from './person.ts';
import type { StoredItem } from './person-shapes.ts';
import { chatMessagesOf, messagesOf, ordersOf, quotesOf } from './person-store.server.ts';
import { allOf, type Traces } from './traces.server.ts';

const LONGEST_EXCERPT = 300;

export async function newestItems(
  { db, deliveriesAbout }: PeopleDeps,
  traces: Traces,
): Promise<{ items: StoredItem[]; notices: number }> {
  const { messages, chatMessages, quotes, orders } = traces;
  const deliveries = await deliveriesAbout(db, allOf(traces));
  const items: StoredItem[] = [];
  for await (const rows of messagesOf(db, newest(messages))) {
    for (const { message: what, mark: state, ...row } of rows) {
      items.push(
        item({ ...row, kind: 'message', reference: contactReference(row.id), what, state }),
      );
    }
  }
  for await (const rows of chatMessagesOf(db, newest(chatMessages))) {
    for (const { message: what, mark: state, ...row } of rows) {
      items.push(item({ ...row, kind: 'chat', reference: chatReference(row.id), what, state }));
    }
  }
  for await (const rows of quotesOf(db, newest(quotes))) {
    for (const { planName: what, withdrawnAt, ...row } of rows) {
      const state = withdrawnAt === null ? '' : 'withdrawn';
      items.push(item({ ...row, kind: 'quote', reference: quoteReference(row.id), what, state }));
    }
  }
  for await (const rows of ordersOf(db, newest(orders))) {
    for (const { planName: what, status: state, ...row } of rows) {
      items.push(item({ ...row, kind: 'order', reference: orderReference(row.id), what, state }));
    }
  }
  for (const { channel, ...row } of newest(deliveries)) {
    items.push(item({ ...row, kind: 'notice', name: null, what: `To ${RECEIVERS[channel]}` }));
  }
  return {
    items: items.sort((a, b) => b.at.localeCompare(a.at)),
    notices: deliveries.length,
  };
}

function newest<Thing>(oldestFirst: readonly Thing[]): Thing[] {
  return oldestFirst.slice(-MOST_SHOWN);
}

type Read = Omit<StoredItem, 'at'> & { createdAt: number };

function item({ kind, id, reference, name, what, state, createdAt }: Read): StoredItem {
  return {
    kind,
    id,
    reference,
    at: new Date(createdAt).toISOString(),
    name,
    what: what.slice(0, LONGEST_EXCERPT).toWellFormed(),
    state,
  };
}
