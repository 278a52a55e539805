/** What a customer's own page shows: the order, what runs, and what has been paid. */
import { linesInDollars } from '../catalogue/pricing.ts';
import type { ChangePreview, RunningSubscription } from '../orders/gateway.server.ts';
import { isRunning } from '../orders/order.ts';
import { readInvoices } from '../orders/order-billing-store.server.ts';
import { orderJson } from '../orders/order-calls.server.ts';
import type { Order } from '../orders/order-store.server.ts';
import type { Row } from '../platform/database/tables.server.ts';
import { type Cents, cents, toDollars } from '../platform/money.ts';
import type { AccountJson, PreviewJson } from './account-api.ts';
import type { ChangeDeps } from './change-plan.server.ts';

/** The newest of a plan that runs for ten years. */
const MOST_PAYMENTS = 120;

export async function orderAccount(
  deps: Pick<ChangeDeps, 'db' | 'gateway' | 'addOnPrices'>,
  order: Order,
  mayChange: boolean,
): Promise<AccountJson> {
  const { db, addOnPrices } = deps;
  const standing = await standingOf(deps, order);
  return {
    order: orderJson(order),
    running: standing && standing !== 'unavailable' ? runningJson(standing) : null,
    away: standing === 'unavailable',
    mayChange,
    backupPrice: toDollars(addOnPrices().cloudBackup.pricePerUser),
    billingAddress: order.billingAddress,
    payments: (await readInvoices(db, order.id))
      .sort((a, b) => b.createdAt - a.createdAt)
      .slice(0, MOST_PAYMENTS)
      .map(paymentJson),
  };
}

/** Null when nothing runs. */
async function standingOf(
  { gateway }: Pick<ChangeDeps, 'gateway'>,
  order: Order,
): Promise<RunningSubscription | 'unavailable' | null> {
  if (!isRunning(order.status) || order.provider !== gateway.provider) return null;
  const standing = await gateway.subscriptions.getSubscription(order);
  return standing !== 'unavailable' && 'refused' in standing ? null : standing;
}

function runningJson({ periodEnd, next, card }: RunningSubscription): AccountJson['running'] {
  return {
    periodEnd: moment(periodEnd),
    next: next && chargeJson(next),
    card,
  };
}

export function previewJson(shown: ChangePreview & { at: number }): PreviewJson {
  const { at, monthly, difference, next } = shown;
  return {
    at: moment(at),
    monthly: toDollars(monthly),
    difference: toDollars(difference),
    next: { at: moment(next.at), ...chargeJson(next) },
  };
}

function chargeJson({ total, tax }: { total: Cents; tax: Cents }) {
  return { total: toDollars(total), tax: toDollars(tax) };
}

function paymentJson(bill: Row<'orderInvoices'>): NonNullable<AccountJson['payments']>[number] {
  const { id, number, createdAt, periodStart, periodEnd, amountCents, taxCents } = bill;
  return {
    id,
    number,
    at: moment(createdAt),
    periodStart: periodStart === null ? null : moment(periodStart),
    periodEnd: periodEnd === null ? null : moment(periodEnd),
    amount: toDollars(cents(amountCents)),
    tax: toDollars(cents(taxCents ?? 0)),
    state: bill.paid ? 'paid' : bill.waived ? 'waived' : 'open',
    lines: linesInDollars({ priceLines: bill.lines }),
    brand: bill.cardBrand,
    last4: bill.cardLast4,
  };
}

function moment(at: number): string {
  return new Date(at).toISOString();
}
