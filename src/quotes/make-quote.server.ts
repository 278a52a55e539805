/** A quote is made of what was chosen, at the prices of today. */
import type { Kysely } from 'kysely';
import type { Plan } from '../catalogue/catalogue.ts';
import { type AddOnPrices, effectiveChoice, monthlyPrice } from '../catalogue/pricing.ts';
import { nextNumber } from '../platform/database/next-number.server.ts';
import type { NewRow, Row, Tables } from '../platform/database/tables.server.ts';
import { refuseField } from '../platform/http/answer.server.ts';
import { cents } from '../platform/money.ts';
import {
  type Discount,
  daysFrom,
  discounted,
  discountOf,
  QUOTE_DAYS,
  type QuoteRequest,
  remindersPast,
  WRONG_DOLLARS,
  WRONG_PERCENT,
} from './quote.ts';
import { insertQuote } from './quote-store.server.ts';

export interface Prices {
  findPlan(id: number): Promise<Plan | undefined>;
  addOnPrices(): AddOnPrices;
}

type Terms = QuoteRequest & { discount?: Discount | null; days?: number };
type Made = Omit<NewRow<'quotes'>, 'id' | 'createdAt' | 'changedAt' | 'madeBy'>;

/** All that follows from what was asked for, or why it cannot be quoted. */
export async function quoteFor(
  { findPlan, addOnPrices }: Prices,
  { discount = null, days = QUOTE_DAYS, ...asked }: Terms,
): Promise<Made | Response> {
  const plan = await findPlan(asked.planId);
  if (!plan) return refuseField('planId', 'This plan is not offered');
  const off = discount === null ? cents(0) : discountOf(plan.price, discount);
  if (off === undefined) {
    const wrong = discount?.kind === 'percent' ? WRONG_PERCENT : WRONG_DOLLARS;
    return refuseField('discount.value', wrong);
  }
  const { lines, total } = discounted(monthlyPrice(plan, asked, addOnPrices()), off);
  const { ms365Option, ms365Users, includeCloudBackup } = effectiveChoice(asked);
  const now = Date.now();
  const expiresAt = daysFrom(now, days);
  return {
    name: asked.name,
    email: asked.email,
    company: asked.company,
    note: asked.note,
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
    expiresAt,
    reminded: remindersPast(expiresAt, now),
  };
}

/** Saves it under a number that does not tell how many there are. */
export async function saveQuote(
  trx: Kysely<Tables>,
  made: Made,
  madeBy: string | null,
): Promise<Row<'quotes'>> {
  for (let isTaken = false; ; isTaken = true) {
    const createdAt = Date.now();
    const id = await nextNumber(trx, 'quotes', isTaken);
    const saved = await insertQuote(trx, { ...made, id, createdAt, changedAt: createdAt, madeBy });
    if (saved) return saved;
    // Another instance has the number.
  }
}
