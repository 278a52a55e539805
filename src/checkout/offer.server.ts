/** What an order is placed for: its plan and price, or those of its quote; and what it stores. */
import type { NewOrder } from '../billing/order-store.server.ts';
import type { ProviderMode } from '../billing/provider-mode.server.ts';
import {
  effectiveChoice,
  isOffered,
  monthlyPrice,
  type Price,
  UNKNOWN_LICENSE,
} from '../catalogue/pricing.ts';
import type { TermsVersion } from '../orders/accepted-terms.server.ts';
import type { OrderRequest } from '../orders/order.ts';
import { refuseField } from '../platform/http/answer.server.ts';
import { cents, totalOf } from '../platform/money.ts';
import { type QuotingSite, quotedAddendum, quotedPrice } from '../quotes/make-quote.server.ts';
import { quotedPayment } from '../quotes/quote.ts';
import { findPayableQuote } from '../quotes/quote-calls.server.ts';
import type { Quote } from '../quotes/quote-store.server.ts';
import type { Site } from '../site.server.ts';

export interface Offer {
  plan: { id: number; name: string };
  ms365Option: string;
  price: Price;
  quote: Quote | null;
  /** Accepted beside the terms of service. */
  addendum: TermsVersion | null;
}

export async function findOffer(context: Site, body: OrderRequest): Promise<Offer | Response> {
  if (body.quote !== undefined) return quotedOffer(context, body, body.quote);
  const plan = await context.catalogue.findPlan(body.planId);
  if (!plan) return refuseField('planId', 'This plan is not offered');
  const addOns = context.catalogue.addOnPrices();
  const { ms365Option } = effectiveChoice(body);
  if (!isOffered(addOns, body.ms365Option)) return refuseField('ms365Option', UNKNOWN_LICENSE);
  return {
    plan,
    ms365Option,
    price: monthlyPrice(plan, body, addOns),
    quote: null,
    addendum: null,
  };
}

async function quotedOffer(
  context: Site,
  body: OrderRequest,
  token: string,
): Promise<Offer | Response> {
  const quote = await findPayableQuote(context.db, token);
  if (quote instanceof Response) return quote;
  if (!isChoiceOf(quote, body)) {
    return refuseField('quote', 'The quote is for another choice. Please open its link again');
  }
  return offerOfQuote(quote, context);
}

export function offerOfQuote(quote: Quote, site: QuotingSite): Offer {
  const { planId: id, planName: name, ms365Option } = quote;
  const price = quotedPrice(quote, site.company);
  const addendum = quotedAddendum(quote, site);
  return { plan: { id, name }, ms365Option, price, quote, addendum };
}

function isChoiceOf(quote: Quote, body: OrderRequest): boolean {
  const choice = effectiveChoice(body);
  return (
    quote.planId === body.planId &&
    quote.ms365Option === choice.ms365Option &&
    quote.ms365Users === choice.ms365Users &&
    (quote.includeCloudBackup === 1) === choice.includeCloudBackup
  );
}

type Buyer = Pick<NewOrder, 'name' | 'email' | 'phone' | 'company' | 'postalCode' | 'poNumber'>;

/** By invoice if its quote is. `requestHash`: '' for what no request repeats. */
export function newOrder(
  { provider, chargesRealMoney }: ProviderMode,
  buyer: Buyer,
  { plan, ms365Option, price, quote }: Offer,
  requestHash: string,
): NewOrder {
  const lines = JSON.stringify(price.lines);
  const daysUntilDue = quote?.dueDays ?? null;
  return {
    ...buyer,
    quoteId: quote?.id ?? null,
    planId: plan.id,
    planName: plan.name,
    ms365Option,
    status: 'pending',
    boughtLines: lines,
    boughtOnce: JSON.stringify(price.once),
    startsOn: price.startsOn,
    discountPercent: quote?.discountPercent ?? null,
    discountCents: quote?.discountCents ?? cents(0),
    requestHash,
    createdAt: Date.now(),
    subscription: {
      provider,
      live: chargesRealMoney ? 1 : 0,
      collection: quotedPayment({ dueDays: daysUntilDue }).collection,
      daysUntilDue,
      amountCents: totalOf(price.lines),
      priceLines: lines,
    },
  };
}
