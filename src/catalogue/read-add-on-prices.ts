/** The prices of Microsoft 365 and backup as a page's data carries them: in cents. */
import { type Cents, cents } from '../platform/money.ts';
import { fields, type Reader, text } from '../platform/read.ts';
import type { AddOnPrices } from './pricing.ts';

const wholeCents: Reader<Cents> = (value) =>
  Number.isSafeInteger(value) ? cents(Number(value)) : undefined;

const perUser = fields({ label: text, pricePerUser: wholeCents });

export const readAddOnPrices = fields<AddOnPrices>({
  microsoft365: fields({
    none: perUser,
    business_standard: perUser,
    business_premium: perUser,
    e3: perUser,
  }),
  cloudBackup: perUser,
});
