/** The rules of a quote, which holds prices for some days: state, reminders, discount. */
import * as z from 'zod/mini';
import { BY_CARD, type CollectionState } from '../billing/invoice.ts';
import type { Plan } from '../catalogue/catalogue.ts';
import {
  type AddOnPrices,
  type Choice,
  hasOwnStart,
  lineOf,
  monthlyPrice,
  type PlanDiscount,
  type Price,
  priceOf,
  withDiscount,
} from '../catalogue/pricing.ts';
import { type Cents, cents, fromDollars } from '../platform/money.ts';
import { line } from '../platform/schema.ts';
import { DAY_MS, HOUR_MS } from '../platform/time.ts';

export const QUOTE_STATES = ['open', 'accepted', 'expired', 'withdrawn'] as const;
export type QuoteState = (typeof QUOTE_STATES)[number];

export const QUOTE_LABELS: Record<QuoteState, string> = {
  open: 'Open',
  accepted: 'Accepted',
  expired: 'Expired',
  withdrawn: 'Withdrawn',
};

/** content/quote-terms.json. A function, so that bundlers drop it for browsers. */
export const quoteTermsSchema = () => {
  const lines = () => z.array(line()).check(z.minLength(1));
  return z.strictObject({
    card: lines(),
    invoice: lines(),
    /** Of a quote with a start day, or with what is charged once. */
    cardWithStart: z.optional(lines()),
    invoiceWithStart: z.optional(lines()),
  });
};
export type QuoteTerms = z.output<ReturnType<typeof quoteTermsSchema>>;

export function termsOf(terms: QuoteTerms, { payment: { collection }, price }: Quoted) {
  const withStart = hasOwnStart(price) ? terms[`${collection}WithStart`] : undefined;
  return withStart ?? terms[collection];
}

const PAYMENT_WORDS = {
  card: { acceptedBy: 'by paying the first month', accepted: ': the first month is paid' },
  invoice: { acceptedBy: 'it by invoice', accepted: '' },
};
const OWN_START = { acceptedBy: 'it by card', accepted: '' };

export function quotedPayment({ dueDays }: { dueDays: number | null }): CollectionState {
  return dueDays === null ? BY_CARD : { collection: 'invoice', state: null, dueDay: null };
}

interface Quoted {
  payment: Pick<CollectionState, 'collection'>;
  price: Pick<Price, 'once' | 'startsOn'>;
}

export function acceptanceWords({ payment: { collection }, price }: Quoted) {
  return collection === 'card' && hasOwnStart(price) ? OWN_START : PAYMENT_WORDS[collection];
}

/** 'By invoice, due in 15 days'; null by card, which needs no word. */
export function paidInWords({ dueDays }: { dueDays: number | null }): string | null {
  return dueDays === null ? null : `By invoice, due in ${dueDays} days`;
}

/** A paid quote stays accepted, even after its last day. Times in milliseconds. */
export function quoteState(
  quote: { withdrawnAt: number | null; expiresAt: number; acceptedAt: number | null },
  now: number,
): QuoteState {
  if (quote.acceptedAt !== null) return 'accepted';
  if (quote.withdrawnAt !== null) return 'withdrawn';
  return quote.expiresAt <= now ? 'expired' : 'open';
}

/** Days before a quote's last day on which its customer is reminded, earliest first. */
const REMINDERS = [7, 1];
/** A quote ends at midnight, and reminders leave in the morning. */
const MORNING_MS = 15 * HOUR_MS;

/** Returns when the first reminder after `time` is due; null if none is left. */
export function nextReminder(expiresAt: number, time: number): number | null {
  const at = REMINDERS.map((days) => expiresAt - days * DAY_MS - MORNING_MS);
  return at.find((due) => due > time) ?? null;
}

/** A monthly discount on the plan only: license prices are not ours. */
interface Discount {
  kind: 'percent' | 'dollars';
  /** Percent as a whole number, or dollars. */
  value: number;
  reason: string;
}

/** The lowest discounted price of a plan: a free month would not take a card. */
const MIN_PLAN_PRICE = cents(100);

function discountOf(planPrice: Cents, { kind, value }: Discount): Cents | undefined {
  const off = kind === 'percent' ? percentOf(planPrice, value) : fromDollars(value);
  return planPrice - off >= MIN_PLAN_PRICE ? off : undefined;
}

/** What a quote sells, before it has a price. */
interface QuotedChoice extends Choice {
  discount: Discount | null;
  once: readonly { label: string; amount: Cents }[];
  startsOn: string | null;
}

/** What a visitor's quote has. */
export const AT_LIST_PRICE = { discount: null, once: [], startsOn: null };

/** At these prices; undefined for a discount that leaves too little of the plan. */
export function priceOfChoice(
  plan: Pick<Plan, 'name' | 'price'>,
  { discount, once, startsOn, ...choice }: QuotedChoice,
  addOns: AddOnPrices,
): { price: Price; off: PlanDiscount } | undefined {
  const discountCents = discount === null ? cents(0) : discountOf(plan.price, discount);
  if (discountCents === undefined) return undefined;
  const off = {
    discountPercent: discount?.kind === 'percent' ? discount.value : null,
    discountCents,
  };
  const sold = { ...plan, price: cents(plan.price - discountCents) };
  const lines = withDiscount(monthlyPrice(sold, choice, addOns).lines, off);
  const onceLines = once.map(({ label, amount }) => lineOf('other', label, amount));
  return { price: priceOf(lines, undefined, { once: onceLines, startsOn }), off };
}

/** What is off at another price: as much as that leaves room for, so that no price jumps. */
export function discountAt(
  planPrice: Cents,
  { discountPercent, discountCents }: { discountPercent: number | null; discountCents: Cents },
): Cents {
  const off = discountPercent === null ? discountCents : percentOf(planPrice, discountPercent);
  return cents(Math.max(0, Math.min(off, planPrice - MIN_PLAN_PRICE)));
}

function percentOf(price: Cents, percent: number): Cents {
  return cents(Math.round((price * percent) / 100));
}
