/** A change of prices or terms that a customer was given notice of, for browser and server. */

export const PRICE_CHANGE_STATES = [
  /** The payment provider has the old prices. */
  'announced',
  /** It may have the new ones: stored before it is asked to charge them. */
  'applying',
  /** A renewal was billed at the new ones. */
  'charged',
  /** It never applies. */
  'withdrawn',
] as const;
export type PriceChangeState = (typeof PRICE_CHANGE_STATES)[number];

/** Why a notice was withdrawn. */
export const WITHDRAWALS = [
  /** By staff. */
  'taken-back',
  /** Its email could not be delivered. */
  'undelivered',
  /** The order has none of what it named. */
  'nothing-left',
] as const;
export type Withdrawal = (typeof WITHDRAWALS)[number];

/** No other notice can be given yet. */
export function isOpen({ state }: { state: PriceChangeState }): boolean {
  return state === 'announced' || state === 'applying';
}

/** Times are milliseconds since 1970. */
interface Notice {
  state: PriceChangeState;
  effectiveAt: number;
  /** Null while its email is on its way: until the customer has it, no price changes. */
  deliveredAt: number | null;
}

export interface PriceReading {
  /** Whose prices hold: the ones before the notice, or its own. */
  holds: 'from' | 'to';
  /** When its own begin to hold, if they are still to be charged first. */
  comes?: number;
  /** Whether the payment provider may have its own already. */
  mayBeThere: boolean;
}

/** Without a notice, the prices from before it hold. */
export function priceAt(notice: Notice | undefined, at: number): PriceReading {
  const { state = 'withdrawn', effectiveAt = 0, deliveredAt = null } = notice ?? {};
  switch (state) {
    case 'announced':
      if (deliveredAt === null) return { holds: 'from', mayBeThere: false };
      return { holds: at < effectiveAt ? 'from' : 'to', comes: effectiveAt, mayBeThere: false };
    case 'applying':
      return { holds: at < effectiveAt ? 'from' : 'to', comes: effectiveAt, mayBeThere: true };
    case 'charged':
      return { holds: 'to', mayBeThere: true };
    case 'withdrawn':
      return { holds: 'from', mayBeThere: false };
  }
}
