/** POST /api/create-payment-intent: prices and saves the order before it calls the provider. */

import { saveAttribution, type Visit } from '../attribution/attribution-store.server.ts';
import { abandonOrder } from '../billing/abandon-order.server.ts';
import type { Order } from '../billing/billed-order.server.ts';
import { byCustomer, bySite } from '../billing/cause.server.ts';
import type { NotStarted } from '../billing/gateway.server.ts';
import { insertEvent } from '../billing/order-event-store.server.ts';
import { awaitsPayment, isBillable, isOver } from '../billing/order-status.ts';
import {
  type BuyerAndPlan,
  findOrderByKey,
  findOrderForQuote,
  insertOrder,
  lockOrder,
  type NewOrder,
  savePayment,
  selectSimilarOrders,
} from '../billing/order-store.server.ts';
import { providerUnavailable } from '../billing/outcome.server.ts';
import { orderReference } from '../billing/reference.ts';
import { type OrderContext, refreshForVisitor } from '../billing/refresh-order.server.ts';
import {
  boughtPrice,
  wasStarted,
  withSubscriptions,
} from '../billing/subscription-store.server.ts';
import { dueToday, hasOwnStart } from '../catalogue/pricing.ts';
import { PAYMENT_CALLS } from '../limits.ts';
import { ADDENDUM_CHANGED, keepAcceptance } from '../orders/accepted-terms.server.ts';
import { ORDER_KEY, type OrderRequest } from '../orders/order.ts';
import { admitBrowser, keyHashes } from '../orders/order-access.server.ts';
import { PLACE_ORDER, type StartedPayment } from '../orders/order-api.ts';
import { INVALID_EMAIL } from '../platform/fields.ts';
import { refuse, refuseField } from '../platform/http/answer.server.ts';
import { type Call, call } from '../platform/http/call.server.ts';
import type { Cookies } from '../platform/http/cookies.server.ts';
import { hashRequest, idempotencyKeyOf } from '../platform/http/idempotency-key.server.ts';
import { type Cents, toDollars } from '../platform/money.ts';
import { lockQuote, type Quote } from '../quotes/quote-store.server.ts';
import type { Site } from '../site.server.ts';
import { findOffer, newOrder, type Offer } from './offer.server.ts';

const QUOTE_CHANGED =
  'This quote has just been changed or is being paid. Please open its link again.';

export function startOrder(context: Site): Call {
  const { db } = context;
  return call(
    PLACE_ORDER,
    { access: 'anyone', limit: PAYMENT_CALLS },
    async ({ body, countAsRepeat, ...buyer }) => {
      const idempotencyKey = idempotencyKeyOf(buyer.headers);
      if (idempotencyKey instanceof Response) return idempotencyKey;
      const existing = await findOrderByKey(db, idempotencyKey);
      const placed = existing
        ? { order: existing, isNew: false }
        : await placeOrder(context, body, idempotencyKey, buyer);
      if (placed instanceof Response) return placed;
      const { order, isNew } = placed;
      if (order.requestHash !== hashRequest(body)) {
        return refuse(409, 'This Idempotency-Key was used for another order');
      }
      if (!canBePaid(order)) return refuseUnpayable(order);
      // Else the provider is asked again.
      if (!isNew && wasStarted(order.subscription)) countAsRepeat();
      // Its answer was lost, maybe with the cookie. Later, a repeat gets its answer and no access.
      if (!isNew && isFresh(order)) {
        await db.transaction().execute(async (trx) => {
          await lockOrder(trx, order.id);
          await admitBrowser(trx, order.id, buyer.cookies, 'sent it again');
        });
      }
      const started = await startPayment(context, order);
      if (started === 'over') return refuseUnpayable(order);
      return typeof started === 'string' ? refuseStart(context, started) : started;
    },
  );
}

