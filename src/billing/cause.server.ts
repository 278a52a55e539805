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

/** Why an order was looked at or changed, where actor and event do not say: as staff read it. */
export const REASON_WORDS = {
  placed: 'order placed',
  set: 'set by {who}',
  canceled: 'Canceled by {who}',
  returned: 'customer returned',
  'buys-again': 'customer buys again',
  'change-priced': 'a change is priced',
  'change-confirmed': 'a change is confirmed',
  changed: 'changed by {who}',
  'invoice-issued': 'invoice issued',
  'due-date-passed': 'the due date has passed',
  'not-paid-in-time': 'Not paid in time',
  'quote-changed': 'The quote was changed',
  'quote-withdrawn': 'The quote was withdrawn',
  'quote-paid-by-another': 'the quote is paid by another order',
  'started-after-end': 'started after the order had ended',
  'test-card-succeeds': 'test card: succeeds',
  'test-card-asks': 'test card: asks',
  'test-card-declined': 'test card: declined',
  'test-card-insufficient_funds': 'test card: insufficient funds',
  'test-confirmation-approved': 'confirmation approved',
  'test-confirmation-refused': 'confirmation refused',
  'test-invoice-sent': 'invoice sent',
  'test-renewed': 'Renew, pressed by {who} in test mode',
  'test-renewal_failed': 'Renewal fails, pressed by {who} in test mode',
  'test-invoice_paid': 'Invoice paid, pressed by {who} in test mode',
  'test-debit_returned': 'Bank returns the debit, pressed by {who} in test mode',
  'test-disputed': 'Dispute, pressed by {who} in test mode',
  'test-due_day_passed': 'Due day passes, pressed by {who} in test mode',
};
export type Reason = keyof typeof REASON_WORDS;

/** `causeId`: the event of the same order that led to it. */
export interface Cause {
  actor: Actor;
  reason?: Reason;
  causeId?: number | undefined;
}

export const CUSTOMER: Actor = { is: 'customer' };

export function staffActor(request: {
  staff: { accountId: number; name: string };
  address?: string;
}): Extract<Actor, { is: 'staff' }> {
  const { staff, address } = request;
  return { is: 'staff', account: staff.accountId, name: staff.name, address };
}

export function byCustomer(reason?: Reason): Cause {
  return { actor: CUSTOMER, reason };
}

export function bySite(reason?: Reason): Cause {
  return { actor: { is: 'site' }, reason };
}

export function byProvider({ name }: { name: string }, causeId?: number): Cause {
  return { actor: { is: 'provider', name, event: null }, causeId };
}
