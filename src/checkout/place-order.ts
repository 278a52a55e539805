/** The browser's side of placing an order. A key in the tab makes repeats lead to one order. */

import * as z from 'zod/mini';
import { firstVisitHeader } from '../attribution/first-visit.ts';
import {
  type Choice,
  dueToday,
  effectiveChoice,
  hasOwnStart,
  type Price,
} from '../catalogue/pricing.ts';
import {
  type OrderBody,
  orderRequest,
  PAYMENT_METHODS,
  postalCodeField,
  titleField,
} from '../orders/order.ts';
import { PLACE_ORDER } from '../orders/order-api.ts';
import type { BillingDetails } from '../payments/provider-in-browser.ts';
import { sessionStore } from '../platform/browser/browser-storage.ts';
import { fetchCall, randomId } from '../platform/fetch-call.ts';
import { toDollars } from '../platform/money.ts';
import { rowId } from '../platform/schema.ts';
import type { QuoteView } from '../quotes/quote-api.ts';
import { RETURN_PARAMETER } from './checkout-data.ts';

export type BillingFields = Record<keyof BillingDetails | 'title', string>;

const { shape } = orderRequest;
const FIELDS = ['name', 'email', 'phone', 'company', 'postalCode', 'title'] as const;
const unused = z.pipe(
  z.string(),
  z.transform(() => null),
);

/** A missing value has another message than an invalid one. */
function entered<Field extends z.ZodMiniType<unknown, string>>(missing: string, field: Field) {
  return z.pipe(z.string().check(z.refine((text) => text.trim() !== '', missing)), field);
}

/**
 * The billing form, by the server's rules. `tax`: whether sales tax is added, `addendum`: whether
 * one is accepted.
 */
export function billingForm(tax: boolean, addendum: boolean) {
  const postalCode = entered('Please enter your ZIP code', postalCodeField());
  return z.object({
    name: entered('Please enter the name on your card', shape.name),
    email: entered('Please enter your email address', shape.email),
    phone: shape.phone,
    company: shape.company,
    postalCode: tax ? postalCode : unused,
    title: addendum ? titleField() : unused,
  });
}

export interface CheckoutSubmission {
  plan: { id: number };
  choice: Choice;
  price: Price;
  billing: BillingDetails & { title: string | null };
  quote: { token: string; addendum: QuoteView['addendum'] } | undefined;
  /** The buyer has confirmed a second subscription to the same plan. */
  another: boolean;
}

export function orderBody({
  plan,
  choice,
  price,
  billing,
  quote,
  another,
}: CheckoutSubmission): OrderBody {
  const { name, email, phone, company, postalCode, title } = billing;
  return {
    planId: plan.id,
    name,
    email,
    ...(phone && { phone }),
    ...(company && { company }),
    ...(postalCode && { postalCode }),
    ...(another && { another }),
    ...(quote?.token && { quote: quote.token }),
    ...(quote?.addendum && { addendum: quote.addendum.hash }),
    ...(title && { title }),
    ...effectiveChoice(choice),
    amount: toDollars(price.total),
    ...(hasOwnStart(price) && { dueToday: toDollars(dueToday(price)) }),
    paymentMethod: PAYMENT_METHODS[0],
  };
}

const BILLING = 'billing';
const billingFields = z.record(z.enum(FIELDS), z.string());

export function readBilling(field: (name: string) => string): BillingFields {
  return billingFields.parse(Object.fromEntries(FIELDS.map((name) => [name, field(name)])));
}

/** What was typed in this tab, never the card: a refused card does not lose it. */
export function savedBilling(): BillingFields {
  return sessionStore.get(BILLING, billingFields) ?? readBilling(() => '');
}

export function saveBilling(fields: BillingFields): void {
  sessionStore.set(BILLING, fields);
}

/** Returns the client secret. Nothing is sent again by itself, and rejects as `fetchCall` does. */
export async function placeOrder(order: OrderBody): Promise<string> {
  const { request, key } = findOrCreateAttempt(order);
  const headers = { 'Idempotency-Key': key, ...firstVisitHeader() };
  const { clientSecret, orderId } = await fetchCall(PLACE_ORDER, { body: request, headers });
  saveOrderId(orderId);
  sessionStore.set(STARTED, { orderId, clientSecret });
  return clientSecret;
}

const ORDER = 'order';
const ATTEMPT = 'order_attempt';

/** Null when the answer named no order: an earlier one must not be shown in its place. */
export function saveOrderId(orderId: number | null): void {
  if (orderId === null) sessionStore.remove(ORDER);
  else sessionStore.set(ORDER, orderId);
}

export function savedOrderId(): number | null {
  return sessionStore.get(ORDER, rowId);
}

const STARTED = 'started_payment';
const startedPayment = z.object({ orderId: rowId, clientSecret: z.string() });

/** The secret of the order's payment: after a reload, the bank's approval can be given with it. */
export function savedSecret(orderId: number): string | null {
  const started = sessionStore.get(STARTED, startedPayment);
  return started?.orderId === orderId ? started.clientSecret : null;
}

const attempt = z.object({
  /** Exactly as sent: the server refuses a different body under the same key. */
  request: z.custom<OrderBody>((value) => orderRequest.safeParse(value).success),
  key: z.string(),
});

/** The same purchase keeps its request and key; another name or phone number is still the same. */
function findOrCreateAttempt(request: OrderBody): z.output<typeof attempt> {
  const saved = sessionStore.get(ATTEMPT, attempt);
  if (saved && purchaseKey(saved.request) === purchaseKey(request)) return saved;
  const created = { request, key: randomId() };
  sessionStore.set(ATTEMPT, created);
  return created;
}

function purchaseKey({ name, phone, ...purchase }: OrderBody): string {
  return JSON.stringify(purchase);
}

/** Buying the same again is then a second order. */
export function clearAttempt(): void {
  sessionStore.remove(ATTEMPT);
}

/** Called once an order is paid: the next buyer in this tab starts afresh. */
export function clearCheckout(): void {
  clearAttempt();
  sessionStore.remove(BILLING);
  sessionStore.remove(STARTED);
}

/** The current URL with the payment's secret, which marks the return from paying. */
export function returnUrl(clientSecret: string): string {
  const url = new URL(window.location.href);
  url.searchParams.set(RETURN_PARAMETER, clientSecret);
  return url.href;
}
