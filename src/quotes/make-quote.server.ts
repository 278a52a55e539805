/** Prices a quote from a choice at today's prices, and converts quotes to JSON. */

import { quoteReference } from '../billing/reference.ts';
import {
  effectiveChoice,
  isOffered,
  type Price,
  parseLines,
  priceJson,
  priceOf,
  UNKNOWN_LICENSE,
  withDiscount,
} from '../catalogue/pricing.ts';
import type { Company } from '../company/company.ts';
import { dayAfter, endOfDay, localDate } from '../company/days.ts';
import { MAX_START_DAYS, QUOTE_DAYS } from '../limits.ts';
import { type TermsVersion, versionJson } from '../orders/accepted-terms.server.ts';
import type { NewRow } from '../platform/database/tables.server.ts';
import { refuse, refuseField } from '../platform/http/answer.server.ts';
import { toDollars } from '../platform/money.ts';
import { DAY_MS, formatDate, isoTime, isoTimeOrNull } from '../platform/time.ts';
import type { Site } from '../site.server.ts';
import { FORMER_COLLEAGUE } from '../staff/account-store.server.ts';
import { AT_LIST_PRICE, nextReminder, priceOfChoice, quotedPayment, quoteState } from './quote.ts';
import {
  type QuoteJson,
  type QuoteRequest,
  type QuoteRowJson,
  type StaffQuoteRequest,
  WRONG_DOLLARS,
  WRONG_START,
} from './quote-api.ts';
import type { Quote } from './quote-store.server.ts';

const NO_ADDENDUM = 'This site has no Safeguards addendum (pages/safeguards-addendum.md)';

type QuoteInput = QuoteRequest & Partial<StaffQuoteRequest>;

export type PricedQuote = Omit<NewRow<'quotes'>, 'id' | 'createdAt' | 'madeById'>;

export async function priceQuote(
  { catalogue, company, addendum: addendumText }: Site,
  { days = QUOTE_DAYS, dueDays = null, addendum = false, ...request }: QuoteInput,
): Promise<PricedQuote | Response> {
  const plan = await catalogue.findPlan(request.planId);
  if (!plan) {
    const message = 'This plan is no longer sold. Please choose another';
    return refuse(409, message, { errors: [{ path: 'planId', message }] });
  }
  const addOns = catalogue.addOnPrices();
  if (!isOffered(addOns, request.ms365Option)) return refuseField('ms365Option', UNKNOWN_LICENSE);
  const priced = priceOfChoice(plan, { ...AT_LIST_PRICE, ...request }, addOns);
  if (!priced) return refuseField('discount.value', WRONG_DOLLARS);
  const { price, off } = priced;
  const { startsOn } = price;
  const { ms365Option, ms365Users, includeCloudBackup } = effectiveChoice(request);
  const now = Date.now();
  const earliest = dayAfter(company, now, 1);
  const latest = dayAfter(company, now, MAX_START_DAYS);
  if (startsOn !== null && (startsOn < earliest || startsOn > latest)) {
    // By their dates: where staff are, the company's day may not have begun.
    const days = `from ${formatDate(earliest)} to ${formatDate(latest)}`;
    return refuseField('startsOn', `${WRONG_START} ${days}`);
  }
  if (addendum && !addendumText()) return refuseField('addendum', NO_ADDENDUM);
  const expiresAt = endOfDay(company, dayAfter(company, now, days));
  return {
    name: request.name,
    email: request.email,
    company: request.company,
    note: request.note,
    planId: plan.id,
    planName: plan.name,
    ms365Option,
    ms365Users,
    includeCloudBackup: includeCloudBackup ? 1 : 0,
    priceLines: JSON.stringify(price.lines),
    amountCents: price.total,
    once: JSON.stringify(price.once),
    startsOn,
    ...off,
    discountReason: request.discount?.reason ?? null,
    dueDays,
    addendum: addendum ? 1 : 0,
    changedAt: now,
    expiresAt,
    // No reminder comes within a day of the quote itself.
    remindAt: nextReminder(expiresAt, now + DAY_MS),
  };
}

/** Accepted on its start day or later, the plan starts with its acceptance. */
export function quotedPrice(quote: Quote, company: Company): Price {
  const { acceptedAt, startsOn } = quote;
  const isToCome = startsOn !== null && startsOn > localDate(company, acceptedAt ?? Date.now());
  return priceOf(withDiscount(parseLines(quote.priceLines), quote), undefined, {
    once: parseLines(quote.once),
    startsOn: isToCome ? startsOn : null,
  });
}

export type QuotingSite = Pick<Site, 'company' | 'addendum' | 'catalogue' | 'termsOfService'>;

export function quotedAddendum(quote: Quote, site: QuotingSite): TermsVersion | null {
  return quote.addendum === 1 ? site.addendum() : null;
}

function withReason(price: Price, reason: string | null): Price {
  const { discount } = price;
  return discount
    ? { ...price, discount: { ...discount, label: `${discount.label}: ${reason}` } }
    : price;
}

/** Whether all its words are a visitor's still: staff have not changed it, or only withdrawn it. */
function isByVisitor({ madeById, withdrawnAt, createdAt, changedAt }: Quote): boolean {
  return madeById === null && (withdrawnAt !== null || changedAt === createdAt);
}

/** The quote as anyone with its link sees it, without the email address. */
export function quoteJson(quote: Quote, site: QuotingSite, now: number): QuoteJson {
  const { name, company, note, planId, planName, ms365Option, ms365Users, dueDays } = quote;
  const { discountCents, discountPercent, discountReason, changedAt, preparedBy } = quote;
  const state = quoteState(quote, now);
  return {
    ...{ name, company, note, planId, planName, ms365Option, ms365Users, dueDays },
    ...{ changedAt, preparedBy },
    reference: quoteReference(quote.id),
    state,
    byVisitor: isByVisitor(quote),
    features: state === 'open' ? site.catalogue.featuresOf(planId) : [],
    includeCloudBackup: quote.includeCloudBackup === 1,
    price: priceJson(withReason(quotedPrice(quote, site.company), discountReason)),
    amount: toDollars(quote.amountCents),
    discount:
      discountReason === null
        ? null
        : {
            amount: toDollars(discountCents),
            percent: discountPercent,
            reason: discountReason,
          },
    createdAt: isoTime(quote.createdAt),
    expiresAt: isoTime(quote.expiresAt),
    acceptedAt: isoTimeOrNull(quote.acceptedAt),
    reminders: quote.remindAt === null ? null : quote.remindersStopped === 0,
    payment: quotedPayment(quote),
    termsOfService: versionJson(dueDays === null ? null : site.termsOfService()),
    addendum: versionJson(quotedAddendum(quote, site)),
  };
}

export function quoteRowJson(quote: Quote, site: QuotingSite, now: number): QuoteRowJson {
  const { id, email, opened, orderId } = quote;
  return {
    ...quoteJson(quote, site, now),
    ...{ id, email, opened, orderId },
    madeBy: quote.madeById === null ? null : (quote.madeBy ?? FORMER_COLLEAGUE),
    withdrawnAt: isoTimeOrNull(quote.withdrawnAt),
    lastOpenedAt: isoTimeOrNull(quote.lastOpenedAt),
    acceptedBy: quote.acceptedAt === null ? null : quote.acceptedBy,
  };
}
