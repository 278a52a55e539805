/** Who did what happens to an order, and why. */
import * as z from 'zod/mini';

/** Who acted: a staff account, its name then, and for the list of activity the address. */
export const actor = z.discriminatedUnion('is', [
  z.object({
    is: z.literal('staff'),
    account: z.int(),
    name: z.string(),
    address: z.optional(z.string()),
  }),
  z.object({ is: z.literal('customer') }),
  z.object({
    is: z.literal('provider'),
    name: z.string(),
    /** Null when it was asked. */
    event: z.nullable(z.object({ id: z.string(), type: z.string() })),
  }),
  z.object({ is: z.literal('site') }),
]);
export type Actor = z.output<typeof actor>;

/** Why an order was looked at or changed, where actor and event do not say. */
const REASONS = [
  'placed',
  'set',
  'canceled',
  'returned',
  'buys-again',
  'change-priced',
  'change-confirmed',
  'changed',
  'invoice-issued',
  'due-date-passed',
  'not-paid-in-time',
  'quote-changed',
  'quote-withdrawn',
  'quote-paid-by-another',
  'started-after-end',
  'test-card-succeeds',
  'test-card-asks',
  'test-card-declined',
  'test-card-insufficient_funds',
  'test-confirmation-approved',
  'test-confirmation-refused',
  'test-invoice-sent',
  'test-renewed',
  'test-renewal_failed',
  'test-invoice_paid',
  'test-debit_returned',
  'test-disputed',
  'test-due_day_passed',
] as const;
export type Reason = (typeof REASONS)[number];

/** `causeId`: the event of the same order that led to it. */
export interface Cause {
  actor: Actor;
  reason?: Reason;
  causeId?: number | undefined;
}

export function byStaff(request: {
  staff: { accountId: number; name: string };
  address?: string;
}): Extract<Actor, { is: 'staff' }> {
  const { staff, address } = request;
  return { is: 'staff', account: staff.accountId, name: staff.name, address };
}

export function byCustomer(reason?: Reason): Cause {
  return { actor: { is: 'customer' }, reason };
}

export function bySite(reason?: Reason): Cause {
  return { actor: { is: 'site' }, reason };
}
