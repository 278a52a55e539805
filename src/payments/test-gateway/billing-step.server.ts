/** What becomes of a test subscription when its time has come: a renewal, one more try of its card, or the end. */
import type { Kysely } from 'kysely';
import type { PaymentState } from '../../orders/gateway.server.ts';
import { isOver } from '../../orders/order.ts';
import { lockOrder } from '../../orders/order-billing-store.server.ts';
import type { Tables } from '../../platform/database/tables.server.ts';
import { type Cents, cents } from '../../platform/money.ts';
import { chargeOf, monthly } from './proration.ts';
import { billOf, openBill } from './test-bill.server.ts';
import { chargesLater } from './test-cards.ts';
import { markBilled, unbilled } from './test-change-store.server.ts';
import {
  keepSubscription,
  linesOf,
  periodOf,
  type Subscription,
} from './test-subscription-store.server.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** How many days after the first attempt a card is charged again; after the last one in vain it is over. */
const RETRY_DAYS = [3, 5, 8];

export interface BillingStep extends Pick<PaymentState, 'invoices' | 'ended'> {
  what: 'renewed' | 'failed' | 'ended';
}

export async function billingStep(
  trx: Kysely<Tables>,
  known: Subscription,
  at: number,
): Promise<BillingStep> {
  const { status } = await lockOrder(trx, known.orderId);
  if (isOver(status)) {
    await endSubscription(trx, known.orderId);
    return { what: 'ended', ended: true };
  }
  if (known.ending && known.status === 'active') return lastBill(trx, known, at);
  return known.status === 'active' ? renew(trx, known, at) : tryAgain(trx, known);
}

/** What changes have come to is still owed when no month follows. */
async function lastBill(
  trx: Kysely<Tables>,
  known: Subscription,
  at: number,
): Promise<BillingStep> {
  const { charge } = chargeOf((await unbilled(trx, known.orderId)) - known.creditCents);
  await markBilled(trx, known.orderId);
  await endSubscription(trx, known.orderId);
  if (charge === 0) return { what: 'ended', ended: true };
  const bills = known.bills + 1;
  await keepSubscription(trx, known.orderId, { bills });
  const paid = chargesLater({ token: known.cardToken });
  const bill = billOf({ ...known, bills }, at, charge, paid);
  return { what: 'ended', ended: true, invoices: [{ ...bill, waived: !paid }] };
}

/** The next month begins, with its bill. */
async function renew(trx: Kysely<Tables>, known: Subscription, at: number): Promise<BillingStep> {
  const differences = await unbilled(trx, known.orderId);
  const asked = monthly(linesOf(known)) + differences - known.creditCents;
  const { charge, credit } = chargeOf(asked);
  const paid = charge === 0 || chargesLater({ token: known.cardToken });
  const renewed = {
    ...periodOf(known.startedAt, known.months + 1),
    bills: known.bills + 1,
    creditCents: credit,
  };
  await markBilled(trx, known.orderId);
  await keepSubscription(trx, known.orderId, {
    ...renewed,
    ...(paid ? {} : unpaid(charge, 0, at)),
  });
  const bill = billOf({ ...known, ...renewed }, at, charge, paid);
  return { what: paid ? 'renewed' : 'failed', invoices: [bill] };
}

/** The bill that is open is charged once more, in vain: another card pays it when it is entered. */
async function tryAgain(trx: Kysely<Tables>, known: Subscription): Promise<BillingStep> {
  if (known.tries < RETRY_DAYS.length) {
    const again = unpaid(cents(known.openCents ?? 0), known.tries, known.periodStart);
    await keepSubscription(trx, known.orderId, again);
    return { what: 'failed', invoices: [openBill(known, false)] };
  }
  await endSubscription(trx, known.orderId);
  return { what: 'ended', ended: true, invoices: [{ ...openBill(known, false), waived: true }] };
}

function unpaid(open: Cents, tries: number, firstAt: number): Partial<Subscription> {
  const nextAt = firstAt + (RETRY_DAYS[tries] ?? 0) * DAY_MS;
  return { status: 'past_due', openCents: open, tries: tries + 1, nextAt };
}

async function endSubscription(trx: Kysely<Tables>, orderId: number): Promise<void> {
  await keepSubscription(trx, orderId, { status: 'ended', nextAt: null });
}
