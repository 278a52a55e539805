/** Rows as a busy site has them: of everything that a person, a browser or an order can have many of. */
import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { NewRow, Tables } from '../../src/platform/database/tables.server.ts';
import { ORDER } from './saved-order.ts';

export interface Busy {
  /** Whose all of this is. */
  email: string;
  conversation: string;
  /** The hash of the browser that may see the orders. */
  keyHash: string;
  provider: 'stripe' | 'test';
}

/** Adds so many `rows` to each table. */
export async function fillTables(db: Kysely<Tables>, rows: number, busy: Busy): Promise<void> {
  const { email, conversation, keyHash, provider } = busy;
  const now = Date.now();
  const each = <Row>(row: (index: number) => Row) =>
    Array.from({ length: rows }, (_, index) => row(index));
  const add = <Table extends keyof Tables>(
    table: Table,
    row: (index: number) => NewRow<Table>,
  ): Promise<unknown> => db.insertInto(table).values(each(row)).execute();

  const sent = { name: 'Jane Doe', email, message: 'Our phones are down.', mark: 'new' };
  const message = { ...sent, createdAt: now };
  await add('contactSubmissions', () => ({ ...message, phone: null, service: 'voip' }));
  const said = { ...message, response: 'Soon.' };
  await add('chatMessages', () => ({ ...said, conversation }));
  await add('chatMessages', () => ({ ...said, email: null, conversation: randomUUID() }));

  const order = orderRow(email, now);
  const orders = await db
    .insertInto('orders')
    .values(each(() => ({ ...order, provider })))
    .returning('id')
    .execute();
  await db
    .insertInto('orderAccess')
    .values(orders.map(({ id }) => ({ orderId: id, keyHash })))
    .execute();
  const orderId = orders[0]?.id ?? 0;
  const billed = { orderId, amountCents: 1 };
  await add('orderAccess', () => ({ orderId, keyHash: randomUUID() }));
  await add('orderStatuses', () => ({
    orderId,
    status: 'pending' as const,
    at: now,
    cause: 'filled',
  }));
  await add('orderNotes', () => ({ orderId, at: now, note: 'filled' }));
  await add('orderInvoices', () => ({
    ...billed,
    id: randomUUID(),
    createdAt: now,
    paid: 1 as const,
  }));
  await add('orderCharges', () => ({ ...billed, id: randomUUID(), refundedCents: 0 }));

  const quote = { name: 'Jane Doe', email, planId: 1, planName: 'Essential', priceLines: '[]' };
  const kept = { ms365Option: 'none', ms365Users: 0, includeCloudBackup: 0 } as const;
  const price = { amountCents: 450_00, discountCents: 0, createdAt: now, changedAt: now };
  await add('quotes', (index) => ({
    ...quote,
    ...kept,
    ...price,
    id: index + 1,
    expiresAt: now + index,
  }));
  await add('quoteLinks', () => ({ quoteId: 1, tokenHash: randomUUID() }));

  // Not due while anybody looks, so that none is sent.
  const later = { channel: 'mail-staff', nextTryAt: now + 3_600_000 } as const;
  for (const state of ['waiting', 'set aside', 'accepted'] as const) {
    const delivery = { ...later, state, createdAt: now, settledAt: now };
    const about = { kind: 'order-paid', subjectId: orderId, topic: `order ${orderId}` };
    await add('outbox', () => ({ ...delivery, ...about }));
  }
  const { id: userId } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow();
  const session = { userId, createdAt: now, lastSeenAt: now, address: '', userAgent: '' };
  await add('sessions', () => ({ ...session, tokenHash: randomUUID() }));
  const failed = { kind: 'sign-in-failed', username: 'nobody', address: '', detail: '' };
  await add('audit', () => ({ ...failed, at: now }));
  const event = { type: 'invoice.paid', orderId: null, settled: 1 } as const;
  await add('stripeEvents', () => ({ ...event, id: randomUUID(), receivedAt: now }));
}

function orderRow(email: string, createdAt: number): NewRow<'orders'> {
  // Of one that runs or waits to be paid the provider is asked, of each by itself.
  return { ...ORDER, email, status: 'canceled', subscriptionEnded: 1, createdAt };
}
