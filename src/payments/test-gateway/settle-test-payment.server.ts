/** What becomes of a test payment, or of a card alone, and what its browser is told of it. */
import type { Kysely } from 'kysely';
import { type FollowDeps, followPayment } from '../../orders/follow-payment.server.ts';
import { isOver } from '../../orders/order.ts';
import { lockOrder } from '../../orders/order-billing-store.server.ts';
import type { Tables } from '../../platform/database/tables.server.ts';
import { refuse } from '../../platform/http/answer.server.ts';
import type { TestPayment } from '../payment-shapes.ts';
import { beginSubscription } from './bill-test-subscription.server.ts';
import { findCardEntry, isCardSecret, keepCardEntry } from './test-card-store.server.ts';
import type { TestCard } from './test-cards.ts';
import { stateOf } from './test-gateway.server.ts';

/** What a payment's row says: the payment's status, or why the last card was refused. */
export type Stored =
  | 'new'
  | 'succeeded'
  | 'requires_action'
  | 'declined'
  | 'insufficient_funds'
  | 'refused';

export const PAYABLE: readonly Stored[] = [
  'new',
  'declined',
  'insufficient_funds',
  'refused',
  'requires_action',
];

const REFUSALS: Partial<Record<Stored, string>> = {
  declined: 'Your card was declined. Please try another card.',
  insufficient_funds: 'Your card has insufficient funds. Please try another card.',
  refused: 'The payment was not approved. Please try again or use another card.',
};

interface Settling {
  from: readonly Stored[];
  to: Stored;
  card: TestCard;
}

/** Stores what became of the payment if it still is in one of `from`, and lets the order follow. */
export async function settleTestPayment(
  { db, notify }: FollowDeps,
  clientSecret: string,
  { cause, ...settling }: Settling & { cause: string },
): Promise<TestPayment | Response> {
  if (isCardSecret(clientSecret)) return enterCard(db, clientSecret, settling);
  const { from, to, card } = settling;
  const found = await find(db, clientSecret);
  if (!found) return refuse(404, 'Payment not found');
  const over = await db.transaction().execute(async (trx) => {
    const order = await lockOrder(trx, found.orderId);
    // It was given up meanwhile, such as for another that pays the same quote.
    if (isOver(order.status) && found.status !== 'succeeded') return true;
    const result = await trx
      .updateTable('testPayments')
      .set({ status: to })
      .where('id', '=', found.id)
      .where('status', 'in', from)
      .executeTakeFirst();
    if (result.numUpdatedRows === 0n) return false;
    // Nobody pays in steps: the month begins with the payment.
    const invoices = to === 'succeeded' ? await beginSubscription(trx, order, card) : [];
    await followPayment({ db: trx, notify }, order.id, { ...stateOf(to), invoices }, cause);
    return false;
  });
  if (over) return { status: 'canceled' };
  return toJson((await find(db, clientSecret))?.status ?? found.status);
}

/** A card alone is kept; nothing is paid with it yet. */
async function enterCard(
  db: Kysely<Tables>,
  clientSecret: string,
  { from, to, card }: Settling,
): Promise<TestPayment | Response> {
  const found = await findCardEntry(db, clientSecret);
  if (!found) return refuse(404, 'Payment not found');
  // Until it is in use, another card may take its place.
  const open = from === PAYABLE ? [...PAYABLE, 'succeeded'] : from;
  if (open.some((each) => each === found.status)) await keepCardEntry(db, clientSecret, to, card);
  return toJson((await findCardEntry(db, clientSecret))?.status ?? found.status);
}

export async function retrieveTestPayment(
  db: Kysely<Tables>,
  clientSecret: string,
): Promise<TestPayment | Response> {
  const found = isCardSecret(clientSecret)
    ? await findCardEntry(db, clientSecret)
    : await find(db, clientSecret);
  return found ? toJson(found.status) : refuse(404, 'Payment not found');
}

async function find(db: Kysely<Tables>, clientSecret: string) {
  return db
    .selectFrom('testPayments')
    .selectAll()
    .where('clientSecret', '=', clientSecret)
    .executeTakeFirst();
}

function toJson(stored: string): TestPayment {
  const { status } = stateOf(stored);
  const message = Object.entries(REFUSALS).find(([name]) => name === stored)?.[1];
  return message ? { status, message } : { status };
}
