/** An order as it travels: for who placed it, and with more for staff. */
import type { Kysely } from 'kysely';
import { linesInDollars } from '../catalogue/pricing.ts';
import type { Tables } from '../platform/database/tables.server.ts';
import { cents, toDollars } from '../platform/money.ts';
import { quoteReference } from '../quotes/quote-reference.ts';
import { salesTax } from './order.ts';
import { readNotes } from './order-billing-store.server.ts';
import type { OrderJson, OrderRow, StaffOrderJson } from './order-shapes.ts';
import { type Order, readHistory } from './order-store.server.ts';

/** The order as the API shows it: amounts in dollars. `page`: the address of its page, for its buyer alone. */
export function orderJson(order: Order, page: string | null = null): OrderJson {
  return {
    id: order.id,
    name: order.name,
    email: order.email,
    phone: order.phone,
    company: order.company,
    planId: order.planId,
    paymentMethod: order.paymentMethod,
    ms365Option: order.ms365Option,
    ms365Users: order.ms365Users,
    includeCloudBackup: order.includeCloudBackup === 1,
    status: order.status,
    amount: toDollars(cents(order.amountCents)),
    tax: toDollars(salesTax(order)),
    paymentId: order.paymentId,
    createdAt: new Date(order.createdAt).toISOString(),
    planName: order.planName,
    lines: linesInDollars(order),
    refunded: toDollars(cents(order.refundedCents)),
    endsAt: order.endsAt === null ? null : new Date(order.endsAt).toISOString(),
    quote: order.quoteId === null ? null : quoteReference(order.quoteId),
    page,
  };
}

/** An order in the list that staff see. */
export function orderRow(order: Order): OrderRow {
  return { ...orderJson(order), dispute: order.dispute };
}

/** What staff see besides; `providerPage` is the order's page at the payment provider. */
export async function staffOrderJson(
  db: Kysely<Tables>,
  order: Order,
  providerPage: string | null,
): Promise<StaffOrderJson> {
  const storyOf = await stories(db, [order]);
  return { ...orderRow(order), ...storyOf(order), providerPage };
}

/** The same of many orders, with as few queries. */
export async function staffOrdersJson(
  db: Kysely<Tables>,
  orders: readonly Order[],
  providerPage: (order: Order) => string | null,
): Promise<StaffOrderJson[]> {
  const storyOf = await stories(db, orders);
  return orders.map((order) => ({
    ...orderRow(order),
    ...storyOf(order),
    providerPage: providerPage(order),
  }));
}

async function stories(db: Kysely<Tables>, orders: readonly Order[]) {
  const ids = orders.map(({ id }) => id);
  const history = Map.groupBy(await readHistory(db, ids), ({ orderId }) => orderId);
  const notes = Map.groupBy(await readNotes(db, ids), ({ orderId }) => orderId);
  return ({ id }: Order): Pick<StaffOrderJson, 'history' | 'notes'> => ({
    history: (history.get(id) ?? []).map(({ orderId: _, ...past }) => past),
    notes: (notes.get(id) ?? []).map(({ orderId: _, ...note }) => note),
  });
}
