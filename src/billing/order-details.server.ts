/** Facts of an order that customers and staff correct, or change at the payment provider. */

import type { Generated } from 'kysely';
import type { InTransaction } from '../notifications/notification.server.ts';
import type { Db } from '../platform/database/tables.server.ts';
import type { Order } from './billed-order.server.ts';
import { bySite, type Cause } from './cause.server.ts';
import { monthlyOf } from './event-facts.server.ts';
import { kindsWith } from './event-kinds.server.ts';
import type { PaymentState } from './gateway.server.ts';
import { DETAILS, type Detail } from './order-event.server.ts';
import { hasHappened, insertEvent, recordEvent } from './order-event-store.server.ts';
import { updateOrder } from './order-store.server.ts';
import { scheduledStart } from './subscription-store.server.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    /** Another address of an order, until it is a day old. */
    emailChanges: {
      id: Generated<number>;
      orderId: number;
      email: string;
      /** The address before; null until the new one was confirmed. */
      formerEmail: string | null;
      /** Of the link that confirms it; null until that is mailed, and once it was used. */
      keyHash: string | null;
      createdAt: number;
    };
  }
}

export type Details = Pick<Order, Detail>;

export function differing(order: Details, details: Partial<Details>): Detail[] {
  return DETAILS.filter((key) => details[key] !== undefined && details[key] !== order[key]);
}

/** The kinds of notification about another address; the outbox has stored them. */
export const EMAIL_CHANGED = ['email-changed-from', 'email-changed-to'] as const;
export const emailTopic = (orderId: number): string => `email of order ${orderId}`;

/** Later papers say the new facts; earlier ones keep what they said. */
export async function correctOrder(
  { db: trx, notify }: InTransaction,
  order: Order,
  details: Partial<Details>,
  cause: Cause,
): Promise<Order> {
  const what = differing(order, details);
  if (what.length === 0) return order;
  const { name, company, email, billingAddress } = order;
  await trx
    .updateTable('invoices')
    .set({ billedTo: JSON.stringify({ name, company, email, billingAddress }) })
    .where('orderId', '=', order.id)
    .where('billedTo', 'is', null)
    .execute();
  const after = await updateOrder(trx, order.id, details);
  await insertEvent(trx, order.id, { kind: 'details-changed', what }, cause);
  if (after.email !== email) await changeAddress({ db: trx, notify }, after, email);
  return after;
}

/** Notifies both sides of another day; one before the first was certain is only stored. */
export async function moveStart(
  context: InTransaction,
  order: Order,
  startsOn: string,
): Promise<Order> {
  // One that is paused before its start had a certain day.
  const was = order.subscription.status === 'paused' ? order.startsOn : scheduledStart(order);
  if (was === null) return correctOrder(context, order, { startsOn }, bySite());
  if (was === startsOn) return order;
  const after = await updateOrder(context.db, order.id, { startsOn });
  const event = { kind: 'start-moved' as const, monthly: { ...monthlyOf(after), startsOn }, was };
  await recordEvent(context, after, { event }, bySite());
  return after;
}

/** Notifies both addresses. Nobody's is one that a stranger may have typed and not paid for. */
async function changeAddress(
  { db: trx, notify }: InTransaction,
  { id: orderId, email }: Order,
  formerEmail: string,
): Promise<void> {
  await forgetAsked(trx, orderId);
  // Links that were mailed to the former address no longer open it.
  await trx.deleteFrom('orderAccessLinks').where('orderId', '=', orderId).execute();
  if (!(await hasHappened(trx, orderId, kindsWith('acceptance')))) return;
  const { id } = await trx
    .insertInto('emailChanges')
    .values({ orderId, email, formerEmail, keyHash: null, createdAt: Date.now() })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const kind of EMAIL_CHANGED) await notify(trx, { kind }, id);
}

/** Addresses that were asked for and not confirmed. */
export async function forgetAsked(trx: Db, orderId: number): Promise<void> {
  const asked = trx.deleteFrom('emailChanges').where('orderId', '=', orderId);
  await asked.where('formerEmail', 'is', null).execute();
}

/** What was changed at the provider since it was last seen; what it was never told stays. */
export function changedThere(
  order: Order,
  { customer }: Pick<PaymentState, 'customer'>,
): { details: Partial<Details>; seenCustomer?: string } {
  // What the provider still knows of an erased buyer does not come back.
  if (!customer || order.email === '') return { details: {} };
  const seenCustomer = JSON.stringify(customer);
  const { subscription, name, email, phone, postalCode, billingAddress } = order;
  if (subscription.seenCustomer === seenCustomer) return { details: {} };
  // Release 1.0 stored none: then all that differs was changed there, or never sent.
  const seen: typeof customer = JSON.parse(
    subscription.seenCustomer ??
      JSON.stringify({
        ...{ name, email, phone: customer.phone && phone, postalCode },
        address: billingAddress === null ? null : customer.address,
      }),
  );
  const { address, ...facts } = customer;
  const now = { ...facts, billingAddress: address };
  const was = { ...seen, billingAddress: seen.address };
  const keys = ['name', 'email', 'phone', 'postalCode', 'billingAddress'] as const;
  // A longer phone is kept here alone, though it takes the place of one that was there.
  const isRemoved = (key: (typeof keys)[number]) =>
    (key === 'phone' || key === 'billingAddress') && was[key] === order[key];
  const changed = keys.flatMap((key) =>
    now[key] !== was[key] && (now[key] !== null || isRemoved(key)) ? [[key, now[key]]] : [],
  );
  return { details: Object.fromEntries(changed), seenCustomer };
}
