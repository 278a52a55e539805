/** A quote is made of what was chosen, at the prices of today. */
import type { Kysely } from 'kysely';
import type { CurrentPrices } from '../catalogue/live-catalogue.server.ts';
import { effectiveChoice, monthlyPrice } from '../catalogue/pricing.ts';
import type { Notify } from '../notifications/outbox.server.ts';
import type { Gateway } from '../orders/gateway.server.ts';
import { nextNumber } from '../platform/database/queries.server.ts';
import type { NewRow, Row, Tables } from '../platform/database/tables.server.ts';
import { refuseField } from '../platform/http/answer.server.ts';
import { cents } from '../platform/money.ts';
import {
  type Discount,
  daysFrom,
  discounted,
  discountOf,
  QUOTE_DAYS,
  remindersPast,
} from './quote.ts';
import { type QuoteRequest, WRONG_DOLLARS, WRONG_PERCENT } from './quote-api.ts';
import { insertQuote } from './quote-store.server.ts';

export interface QuoteDeps extends CurrentPrices {
  db: Kysely<Tables>;
  notify: Notify;
  /** Its clock is that of quotes too, so that a demo that is moved ahead sees them expire. */
  gateway: Gateway;
  publicUrl: string;
}

type Terms = QuoteRequest & { discount?: Discount | null; days?: number };
type QuoteContent = Omit<NewRow<'quotes'>, 'id' | 'createdAt' | 'madeBy'>;

/** All that follows from a request, or why it cannot be quoted. */
export async function priceQuote(
  { findPlan, addOnPrices, gateway }: QuoteDeps,
  { discount = null, days = QUOTE_DAYS, ...request }: Terms,
): Promise<QuoteContent | Response> {
  const plan = await findPlan(request.planId);
  if (!plan) return refuseField('planId', 'This plan is not offered');
  const off = discount === null ? cents(0) : discountOf(plan.price, discount);
  if (off === undefined) {
    const wrong = discount?.kind === 'percent' ? WRONG_PERCENT : WRONG_DOLLARS;
    return refuseField('discount.value', wrong);
  }
  const { lines, total } = discounted(monthlyPrice(plan, request, addOnPrices()), off);
  const { ms365Option, ms365Users, includeCloudBackup } = effectiveChoice(request);
  const now = await gateway.now();
  const expiresAt = daysFrom(now, days);
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
    priceLines: JSON.stringify(lines),
    amountCents: total,
    discountPercent: discount?.kind === 'percent' ? discount.value : null,
    discountCents: off,
    discountReason: discount?.reason ?? null,
    changedAt: now,
    expiresAt,
    reminded: remindersPast(expiresAt, now),
  };
}

/** Saves it under a number that does not tell how many there are. */
export async function saveQuote(
  trx: Kysely<Tables>,
  content: QuoteContent,
  madeBy: string | null,
): Promise<Row<'quotes'>> {
  for (;;) {
    const id = await nextNumber(trx, 'quotes');
    const saved = await insertQuote(trx, { ...content, id, createdAt: content.changedAt, madeBy });
    if (saved) return saved;
    // Another instance has the number.
  }
}
