/** Where a quote stands. */
export const QUOTE_STATES = ['open', 'accepted', 'expired', 'withdrawn'] as const;
export type QuoteState = (typeof QUOTE_STATES)[number];

export const QUOTE_LABELS: Record<QuoteState, string> = {
  open: 'Open',
  accepted: 'Accepted',
  expired: 'Expired',
  withdrawn: 'Withdrawn',
};
