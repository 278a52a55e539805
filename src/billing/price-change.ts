/** A change of prices that a customer was given notice of, for browser and server. */

/**
 * What is known of the prices at the payment provider. Terms are 'announced', or 'undeliverable'.
 */
export const PRICE_CHANGE_STATES = [
  /** It has the old ones. */
  'announced',
  /** It may have the new ones: saved before it is asked to charge them. */
  'applying',
  /** Its next invoice shows the new ones. */
  'applied',
  /** A renewal was billed at the new ones. */
  'charged',
  /** Taken back while it may have the new ones. */
  'restoring',
  /** Taken back, and it has the old ones. */
  'withdrawn',
  /** Its email failed: no price rises and no terms change until staff have delivered the notice. */
  'undeliverable',
] as const;
export type PriceChangeState = (typeof PRICE_CHANGE_STATES)[number];

interface InState {
  state: PriceChangeState;
}

export function isWithdrawn({ state }: InState): boolean {
  return state === 'restoring' || state === 'withdrawn';
}

/** No other notice can be given yet. */
export function isOpen({ state }: InState): boolean {
  return state !== 'charged' && state !== 'withdrawn' && state !== 'undeliverable';
}
