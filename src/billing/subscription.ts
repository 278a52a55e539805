/** What runs for an order, in the words of the payment provider’s API. */
import { type PriceLine, usersInWords } from '../catalogue/pricing.ts';

/**
 * Incomplete until the first payment, or until the card is saved; trialing until the start day. A
 * provider that pauses the collection is paused.
 */
export const SUBSCRIPTION_STATUSES = [
  'incomplete',
  'trialing',
  'active',
  'past_due',
  'unpaid',
  'paused',
  'canceled',
] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** Whether a card is charged each month, or an invoice is sent. */
export const COLLECTIONS = ['card', 'invoice'] as const;
export type Collection = (typeof COLLECTIONS)[number];

const WORDS = {
  card: {
    /** As the specification names it. */
    method: 'credit_card',
    charge: 'charge',
    charged: 'your card is charged',
    next: 'Your card will next be charged',
    nothingMore: 'your card won’t be charged',
    refundedTo: 'card',
    payer: 'customer’s card',
    hasCard: true,
    unpaid: 'Your last payment didn’t go through. Please enter a new card, then change your plan.',
  },
  invoice: {
    method: 'invoice',
    charge: 'invoice',
    charged: 'we send an invoice',
    next: 'You get the next invoice',
    nothingMore: 'your company won’t be billed',
    refundedTo: 'account',
    payer: 'customer',
    hasCard: false,
    unpaid: 'Your last invoice isn’t paid yet. Please change your plan once it is.',
  },
};

/** Where a customer by invoice reads other words than one whose card is charged. */
export function payingWords({ collection }: { collection: Collection }) {
  return WORDS[collection];
}

/** 'Visa ending in 4242'; 'Link'. */
export function cardName(brand: string, last4: string | null): string {
  return last4 === null ? brand : `${brand} ending in ${last4}`;
}

/** 'Visa •• 4242', beside a sum. */
export function cardInShort(brand: string, last4: string | null): string {
  return cardName(brand, last4).replace('ending in', '••');
}

/** The state of a disputed payment. One that was won may be disputed again; 'lost' is final. */
export const DISPUTES = ['open', 'won', 'lost'] as const;
export type Dispute = (typeof DISPUTES)[number];

export interface PlanOptions {
  /** The names of the plan and of the license, which release 1.0 did not let customers change. */
  plan?: string | undefined;
  license?: string | undefined;
  users: number;
  backup: boolean;
}

export function planOptions(lines: readonly PriceLine[]): PlanOptions {
  const of = (kind: PriceLine['kind']) => lines.find((line) => line.kind === kind);
  const license = of('microsoft365');
  return {
    plan: of('plan')?.label,
    license: license?.label,
    users: license?.quantity ?? 0,
    backup: of('backup') !== undefined,
  };
}

const OPTIONS = ['plan', 'license', 'users', 'backup'] as const;

export function samePlanOptions(one: PlanOptions, other: PlanOptions): boolean {
  return OPTIONS.every((option) => one[option] === other[option]);
}

/** '10 users with cloud backup'. */
export function planInWords({ users, backup }: PlanOptions): string {
  if (users === 0) return 'no Microsoft 365';
  return `${usersInWords(users)} ${backup ? 'with' : 'without'} cloud backup`;
}

/** What was and what is, with the names of what differs: 'Enterprise plan, 10 users …'. */
export function changeInWords(before: PlanOptions, after: PlanOptions): [string, string] {
  const words = (options: PlanOptions) => {
    const { plan, license } = options;
    const named = [
      // Staff may charge it as a product of their own.
      before.plan !== after.plan && (plan === undefined ? 'a plan by agreement' : `${plan} plan`),
      before.license !== after.license && license,
      planInWords(options),
    ];
    return named.filter(Boolean).join(', ');
  };
  return [words(before), words(after)];
}

export interface Sold {
  planId: number;
  /** A license, or 'none'. */
  ms365Option: string;
}
