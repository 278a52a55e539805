/** What stands on a bill of Stripe's besides its sum. An event's bill and the API's are read alike. */
import type Stripe from 'stripe';
import * as z from 'zod/mini';
import type { BilledInvoice } from '../../orders/gateway.server.ts';
import { type Cents, cents } from '../../platform/money.ts';
import { orAway } from './stripe-client.server.ts';
import { idOf } from './stripe-subscription.server.ts';

type Details = Pick<BilledInvoice, 'number' | 'periodEnd' | 'periodStart' | 'tax'>;
type PaidBy = Required<Pick<BilledInvoice, 'cardBrand' | 'cardLast4'>>;

const lineSchema = z.object({
  period: z.object({ start: z.int(), end: z.int() }),
  parent: z.nullish(
    z.object({ subscription_item_details: z.nullish(z.object({ proration: z.boolean() })) }),
  ),
});
const billSchema = z.object({
  number: z.nullish(z.string()),
  total_taxes: z.nullish(z.array(z.object({ amount: z.int() }))),
  lines: z.nullish(z.object({ data: z.array(lineSchema), has_more: z.optional(z.boolean()) })),
});

/** Nothing hangs on these: a bill that tells them otherwise is a bill without them. */
export function detailsOf(bill: unknown): Details {
  const read = billSchema.safeParse(bill);
  if (!read.success) return {};
  const { number, total_taxes: taxes, lines } = read.data;
  const period = lines?.data.find(isMonth)?.period;
  return {
    ...(number ? { number } : {}),
    ...(taxes ? { tax: sumOf(taxes) } : {}),
    ...(period ? { periodStart: period.start * 1000, periodEnd: period.end * 1000 } : {}),
  };
}

export function sumOf(amounts: readonly { amount: number }[]): Cents {
  return cents(amounts.reduce((sum, { amount }) => sum + amount, 0));
}

/** The line of a whole month, not what a change in the month before has left to pay. */
function isMonth({ parent }: z.infer<typeof lineSchema>): boolean {
  return parent?.subscription_item_details?.proration === false;
}

/** A bill carries its first ten lines, and those of changes come first. */
function lacksMonth({ lines }: Stripe.Invoice): boolean {
  return lines.has_more && !lines.data.some((line) => isMonth(lineSchema.parse(line)));
}

const BRANDS: Record<string, string> = {
  amex: 'American Express',
  cartes_bancaires: 'Cartes Bancaires',
  diners: 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
};

/** As people write it. */
export function brandName(brand: string | null): string {
  return (brand && BRANDS[brand]) || 'Card';
}

/** The card that each payment was taken from, by the payment's id. */
export function cardsByPayment(charges: readonly Stripe.Charge[]): Map<string, PaidBy> {
  return new Map(
    charges.flatMap(({ paid, payment_intent: payment, payment_method_details: by }) => {
      const id = typeof payment === 'string' ? payment : payment?.id;
      return paid && id && by?.card
        ? [[id, { cardBrand: brandName(by.card.brand), cardLast4: by.card.last4 }]]
        : [];
    }),
  );
}

/** Older ones have been read when they were young. */
const NEWEST = 12;

/** Newest first. The month stands on a line that comes after those of changes, of which there may be many. */
export function withMonths(
  stripe: Stripe,
  invoices: readonly Stripe.Invoice[],
): Promise<Stripe.Invoice[]> {
  return Promise.all(
    invoices.map(async (invoice, place) => {
      if (!invoice.id || place >= NEWEST || !lacksMonth(invoice)) return invoice;
      const asked = stripe.invoices.listLineItems(invoice.id, { limit: 100 });
      const lines = await orAway('look-lines', asked);
      return lines === 'away' ? invoice : { ...invoice, lines };
    }),
  );
}

/** A bill that has neither been paid nor failed yet says nothing. */
export function billed(
  invoice: Stripe.Invoice,
  cards: ReadonlyMap<string, PaidBy>,
): BilledInvoice[] {
  const { id, created, amount_due, amount_paid, status, attempted } = invoice;
  const paid = isPaid(invoice);
  const renewal = !isFirst(invoice);
  const failed = renewal && attempted && status === 'open';
  const waived = renewal && (status === 'void' || status === 'uncollectible');
  if (!id || !(paid || failed || waived)) return [];
  const amount = cents(paid ? amount_paid : amount_due);
  const told = { ...detailsOf(invoice), ...cardOf(invoice, cards) };
  return [{ id, createdAt: created * 1000, amount, paid, waived, renewal, ...told }];
}

function cardOf({ payments }: Stripe.Invoice, cards: ReadonlyMap<string, PaidBy>) {
  return payments?.data
    .flatMap(({ payment: { payment_intent: intent } }) => (intent ? [cards.get(idOf(intent))] : []))
    .find((card) => card !== undefined);
}

export function isFirst({ billing_reason }: Stripe.Invoice): boolean {
  return billing_reason === 'subscription_create';
}

export function isPaid({ status }: Stripe.Invoice): boolean {
  return status === 'paid';
}
