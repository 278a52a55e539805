/** A quote as it travels: for anybody with its link, and with more for staff. `now` in milliseconds. */
import { linesInDollars } from '../catalogue/pricing.ts';
import { cents, toDollars } from '../platform/money.ts';
import { quoteReference, quoteState } from './quote.ts';
import type { QuoteJson, QuoteRowJson } from './quote-api.ts';
import type { Quote } from './quote-store.server.ts';

export function quoteJson(quote: Quote, now: number): QuoteJson {
  return {
    reference: quoteReference(quote.id),
    state: quoteState(quote, now),
    name: quote.name,
    company: quote.company,
    note: quote.note,
    byVisitor: quote.madeBy === null,
    planId: quote.planId,
    planName: quote.planName,
    ms365Option: quote.ms365Option,
    ms365Users: quote.ms365Users,
    includeCloudBackup: quote.includeCloudBackup === 1,
    lines: linesInDollars(quote),
    amount: toDollars(cents(quote.amountCents)),
    discount:
      quote.discountReason === null
        ? null
        : {
            amount: toDollars(cents(quote.discountCents)),
            percent: quote.discountPercent,
            reason: quote.discountReason,
          },
    createdAt: iso(quote.createdAt),
    expiresAt: iso(quote.expiresAt),
    acceptedAt: isoOrNull(quote.acceptedAt),
    reminders: quote.remindersStopped === 0,
  };
}

export function quoteRowJson(quote: Quote, now: number): QuoteRowJson {
  const { id, email, madeBy, changedAt, withdrawnAt, openedAt, lastOpenedAt, opened, orderId } =
    quote;
  return {
    ...quoteJson(quote, now),
    id,
    email,
    madeBy,
    changedAt,
    withdrawnAt: isoOrNull(withdrawnAt),
    openedAt: isoOrNull(openedAt),
    lastOpenedAt: isoOrNull(lastOpenedAt),
    opened,
    orderId,
  };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

function isoOrNull(at: number | null): string | null {
  return at === null ? null : iso(at);
}
