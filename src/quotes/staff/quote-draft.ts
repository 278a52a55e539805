/** A quote as staff type it, and as it is sent. */
import { readCount } from '../../catalogue/user-count.ts';
import { toDollars } from '../../platform/money.ts';
import { QUOTE_DAYS, type StaffQuoteBody } from '../quote.ts';
import type { ToldQuoteRow } from '../read-quote.ts';

export type Draft = ReturnType<typeof draftOf>;

/** What is typed first: the quote that is changed, or nothing. */
export function draftOf(quote: ToldQuoteRow | null) {
  const discount = quote?.discount;
  return {
    name: quote?.name ?? '',
    email: quote?.email ?? '',
    company: quote?.company ?? '',
    /** '' until one is chosen. */
    planId: quote ? String(quote.planId) : '',
    ms365Option: quote?.ms365Option ?? 'none',
    ms365Users: String(quote?.ms365Users || 1),
    includeCloudBackup: quote?.includeCloudBackup ?? false,
    discountKind: discount ? (discount.percent ? 'percent' : 'dollars') : '',
    discountValue: discount ? String(discount.percent ?? toDollars(discount.amount)) : '',
    discountReason: discount?.reason ?? '',
    note: quote?.note ?? '',
    days: String(QUOTE_DAYS),
    send: true,
  };
}

/** What makes no sense becomes what the server's rules refuse, and is told at its field. */
export function requestOf(draft: Draft, quote: ToldQuoteRow | null): StaffQuoteBody {
  const { planId, ms365Users, discountKind, discountValue, discountReason, days, ...rest } = draft;
  return {
    ...rest,
    planId: readCount(planId, 2 ** 31 - 1) ?? 0,
    ms365Users: readCount(ms365Users, 9_999) ?? 0,
    discount:
      discountKind === 'percent' || discountKind === 'dollars'
        ? {
            kind: discountKind,
            value: /^\d{1,8}(\.\d{1,2})?$/.test(discountValue) ? Number(discountValue) : 0,
            reason: discountReason,
          }
        : null,
    days: readCount(days, 9_999) ?? 0,
    ...(quote && { changedAt: quote.changedAt }),
  };
}
