/**
 * Checks that the books agree, at either gateway: orders with what happened to them, their
 * invoices, charges and emails, the quotes that they pay, and what Stripe has.
 */

import { type Order, refundedOf, withBilling } from '../../src/billing/billed-order.server.ts';
import { readEvents } from '../../src/billing/order-event-store.server.ts';
import { quoteReference } from '../../src/billing/reference.ts';
import { parseLines } from '../../src/catalogue/pricing.ts';
import type { Db, Row } from '../../src/platform/database/tables.server.ts';
import { totalOf } from '../../src/platform/money.ts';
import type { FakeStripe } from './fake-stripe/fake-stripe.ts';

interface Books {
  /** The other side's books, in Stripe mode. */
  fake?: FakeStripe;
  /** Only these orders. */
  ids?: readonly number[];
}

type Mail = Pick<Row<'outbox'>, 'kind' | 'subjectId' | 'eventId' | 'topic' | 'channel'>;

/** Returns a description of each disagreement. Throws if there is nothing to compare. */
export async function booksDisagree(db: Db, { fake, ids }: Books = {}): Promise<string[]> {
  const all = await withBilling(db, await db.selectFrom('orders').selectAll().execute());
  const orders = all.filter(({ id }) => ids?.includes(id) ?? true);
  if (orders.length === 0) throw new Error('nothing has happened');
  const mails = await db
    .selectFrom('outbox')
    .select(['kind', 'subjectId', 'eventId', 'topic', 'channel'])
    .execute();
  const found: string[] = [];
  for (const order of orders) {
    const faults = await orderFaults(db, order, mails);
    if (fake) faults.push(...stripeFaults(order, fake));
    found.push(...faults.map((fault) => `O-${order.id}: ${fault}`));
  }
  if (!ids) found.push(...(await quoteFaults(db, all, mails)));
  return found;
}

const differences = (facts: Record<string, [is: unknown, wanted: unknown]>) =>
  Object.entries(facts).flatMap(([what, [is, wanted]]) =>
    JSON.stringify(is) === JSON.stringify(wanted) ? [] : [`${what} ${is} is not ${wanted}`],
  );

async function orderFaults(db: Db, order: Order, mails: readonly Mail[]): Promise<string[]> {
  const events = (await readEvents(db, order.id)).map(({ event, id }) => ({ ...event, id }));
  const statuses = events.flatMap((event) => (event.kind === 'status' ? [event.to] : []));
  const happened = (kind: string) => events.filter((event) => event.kind === kind).length;
  const invoices = order.invoices.toReversed();
  const lines = parseLines(order.subscription.priceLines);
  const own = mails.filter(
    ({ channel, topic }) => channel === 'mail-customer' && topic === `order ${order.id}`,
  );
  const mailed = (kind: string) => own.filter((mail) => mail.kind === kind).length;
  // The last bill of a plan that ended has the changes of its month alone.
  const months = invoices.filter(({ periodStart }) => periodStart !== null);
  const starts = months.slice(1).map(({ periodStart }) => periodStart);
  return [
    ...differences({
      status: [order.status, statuses.at(-1)],
      amount: [order.subscription.amountCents, totalOf(lines)],
      'something paid': [
        invoices.some((invoice) => invoice.status === 'paid'),
        // Money that came when the order was over is staff's to send back.
        statuses.includes('paid') || happened('paid-after-end') > 0,
      ],
      'begins of months': [starts, months.slice(0, -1).map(({ periodEnd }) => periodEnd)],
      receipts: [mailed('order-paid'), statuses.includes('paid') ? 1 : 0],
      'emails about changes': [mailed('order-changed'), happened('changed')],
      'emails about the end of the month': [mailed('order-ending'), happened('ending')],
    }),
    ...events
      .filter(({ id }) => own.filter(({ eventId }) => eventId === id).length > 1)
      .map(({ kind }) => `two emails about '${kind}'`),
  ];
}

const sum = (amounts: readonly number[]) => amounts.reduce((all, amount) => all + amount, 0);

