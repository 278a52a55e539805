/** POST /api/quote/accept: a quote to be paid by invoice becomes an order, once. */

import { saveAttribution, type Visit } from '../attribution/attribution-store.server.ts';
import type { Order } from '../billing/billed-order.server.ts';
import { byCustomer } from '../billing/cause.server.ts';
import { issueInvoice } from '../billing/follow-invoices.server.ts';
import { insertEvent, recordEvent } from '../billing/order-event-store.server.ts';
import { findOrderForQuote, insertOrder } from '../billing/order-store.server.ts';
import { orderReference } from '../billing/reference.ts';
import { payingWords } from '../billing/subscription.ts';
import { dueToday } from '../catalogue/pricing.ts';
import { PAYMENT_CALLS } from '../limits.ts';
import { ADDENDUM_CHANGED, keepAcceptance } from '../orders/accepted-terms.server.ts';
import { admitBrowser, hasAccess, receiptLink } from '../orders/order-access.server.ts';
import { refuse, refuseField } from '../platform/http/answer.server.ts';
import { type Call, call } from '../platform/http/call.server.ts';
import { ACCEPT_QUOTE, type AcceptRequest } from '../quotes/quote-api.ts';
import { findPayableQuote } from '../quotes/quote-calls.server.ts';
import { findLinkedQuote, lockQuote } from '../quotes/quote-store.server.ts';
import type { Site } from '../site.server.ts';
import { newOrder, offerOfQuote } from './offer.server.ts';
import { isSameAmount, refuseStart } from './start-order.server.ts';

const CHANGED = 'This quote or its terms have changed. Please read them again.';

export function acceptQuote(context: Site): Call {
  const { db } = context;
  return call(
    ACCEPT_QUOTE,
    { access: 'anyone', limit: PAYMENT_CALLS },
    async ({ body, ...visit }) => {
      const saved = await saveAcceptance(context, body, visit);
      if (saved instanceof Response) return saved;
      const { order, isNew } = saved;
      // What fails here is made up for by `followInvoices`.
      if (isNew) await issueInvoice(context, order);
      const mayOpen = isNew || (await hasAccess(db, order.id, visit.cookies));
      return {
        orderId: order.id,
        reference: orderReference(order.id),
        page: mayOpen ? await receiptLink(context, order) : null,
      };
    },
  );
}

async function saveAcceptance(
  context: Site,
  body: AcceptRequest,
  visit: Visit,
): Promise<{ order: Order; isNew: boolean } | Response> {
  const { db, gateway, notify, termsOfService } = context;
  const quote = await findPayableQuote(db, body.token, 'invoice');
  if (quote instanceof Response) {
    const linked = await findLinkedQuote(db, body.token);
    const earlier = linked && (await findOrderForQuote(db, linked.id));
    return earlier && !payingWords(earlier.subscription).hasCard
      ? { order: earlier, isNew: false }
      : quote;
  }
  const offer = offerOfQuote(quote, context);
  const { addendum, price } = offer;
  const isDue = body.dueToday === undefined || isSameAmount(body.dueToday, dueToday(price));
  if (!isDue || body.changedAt !== quote.changedAt || body.terms !== termsOfService().hash)
    return refuse(409, CHANGED);
  if (body.addendum !== addendum?.hash) return refuse(409, ADDENDUM_CHANGED);
  if (gateway.tax) {
    if (!body.postalCode) return refuseField('postalCode', 'Please enter your ZIP code');
    const checked = await gateway.checkPostalCode(body.postalCode);
    if (checked !== 'known') return refuseStart(context, checked);
  }
  return db.transaction().execute(async (trx) => {
    if (!(await lockQuote(trx, quote))) return refuse(409, CHANGED);
    const earlier = await findOrderForQuote(trx, quote.id);
    if (earlier) return { order: earlier, isNew: false };
    const texts = { terms: termsOfService(), addendum };
    const accepted = await keepAcceptance(trx, texts, body);
    const { name, email, company } = quote;
    const { postalCode = null, poNumber } = body;
    const buyer = { name, email, phone: null, company, postalCode, poNumber };
    const row = { ...newOrder(gateway, buyer, offer, ''), ...accepted };
    const order = await insertOrder(trx, row);
    if (!order) throw new Error('an order without a key was not saved');
    await admitBrowser(trx, order.id, visit.cookies, 'placed it');
    await saveAttribution(trx, 'order', order.id, visit, quote.id);
    if (addendum) await insertEvent(trx, order.id, { kind: 'addendum-accepted' }, byCustomer());
    const event = { kind: 'accepted' as const, daysUntilDue: quote.dueDays ?? 0 };
    await recordEvent({ db: trx, notify }, order, { event }, byCustomer());
    return { order, isNew: true };
  });
}