export function refuseStart({ company }: Site, reason: NotStarted): Response {
  if (reason === 'unavailable') return providerUnavailable();
  if (reason === 'refused')
    return refuse(
      409,
      `We can’t take this order online right now. Nothing has been charged. Please call us at ${company.phone.display}.`,
    );
  return reason === 'invalid-email'
    ? refuseField('email', INVALID_EMAIL)
    : refuseField('postalCode', 'This ZIP code is not known. Please check it');
}

/** In dollars: more than the error of a browser's float arithmetic, far less than a cent. */
const ROUNDING = 1e-8;
export const isSameAmount = (dollars: number, amount: Cents) =>
  Math.abs(dollars - toDollars(amount)) <= ROUNDING;

interface Placed {
  order: Order;
  /** This request saved the order and gave its browser access. */
  isNew: boolean;
}

/** Returns the saved order or a refusal. The browser's amount is only compared with ours. */
async function placeOrder(
  context: Site,
  body: OrderRequest,
  idempotencyKey: string | null,
  visit: Visit,
): Promise<Placed | Response> {
  const { gateway } = context;
  const offer = await findOffer(context, body);
  if (offer instanceof Response) return offer;
  const { plan, price, quote, addendum } = offer;
  if (gateway.tax && !body.postalCode) {
    return refuseField('postalCode', 'Please enter your ZIP code');
  }
  const isDue = hasOwnStart(price) || body.dueToday !== undefined;
  if (
    !isSameAmount(body.amount, price.total) ||
    (isDue && !isSameAmount(body.dueToday ?? Number.NaN, dueToday(price)))
  ) {
    const now = context.catalogue.addOnPrices();
    return refuse(409, 'The price has changed. Please review your order.', { now });
  }
  if (body.addendum !== addendum?.hash) return refuse(409, ADDENDUM_CHANGED);
  if (addendum && !body.title) return refuseField('title', 'Please enter your title');
  if (!body.another && (await hasActiveSubscription(context, body, visit.cookies)))
    return refuseDouble(plan);
  // Make sure that this order can be paid before an earlier one of the quote is abandoned.
  if (gateway.tax && body.postalCode && quote) {
    const checked = await gateway.checkPostalCode(body.postalCode);
    if (checked !== 'known') return refuseStart(context, checked);
  }
  const refusal = quote && (await releaseQuote(context, quote, idempotencyKey));
  if (refusal) return refusal;
  const { name, email, phone, company, postalCode = null } = body;
  const buyer = { name, email, phone, company, postalCode };
  const order = { ...newOrder(gateway, buyer, offer, hashRequest(body)), idempotencyKey };
  return saveOrder(context, order, visit, body, offer);
}

const FRESH_MS = 300_000;

/** A repeated request reads only what it sent. */
function isFresh({ status, createdAt }: Order): boolean {
  return awaitsPayment(status) && Date.now() - createdAt < FRESH_MS;
}

/** Includes paid orders, for repeated requests; not those that staff marked as paid by hand. */
function canBePaid(order: Order): boolean {
  return awaitsPayment(order.status) || (wasStarted(order.subscription) && !isOver(order.status));
}

function refuseUnpayable({ id }: Order): Response {
  const message = `Order ${orderReference(id)} can no longer be paid. Press Pay again.`;
  return refuse(409, message, { errors: [{ path: ORDER_KEY, message }] });
}

function refuseDouble({ name }: Offer['plan']): Response {
  const message = `A subscription of the ${name} plan is already running for this email address. Nothing has been charged. To change it, please email or call us. To buy a second one, confirm it below.`;
  return refuse(409, message, { errors: [{ path: 'another', message }] });
}

