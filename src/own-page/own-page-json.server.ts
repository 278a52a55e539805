/** The customer's own page as its browser gets it: amounts in dollars. */

import { type Order, paymentOfMonth, refundedOf } from '../billing/billed-order.server.ts';
import { cardCharge } from '../billing/charge-store.server.ts';
import { isOwed } from '../billing/invoice.ts';
import { type Invoice, needsConfirmation } from '../billing/invoice-store.server.ts';
import { comesAt } from '../billing/notice.ts';
import { findNotice, type Notice } from '../billing/notice-store.server.ts';
import { readEvents } from '../billing/order-event-store.server.ts';
import { isBillable, isOver } from '../billing/order-status.ts';
import { isNotDone } from '../billing/outcome.server.ts';
import { isOrderAt } from '../billing/provider-mode.server.ts';
import type { AtProvider } from '../billing/refresh-order.server.ts';
import { pricesToCome } from '../billing/settle-notice.server.ts';
import { fullLines, isMonthly, paysRealMoney } from '../billing/subscription-store.server.ts';
import { inDollars, linesInDollars, repriced } from '../catalogue/pricing.ts';
import { versionJson } from '../orders/accepted-terms.server.ts';
import { orderJson } from '../orders/order-json.server.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { untilDeadline } from '../platform/deadline.server.ts';
import { cents, toDollars } from '../platform/money.ts';
import { isoTime, isoTimeOrNull } from '../platform/time.ts';
import type { Site } from '../site.server.ts';
import { offersFor } from './change-plan.server.ts';
import type { OwnPageJson } from './own-page-api.ts';

const UNAVAILABLE: AtProvider = ['unavailable', 'unavailable'];

/** Null for what the provider cannot be asked about now. */
export async function ownPageJson(
  context: Site,
  order: Order,
  mayChange: boolean,
): Promise<OwnPageJson> {
  const { db, gateway, paymentChecks } = context;
  const isHere = isOrderAt(gateway, order);
  const runsHere = isBillable(order) && isHere;
  const notice = isOver(order.status) ? undefined : await findNotice(db, order.id);
  const comes = comesAt(notice);
  const isPaidThere = isHere && order.invoices.some((invoice) => isPayable(order, invoice));
  const asked = paymentChecks.accounts.run(`${order.id} ${order.version}`, () =>
    Promise.all([
      runsHere ? gateway.subscriptions.getSubscription(order, pricesToCome(notice)) : null,
      isPaidThere && gateway.invoicePages ? gateway.invoicePages(order) : null,
    ]),
  );
  const [answer, pages] = await untilDeadline(asked, UNAVAILABLE);
  const subscription = isNotDone(answer) ? null : answer;
  const next = subscription?.next;
  const refunds = await refundsOf(db, order);
  return {
    order: orderJson(order),
    running: subscription && {
      periodEnd: isoTime(subscription.periodEnd),
      next: next ? { total: toDollars(next.total), tax: toDollars(next.tax) } : null,
      card: subscription.card,
    },
    priceChange:
      notice && comes !== undefined && isMonthly(order.subscription)
        ? priceChangeJson(order, notice)
        : null,
    billingUnavailable: answer === 'unavailable' || pages === 'unavailable',
    mayChange,
    offers: offersFor(context, order),
    features: isBillable(order) ? context.catalogue.featuresOf(order.planId) : [],
    billingAddress: order.billingAddress,
    billsTo: order.billsTo,
    addendum: addendumJson(order),
    addendumToday: versionJson(context.addendum()),
    test: !paysRealMoney(order.subscription),
    payments: order.invoices.map((invoice) => ({
      ...paymentJson(order, invoice),
      refunds: refunds.filter(({ id }) => id === invoice.id),
      payUrl: isPayable(order, invoice) && pages instanceof Map ? pages.get(invoice.id) : null,
    })),
  };
}

export function addendumJson(order: Order): OwnPageJson['addendum'] {
  const { addendumAt: at, addendumName: name, addendumTitle: title } = order;
  const { addendumDate: termsDate, addendumHash: termsHash } = order;
  if (at === null || name === null || termsDate === null || termsHash === null) return null;
  return { at: isoTime(at), name, title, termsDate, termsHash };
}

/** Without a discount, which only the provider computes at prices to come. */
function priceChangeJson(order: Order, { effectiveAt, to }: Notice): OwnPageJson['priceChange'] {
  const before = fullLines(order);
  const after = repriced(before, to);
  return { at: isoTime(effectiveAt), before: inDollars(before), after: inDollars(after) };
}

/** On a page of the provider: the customer pays it, or confirms a payment with the bank. */
function isPayable({ status, subscription }: Order, invoice: Invoice): boolean {
  const { state } = paymentOfMonth(invoice);
  const isFailed = invoice.status === 'open' && subscription.collection === 'invoice';
  if (state === null && isOver(status)) return isOfLastBill(invoice);
  if (state === null) return needsConfirmation(invoice) || isFailed;
  // Who pays once more while the bank decides pays twice.
  return invoice.status === 'open' && isOwed(state) && state !== 'debit_under_way';
}

/** Of a plan that is over: no card is charged for a month any more, but for what was left. */
function isOfLastBill({ status, periodStart }: Invoice): boolean {
  return status === 'open' && periodStart === null;
}

function paymentJson({ status: orderStatus, charges }: Order, invoice: Invoice) {
  const { id, number, status, poNumber, billedTo, paidOutOfBand } = invoice;
  const payment = paymentOfMonth(invoice);
  const isPaid = status === 'paid' && !isOwed(payment.state);
  const at = isPaid ? invoice.paidAt : null;
  // What was sent to be paid by bank may be due later.
  const isDropped = payment.state === null && isOver(orderStatus) && !isOfLastBill(invoice);
  const isOpen = (status === 'open' && !isDropped) || isOwed(payment.state);
  const open = needsConfirmation(invoice) ? ('to_confirm' as const) : ('open' as const);
  const card = cardCharge(charges, id);
  const isAll = invoice.amountPaidCents === invoice.amountCents;
  return {
    id,
    number,
    at: isoTime(at ?? invoice.createdAt),
    periodStart: isoTimeOrNull(invoice.periodStart),
    periodEnd: isoTimeOrNull(invoice.periodEnd),
    amount: toDollars(invoice.amountCents),
    remaining: toDollars(invoice.amountRemainingCents),
    paid: isAll ? null : toDollars(invoice.amountPaidCents),
    tax: toDollars(invoice.taxCents ?? cents(0)),
    state: isPaid ? ('paid' as const) : isOpen ? open : ('void' as const),
    lines: linesInDollars(invoice.lines),
    once: linesInDollars(invoice.once),
    brand: card?.cardBrand ?? null,
    last4: card?.cardLast4 ?? null,
    payment,
    poNumber,
    billedTo: billedTo === null ? null : JSON.parse(billedTo),
    reference: paidOutOfBand ? invoice.reference : null,
    refunded: toDollars(
      refundedOf({ charges: charges.filter(({ invoiceId }) => invoiceId === id) }),
    ),
  };
}

/** What went back of each payment, and what of that came back, the oldest first. */
async function refundsOf(db: Db, order: Order) {
  const events = await readEvents(db, order.id);
  return events.flatMap(({ at, event }) =>
    event.kind === 'refunded' || event.kind === 'refund-failed'
      ? (event.of ?? []).map(({ invoice, amount }) => ({
          id: invoice.id,
          at: isoTime(at),
          amount: toDollars(amount),
        }))
      : [],
  );
}
