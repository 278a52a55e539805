/**
 * The browser checks who pays, and asks for an order and its payment; however often it does, the same purchase is one
 * order. The tab remembers it, so that a reload or a second try leads to the same one.
 */

import * as z from 'zod/mini';
import { type Choice, effectiveChoice, type Price } from '../catalogue/pricing.ts';
import { type OrderBody, orderRequest, PAYMENT_METHODS, postalCodeField } from '../orders/order.ts';
import { PLACE_ORDER } from '../orders/order-api.ts';
import type { Billing, CardEntry } from '../payments/payment-api.ts';
import { sessionStore } from '../platform/browser/session-store.ts';
import { fetchCall, randomId, reasonOf } from '../platform/fetch-call.ts';
import { toDollars } from '../platform/money.ts';
import { rowId } from '../platform/schema.ts';

export type BillingFields = Record<keyof Billing, string>;

const { shape } = orderRequest;
const untaxed = z.object({
  name: shape.name,
  email: shape.email,
  phone: shape.phone,
  company: shape.company,
});
const taxed = z.extend(untaxed, { postalCode: postalCodeField() });

const FIELDS = ['name', 'email', 'phone', 'company', 'postalCode'] as const;

/** The message for an empty field; a wrong value has another. */
const MISSING: Partial<BillingFields> = {
  name: 'Please enter the name on your card',
  email: 'Please enter your email address',
  postalCode: 'Please enter your ZIP code',
};

interface Checked {
  value?: Billing;
  faults: Partial<Record<keyof Billing, string>>;
}

/** The same rules as the server's, shown at the fields before anything is sent. */
export function checkBilling(typed: BillingFields, tax: boolean): Checked {
  const result = (tax ? taxed : untaxed).safeParse(typed);
  if (result.success) return { value: { postalCode: null, ...result.data }, faults: {} };
  const faults: Checked['faults'] = {};
  for (const { path, message } of result.error.issues) {
    const field = FIELDS.find((each) => each === path[0]);
    if (field) faults[field] ??= (typed[field].trim() === '' && MISSING[field]) || message;
  }
  return { faults };
}

export interface Purchase {
  plan: { id: number };
  choice: Choice;
  price: Price;
  billing: Billing;
  card: CardEntry;
  /** The quote that is paid. */
  quote: { token: string } | undefined;
  /** The buyer wants a second subscription beside the one that is running. */
  another: boolean;
}

export function orderFor({ plan, choice, price, billing, quote, another }: Purchase): OrderBody {
  const { name, email, phone, company, postalCode } = billing;
  return {
    planId: plan.id,
    name,
    email,
    ...(phone && { phone }),
    ...(company && { company }),
    ...(postalCode && { postalCode }),
    ...(another && { another }),
    ...(quote?.token && { quote: quote.token }),
    ...effectiveChoice(choice),
    amount: toDollars(price.total),
    paymentMethod: PAYMENT_METHODS[0],
  };
}

const FAILED = 'Failed to process payment';

/** The payment's secret. Rejects with the server's reason, or the specification's default, and with its cause. */
export async function placeOrder(wanted: OrderBody): Promise<string> {
  const { request, key } = attemptFor(wanted);
  const send = () => fetchCall(PLACE_ORDER, { body: request, headers: { 'Idempotency-Key': key } });
  const { clientSecret, orderId } = await send()
    .catch((error: unknown) => {
      // The connection broke: under its key, asking again is safe.
      if (error instanceof TypeError) return send();
      throw error;
    })
    .catch((cause: unknown) => {
      throw new Error(reasonOf(cause, FAILED), { cause });
    });
  rememberOrderId(orderId);
  return clientSecret;
}

const ORDER = 'order';
const ATTEMPT = 'order_attempt';

/** An older server may not name the order; then the one before it must not stand for it. */
export function rememberOrderId(orderId: number | null): void {
  if (orderId === null) sessionStore.remove(ORDER);
  else sessionStore.set(ORDER, orderId);
}

export function recallOrderId(): number | null {
  return sessionStore.get(ORDER, rowId);
}

const attempt = z.object({
  /** As it was sent, to the letter: under the same key the server takes no other. */
  request: z.custom<OrderBody>((value) => orderRequest.safeParse(value).success),
  key: z.string(),
});

/**
 * The same purchase is the same request under the same key, also after a lost answer, a reload or a refused card;
 * another purchase gets another key. A card in another name pays the order that is there.
 */
export function attemptFor(request: OrderBody): z.output<typeof attempt> {
  const kept = sessionStore.get(ATTEMPT, attempt);
  if (kept && purchaseOf(kept.request) === purchaseOf(request)) return kept;
  const begun = { request, key: randomId() };
  sessionStore.set(ATTEMPT, begun);
  return begun;
}

function purchaseOf({ name, phone, ...purchase }: OrderBody): string {
  return JSON.stringify(purchase);
}

/** For an order that has been paid: buying the same again means a second order. */
export function forgetAttempt(): void {
  sessionStore.remove(ATTEMPT);
}
