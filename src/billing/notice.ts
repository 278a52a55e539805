/** A change of prices or terms that a customer was given notice of, for browser and server. */
import type { PriceLine } from '../catalogue/pricing.ts';

export const NOTICE_STATES = [
  /** The payment provider has the old prices. */
  'announced',
  /** It may have the new ones: stored before it is asked to charge them. */
  'applying',
  /** A renewal was billed at the new ones. */
  'charged',
  /** It never applies. */
  'withdrawn',
] as const;
export type NoticeState = (typeof NOTICE_STATES)[number];

/** Why a notice was withdrawn. */
export const WITHDRAWALS = ['taken-back', 'undelivered', 'nothing-left'] as const;
export type Withdrawal = (typeof WITHDRAWALS)[number];

/** No other notice can be given yet. */
export function isOpen({ state }: { state: NoticeState }): boolean {
  return state === 'announced' || state === 'applying';
}

/** Times are milliseconds since 1970. */
interface NoticeFacts {
  state: NoticeState;
  effectiveAt: number;
  /** Null while its email is on its way: until the customer has it, no price changes. */
  deliveredAt: number | null;
}

/** When its prices begin to hold, if they are still to be charged first. */
export function comesAt(notice: NoticeFacts | undefined): number | undefined {
  if (!notice || !isOpen(notice)) return undefined;
  const isKnown = notice.state === 'applying' || notice.deliveredAt !== null;
  return isKnown ? notice.effectiveAt : undefined;
}

/** Whether its prices hold then. Otherwise, and without a notice, the ones from before it do. */
export function holdsAt(notice: NoticeFacts | undefined, at: number): boolean {
  const comes = comesAt(notice);
  return notice?.state === 'charged' || (comes !== undefined && at >= comes);
}

/** What holds until the new prices do. */
export function untilThen(lines: readonly Pick<PriceLine, 'kind'>[]): string {
  const hasUsers = lines.some(({ kind }) => kind === 'microsoft365' || kind === 'backup');
  return `Until then, you pay today’s price.${hasUsers ? ' If you change the number of users, the new price per user applies to the number you have on that day.' : ''}`;
}

/** Whether the payment provider may have its prices already. */
export function mayBeThere({ state }: Pick<NoticeFacts, 'state'>): boolean {
  return state === 'applying' || state === 'charged';
}
