/** Erases the rows of a person, and finds those that have rested for long enough. */
import type { Kysely } from 'kysely';
import { ERASED_BUYER } from '../orders/order.ts';
import { chunk } from '../platform/chunk.ts';
import { selectForUpdate } from '../platform/database/select-for-update.server.ts';
import type { Tables } from '../platform/database/tables.server.ts';
import { sameAddress } from '../platform/http/same-address.server.ts';
import { type ChatRow, idsOf, type Trace, type Traces } from './traces.server.ts';

type Db = Kysely<Tables>;

/** Nobody else erases or changes these rows until the transaction ends. */
export async function lockPerson(trx: Db, email: string): Promise<void> {
  for (const table of ['orders', 'quotes', 'contactSubmissions', 'chatMessages'] as const) {
    await selectForUpdate(
      trx.selectFrom(table).select('id').where(sameAddress('email', email)),
      trx,
    ).execute();
  }
}

export async function forgetMessages(
  trx: Db,
  { messages, chatMessages, quotes }: Omit<Traces, 'orders'>,
): Promise<void> {
  for (const some of chunk(idsOf(quotes))) {
    await trx.deleteFrom('quoteLinks').where('quoteId', 'in', some).execute();
  }
  const tables = { contactSubmissions: messages, chatMessages, quotes };
  for (const table of ['contactSubmissions', 'chatMessages', 'quotes'] as const) {
    for (const some of chunk(idsOf(tables[table]))) {
      await trx.deleteFrom(table).where('id', 'in', some).execute();
    }
  }
}

/**
 * Leaves of the orders what the books need. The browsers and links that could see them can no longer, and no key or
 * hash is left by which somebody could try whose they were.
 */
export async function forgetBuyer(trx: Db, orders: readonly Trace[], note: string): Promise<void> {
  const at = Date.now();
  for (const some of chunk(idsOf(orders))) {
    await trx
      .updateTable('orders')
      .set({
        ...ERASED_BUYER,
        postalCode: null,
        billingAddress: null,
        idempotencyKey: null,
        requestHash: '',
      })
      .where('id', 'in', some)
      .execute();
    await trx.deleteFrom('orderAccess').where('orderId', 'in', some).execute();
    await trx
      .insertInto('orderNotes')
      .values(some.map((orderId) => ({ orderId, at, note })))
      .execute();
  }
}

/** So many go at once. */
const RESTING = 200;

/** Those received before `time`, the oldest first. */
export function restingMessages(db: Db, time: number): Promise<{ id: number }[]> {
  return db
    .selectFrom('contactSubmissions')
    .select('id')
    .where('createdAt', '<', time)
    .orderBy('createdAt')
    .limit(RESTING)
    .execute();
}

/** Those that ended before `time`, paid or not: the order has all that was bought. */
export function restingQuotes(db: Db, time: number): Promise<{ id: number }[]> {
  return db
    .selectFrom('quotes')
    .select('id')
    .where('expiresAt', '<', time)
    .orderBy('expiresAt')
    .limit(RESTING)
    .execute();
}

/** Those of conversations in which nothing has been said since `time`. */
export function restingChats(db: Db, time: number): Promise<ChatRow[]> {
  return db
    .selectFrom('chatMessages')
    .select(['id', 'conversation'])
    .where('createdAt', '<', time)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('chatMessages as later')
            .select('later.id')
            .whereRef('later.conversation', '=', 'chatMessages.conversation')
            .where('later.createdAt', '>=', time),
        ),
      ),
    )
    .orderBy('createdAt')
    .limit(RESTING)
    .execute();
}