function stripeFaults(order: Order, { state }: FakeStripe): string[] {
  const { subscriptionId, customerId } = order.subscription;
  const { status } = order;
  // The site ends one that was cut off before the order stored it.
  const running = [...state.subscription.values()].filter(
    ({ id, metadata, status: there }) =>
      metadata.orderId === String(order.id) &&
      (id === subscriptionId || !['canceled', 'incomplete_expired'].includes(there)),
  );
  const own = [...state.invoice.values()]
    .filter(({ parent }) => parent.subscription_details.subscription === subscriptionId)
    .flatMap(({ payments }) => payments.data.map(({ payment }) => payment.payment_intent));
  // Staff may also charge something by hand.
  const charges = [...state.charge.values()].filter(
    (charge) => charge.paid && own.includes(charge.payment_intent),
  );
  // What the bank took back of a debit is owed again.
  const gone = charges.map(
    ({ id, amount, amount_refunded: refunded, payment_method_details: by }) => {
      const disputes = [...state.dispute.values()].filter(({ charge }) => charge === id);
      const lost = disputes.filter(
        ({ status }) => status === 'lost' && by.type !== 'us_bank_account',
      );
      const byBank = sum(lost.map((dispute) => dispute.amount));
      return { amount, back: refunded + byBank, isLost: byBank >= amount };
    },
  );
  const subscription = state.subscription.get(subscriptionId ?? '');
  const { balance } = state.customer.get(customerId ?? '') ?? { balance: 0 };
  const disputed = [...state.dispute.values()].filter(({ charge }) =>
    charges.some(({ id }) => id === charge),
  );
  const isAll = (some: typeof gone) =>
    some.length > 0 && some.every(({ amount, back }) => back >= amount);
  const isRefunded = isAll(gone) || gone.some(({ isLost }) => isLost);
  // Then its invoice stays paid at Stripe, and so the subscription active.
  const isReturned = charges.some(
    ({ id, payment_method_details: by }) =>
      by.type === 'us_bank_account' &&
      disputed.some(({ charge, status }) => charge === id && status === 'lost'),
  );
  const allowed = allowedStatuses(subscription?.status, isRefunded, isReturned);
  return [
    ...differences({
      subscriptions: [running.map(({ id }) => id), subscriptionId === null ? [] : [subscriptionId]],
      credit: [order.subscription.creditCents, Math.max(0, -balance)],
      disputes: [
        sum(order.charges.map((row) => row.disputedCents)),
        sum(disputed.map(({ amount }) => amount)),
      ],
      refunds: [refundedOf(order), sum(gone.map(({ back }) => back))],
    }),
    ...(allowed.includes(status) ? [] : [`${status}, at Stripe ${subscription?.status}`]),
  ];
}

/**
 * Order statuses by the subscription's. A fully refunded one must be canceled. `isReturned`: the
 * bank took back a debit.
 */
function allowedStatuses(
  status: string | undefined,
  isRefunded: boolean,
  isReturned: boolean,
): string[] {
  if (isRefunded) return status === 'canceled' ? ['refunded'] : [];
  switch (status) {
    case undefined:
      return ['pending', 'canceled'];
    case 'incomplete':
      return ['pending', 'processing', 'failed'];
    case 'incomplete_expired':
    case 'canceled':
      return ['canceled'];
    case 'active':
      return isReturned ? ['paid', 'past_due'] : ['paid'];
    case 'trialing':
      return ['pending', 'processing', 'paid'];
    default:
      return [status];
  }
}

const OVER = ['canceled', 'refunded'];

async function quoteFaults(db: Db, orders: readonly Order[], mails: readonly Mail[]) {
  const quotes = await db.selectFrom('quotes').selectAll().execute();
  const links = await db.selectFrom('quoteLinks').selectAll().execute();
  const audit = await db.selectFrom('audit').select(['kind', 'detail']).execute();
  const known = new Set(quotes.map(({ id }) => id));
  const lost = links.filter(({ quoteId }) => !known.has(quoteId));
  const found = lost.map(({ quoteId }) => `a link has no quote: ${quoteId}`);
  for (const quote of quotes) {
    const sent = (to: string) =>
      mails.filter(({ topic, channel }) => topic === `quote ${quote.id}` && channel === to).length;
    const audited = (kind: string) =>
      audit.filter((row) => row.kind === kind && row.detail === quoteReference(quote.id)).length;
    const isWithdrawn = quote.withdrawnAt !== null;
    const open = orders.filter(
      ({ quoteId, status }) => quoteId === quote.id && !OVER.includes(status),
    );
    const due = 1 + audited('quote-changed');
    // Once a quote is paid or withdrawn, waiting emails are dropped.
    const isSettled = isWithdrawn || open.some(({ status }) => status === 'paid');
    const emails = sent('mail-customer');
    const faults = differences({
      link: [links.some(({ quoteId }) => quoteId === quote.id), true],
      'emails to staff': [sent('mail-staff'), 1],
      'emails to the customer': [emails, isSettled ? Math.min(emails, due) : due],
      withdrawn: [audited('quote-withdrawn') === 1, isWithdrawn],
      'open orders': [open.length, isWithdrawn ? 0 : Math.min(open.length, 1)],
      amounts: [
        open.map((order) => order.subscription.amountCents),
        open.map(() => quote.amountCents),
      ],
      lines: [open.map((order) => order.boughtLines), open.map(() => quote.priceLines)],
    });
    found.push(...faults.map((fault) => `Q-${quote.id}: ${fault}`));
  }
  return found;
}
