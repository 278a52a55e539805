/** An order as customers and staff get it: amounts in dollars. */

import { sourceOf } from '../attribution/attribution-store.server.ts';
import { disputeOf, type Order, paymentOf, refundedOf } from '../billing/billed-order.server.ts';
import { owedOf } from '../billing/invoice-store.server.ts';
import { readEvents } from '../billing/order-event-store.server.ts';
import { isBillable, isOver } from '../billing/order-status.ts';
import { customerOf } from '../billing/provider-mode.server.ts';
import { quoteReference } from '../billing/reference.ts';
import { payingWords, planOptions } from '../billing/subscription.ts';
import {
  boughtPrice,
  isMonthly,
  monthlyPriceOf,
  scheduledStart,
} from '../billing/subscription-store.server.ts';
import { priceJson } from '../catalogue/pricing.ts';
import { formatDay } from '../company/days.ts';
import { cents, toDollars } from '../platform/money.ts';
import { isoTime, isoTimeOrNull } from '../platform/time.ts';
import type { Site } from '../site.server.ts';
import { type AccountNames, accountNames } from '../staff/account-store.server.ts';
import { describeHistory } from './describe-event.server.ts';
import { END_REASONS } from './order.ts';

/** `page`: the link to it, for its buyer only. */
export function orderJson(order: Order, page: string | null = null) {
  const { id, name, email, phone, company, planId, ms365Option, subscription } = order;
  const price = monthlyPriceOf(order);
  const { users, backup } = planOptions(price.lines);
  return {
    id,
    version: order.version,
    name,
    email,
    phone,
    company,
    planId,
    paymentMethod: payingWords(subscription).method,
    payment: paymentOf(order),
    ms365Option,
    ms365Users: users,
    includeCloudBackup: backup,
    status: order.status,
    amount: isMonthly(subscription) ? toDollars(subscription.amountCents) : null,
    price: isMonthly(subscription) ? priceJson(price) : null,
    byAgreement: !isMonthly(subscription),
    paymentId: subscription.paymentId,
    createdAt: isoTime(order.createdAt),
    planName: order.planName,
    refunded: toDollars(refundedOf(order)),
    credit: toDollars(isOver(order.status) ? subscription.creditCents : cents(0)),
    endsAt: isoTimeOrNull(subscription.cancelAt),
    startsOn: scheduledStart(order),
    paused: subscription.status === 'paused',
    billable: isBillable(order),
    quote: order.quoteId === null ? null : quoteReference(order.quoteId),
    poNumber: order.poNumber,
    accepted: acceptedJson(order),
    page,
  };
}

function acceptedJson(order: Order) {
  const { acceptedName: name, acceptedTitle: title, termsDate, termsHash } = order;
  if (name === null || termsDate === null || termsHash === null) return null;
  const price = priceJson(boughtPrice(order));
  return { at: isoTime(order.createdAt), name, title, price, termsDate, termsHash };
}

export function orderRowJson(order: Order) {
  return { ...orderJson(order), dispute: disputeOf(order) };
}

/**
 * Adds what only staff see: the history, and the customer at the payment provider. `names`: as
 * colleagues or customers read them.
 */
export async function staffOrderJson(
  { db, gateway, company }: Pick<Site, 'db' | 'gateway' | 'company'>,
  order: Order,
  names: keyof AccountNames = 'name',
) {
  const events = await readEvents(db, order.id);
  const accounts = await accountNames(
    db,
    events.flatMap(({ actor }) => (actor.is === 'staff' ? [actor.account] : [])),
  );
  return {
    ...orderRowJson(order),
    owed: owedOf(order)
      .map(({ number, amountCents, amountRemainingCents: remaining, dueDay }) => ({
        ...{ number, amount: toDollars(amountCents), remaining: toDollars(remaining), dueDay },
      }))
      .reverse(),
    ...describeHistory({
      events,
      nameOf: (account) => accounts[names](account) || company.supportName,
      references: new Map(order.invoices.map(({ id, reference }) => [id, reference])),
      day: (time) => formatDay(company, time),
    }),
    endReason: END_REASONS.find((reason) => reason === order.endReason) ?? null,
    endWords: order.endWords,
    source: await sourceOf(db, 'order', order.id),
    providerCustomer: customerOf(gateway, order),
    inTestMode: gateway.provider === 'test' && order.subscription.provider === 'test',
  };
}
