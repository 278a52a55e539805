/** What an order is about, what it costs (at today's prices, or as a quote has promised), and whose it is at the provider. */
import type { Kysely } from 'kysely';
import type { CurrentPrices } from '../catalogue/live-catalogue.server.ts';
import {
  type Choice,
  effectiveChoice,
  monthlyPrice,
  type Price,
  priceLinesOf,
} from '../catalogue/pricing.ts';
import { abandonOrder } from '../orders/abandon-order.server.ts';
import { followNow, type OrderDeps } from '../orders/follow-payment.server.ts';
import { providerUnavailable } from '../orders/gateway.server.ts';
import { isRunning, type OrderRequest, orderReference } from '../orders/order.ts';
import { orderOfQuote, ordersLike, type Purchase } from '../orders/order-store.server.ts';
import type { Tables } from '../platform/database/tables.server.ts';
import { refuse, refuseField } from '../platform/http/answer.server.ts';
import { cents } from '../platform/money.ts';
import { findPayableQuote } from '../quotes/quote-calls.server.ts';
import { holdQuote, type Quote } from '../quotes/quote-store.server.ts';

export interface TermsDeps extends OrderDeps, CurrentPrices {}

export interface Terms {
  plan: { id: number; name: string };
  price: Price;
  quoteId: number | null;
  /** Keeps them as they are until the transaction ends; false when they hold no more. */
  hold(trx: Kysely<Tables>): Promise<boolean>;
}

export async function findTerms(deps: TermsDeps, body: OrderRequest): Promise<Terms | Response> {
  if (body.quote !== undefined) return quotedTerms(deps, body, body.quote);
  const plan = await deps.findPlan(body.planId);
  if (!plan) return refuseField('planId', 'This plan is not offered');
  const price = monthlyPrice(plan, body, deps.addOnPrices());
  return { plan, price, quoteId: null, hold: async () => true };
}

async function quotedTerms(
  deps: TermsDeps,
  body: OrderRequest,
  token: string,
): Promise<Terms | Response> {
  const quote = await findPayableQuote(deps, token);
  if (quote instanceof Response) return quote;
  if (!isChoiceOf(quote, body)) {
    return refuseField('quote', 'The quote is for another choice. Please open its link again');
  }
  return {
    plan: { id: quote.planId, name: quote.planName },
    price: { lines: priceLinesOf(quote), total: cents(quote.amountCents) },
    quoteId: quote.id,
    hold: async (trx) => (await holdQuote(trx, quote)) && !(await orderOfQuote(trx, quote.id)),
  };
}

function isChoiceOf(quote: Quote, body: OrderRequest): boolean {
  const wanted: Choice = effectiveChoice(body);
  return (
    quote.planId === body.planId &&
    quote.ms365Option === wanted.ms365Option &&
    quote.ms365Users === wanted.ms365Users &&
    (quote.includeCloudBackup === 1) === wanted.includeCloudBackup
  );
}

/**
 * A quote is paid by one order. One that was begun before and left unpaid is given up, also when another browser began it,
 * so this comes after all else that may refuse.
 */
export async function freeQuote(
  deps: TermsDeps,
  quoteId: number | null,
): Promise<Response | undefined> {
  const order = quoteId === null ? undefined : await orderOfQuote(deps.db, quoteId);
  if (!order) return undefined;
  const number = orderReference(order.id);
  switch (await abandonOrder(deps, order, 'the quote is paid by another order')) {
    case 'abandoned':
      return undefined;
    case 'paid':
      return refuse(409, `This quote has already been paid (${number}). Nothing was charged now.`);
    case 'under-way':
      return refuse(
        409,
        `This quote is being paid right now (${number}). Nothing was charged now. If that payment was abandoned, please call us.`,
      );
    case 'unavailable':
      return providerUnavailable();
  }
}

/**
 * Whether this browser has bought the plan for this address and pays for it. An order without news
 * since is retrieved: the buyer may have paid and lost the page.
 */
export async function hasActiveSubscription(
  deps: OrderDeps,
  purchase: Purchase,
  keyHash: string,
): Promise<boolean> {
  const { db, gateway } = deps;
  // The test gateway takes no money, so there a second one does no harm.
  if (gateway.provider !== 'stripe') return false;
  const orders = await ordersLike(db, gateway.live, purchase)
    .innerJoin('orderAccess', 'orderAccess.orderId', 'orders.id')
    .where('orderAccess.keyHash', '=', keyHash)
    .execute();
  if (orders.some(({ status }) => isRunning(status))) return true;
  for (const order of orders) {
    const now = await followNow(deps, order, 'customer buys again');
    if (now !== 'unavailable' && isRunning(now.status)) return true;
  }
  return false;
}