/** Of requests with one idempotency key, the first is saved and all get its order. */
async function saveOrder(
  { db, termsOfService }: Site,
  row: NewOrder & { idempotencyKey: string | null },
  visit: Visit,
  { another, name, title }: OrderRequest,
  { quote, addendum }: Offer,
): Promise<Placed | Response> {
  const saved = await db.transaction().execute(async (trx) => {
    // It was changed, or got an order, after it was read.
    if (quote && !(await lockQuote(trx, quote))) return undefined;
    if (quote && (await findOrderForQuote(trx, quote.id))) return undefined;
    const texts = { terms: termsOfService(), addendum };
    const accepted = await keepAcceptance(trx, texts, { name, title: title ?? null });
    const inserted = await insertOrder(trx, { ...row, ...accepted });
    if (inserted) await admitBrowser(trx, inserted.id, visit.cookies, 'placed it');
    if (inserted) await saveAttribution(trx, 'order', inserted.id, visit, row.quoteId);
    if (inserted && another)
      await insertEvent(trx, inserted.id, { kind: 'second-wanted' }, byCustomer());
    if (inserted && addendum)
      await insertEvent(trx, inserted.id, { kind: 'addendum-accepted' }, byCustomer());
    return inserted;
  });
  if (saved) return { order: saved, isNew: true };
  const order = await findOrderByKey(db, row.idempotencyKey);
  if (order) return { order, isNew: false };
  if (quote) return refuse(409, QUOTE_CHANGED);
  throw new Error('an order was neither saved nor found');
}

/** The order's payment, started unless it exists. 'over': the order has ended or expired. */
async function startPayment(
  context: OrderContext,
  order: Order,
): Promise<StartedPayment | NotStarted | 'over'> {
  const { db, gateway } = context;
  let current = order;
  if (!wasStarted(order.subscription)) {
    const started = await gateway.start(order);
    if (typeof started === 'string') return started;
    current = await savePayment(db, order.id, started);
  }
  const { clientSecret } = current.subscription;
  if (clientSecret === null || !canBePaid(current)) {
    await abandonOrder(context, current, bySite('started-after-end'));
    return 'over';
  }
  const price = boughtPrice(order);
  return {
    clientSecret,
    orderId: order.id,
    amount: toDollars(order.subscription.amountCents),
    ...(hasOwnStart(price) && { dueToday: toDollars(dueToday(price)) }),
  };
}

/** A quote has one order: abandons an unpaid one, but not the same request's. Must come last. */
async function releaseQuote(
  context: Site,
  quote: Quote,
  idempotencyKey: string | null,
): Promise<Response | undefined> {
  const order = await findOrderForQuote(context.db, quote.id);
  if (!order || (idempotencyKey && order.idempotencyKey === idempotencyKey)) return undefined;
  const number = orderReference(order.id);
  switch (await abandonOrder(context, order, bySite('quote-paid-by-another'))) {
    case 'abandoned':
      return undefined;
    case 'accepted':
      return refuse(
        409,
        `This quote has already been accepted (${number}). Nothing was charged now.`,
      );
    case 'under-way':
      return refuse(
        409,
        `This quote is being paid right now (${number}). Nothing was charged now. If that payment was abandoned, please call us.`,
      );
    default:
      return providerUnavailable();
  }
}

/** How many of a browser's unpaid orders the provider is asked about before it buys again. */
const MAX_LOOKUPS = 5;

/** Whether this browser already has this plan for this address; asks the provider where unpaid. */
async function hasActiveSubscription(
  context: OrderContext,
  buyerAndPlan: BuyerAndPlan,
  cookies: Cookies,
): Promise<boolean> {
  const { db, gateway } = context;
  const keys = keyHashes(cookies);
  if (keys.length === 0) return false;
  const orders = await selectSimilarOrders(db, gateway, buyerAndPlan)
    .innerJoin('orderAccess', 'orderAccess.orderId', 'orders.id')
    .where('orderAccess.keyHash', 'in', keys)
    .execute();
  if ((await withSubscriptions(db, orders)).some(isBillable)) return true;
  const lookups = orders
    .slice(0, MAX_LOOKUPS)
    .map((order) => refreshForVisitor(context, order, byCustomer('buys-again')));
  const updated = await Promise.all(lookups);
  return updated.some((order) => order !== 'unavailable' && isBillable(order));
}
