/** What a quote promises to the order that accepts it, as the checkout asks for it. */
import type { Kysely } from 'kysely';
import { type Price, priceLinesOf } from '../catalogue/pricing.ts';
import type { Gateway } from '../orders/gateway.server.ts';
import type { Tables } from '../platform/database/tables.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import { cents } from '../platform/money.ts';
import { quoteReference, quoteState } from './quote.ts';
import { findLinkedQuote, holdQuote, type Quote } from './quote-store.server.ts';

export interface QuoteOffer {
  quote: Quote;
  plan: { id: number; name: string };
  price: Price;
  /** Keeps the quote as it is until the transaction ends; false when it has changed since. */
  hold(trx: Kysely<Tables>): Promise<boolean>;
}

/** Finds the offer behind a quote's token, or says why it cannot be paid: 404, 409 for a paid one, 410 when it is over. */
export async function findOffer(
  { db, gateway }: { db: Kysely<Tables>; gateway: Gateway },
  token: string,
): Promise<QuoteOffer | Response> {
  const quote = await findLinkedQuote(db, token);
  if (!quote) return refuse(404, 'This quote link isn’t valid');
  const number = quoteReference(quote.id);
  switch (quoteState(quote, await gateway.now())) {
    case 'accepted':
      return refuse(409, `Quote ${number} has already been paid. Nothing has been charged now.`);
    case 'withdrawn':
      return refuse(410, `Quote ${number} was withdrawn. Please choose a plan at today’s prices.`);
    case 'expired':
      return refuse(410, `Quote ${number} has expired. Please choose a plan at today’s prices.`);
    case 'open':
      return {
        quote,
        plan: { id: quote.planId, name: quote.planName },
        price: { lines: priceLinesOf(quote), total: cents(quote.amountCents) },
        hold: (trx) => holdQuote(trx, quote),
      };
  }
}
