/** What staff press at an order of the test gateway, where no bank makes it happen. */

import { isOwed } from '../../billing/invoice.ts';
import { isOver, owesByCard } from '../../billing/order-status.ts';
import type { StaffOrder } from '../../orders/order-api.ts';

export const HAPPENINGS = [
  'renewed',
  'renewal_failed',
  'invoice_paid',
  'debit_returned',
  'due_day_passed',
  'disputed',
] as const;
export type Happening = (typeof HAPPENINGS)[number];

type State = Pick<StaffOrder, 'status' | 'payment' | 'dispute' | 'billable'> & { endsAt: unknown };

/** The words on the button, and what it does. */
export const PRESSES: Record<Happening, { label: string; does: string }> = {
  renewed: {
    label: 'Renew',
    does: 'The next month begins, or the first on its start day: the card is charged, or an invoice is sent. A canceled plan ends.',
  },
  renewal_failed: {
    label: 'Renewal fails',
    does: 'The next month begins, but the bank refuses the card. The second time, the plan ends.',
  },
  invoice_paid: { label: 'Invoice paid', does: 'The money for what was owed first arrives.' },
  debit_returned: {
    label: 'Bank returns the debit',
    does: 'The bank takes the money back, and the invoice is owed again.',
  },
  due_day_passed: {
    label: 'Due day passes',
    does: 'No money has come by the due day: the invoice is overdue.',
  },
  disputed: { label: 'Dispute', does: 'The customer asks the bank for the last payment back.' },
};

/** Why this cannot happen to the order now; undefined when it can. */
export function refusalOf(happens: Happening, order: State): string | undefined {
  const { status, dispute, endsAt } = order;
  const { collection, state } = order.payment;
  if (status === null || isOver(status)) return 'The order has ended.';
  const byCard = collection === 'card';
  if (byCard && !order.billable) return 'No month has been paid yet.';
  const owesMonth = owesByCard({ status, subscription: order.payment });
  switch (happens) {
    case 'renewed':
      return owesMonth ? 'The last month has not been paid yet.' : undefined;
    case 'renewal_failed':
      if (!byCard) return 'An invoice is sent each month; no card is charged.';
      return endsAt === null ? undefined : 'The plan ends with its paid month.';
    case 'invoice_paid':
      return owesMonth || isOwed(state) ? undefined : 'Nothing is owed.';
    case 'debit_returned':
      if (byCard) return 'The customer pays by card. Only a bank debit can be returned.';
      if (state === 'debit_returned') return 'It has been returned already.';
      return isOwed(state) || state === 'paid' ? undefined : 'No debit has paid the last invoice.';
    case 'due_day_passed':
      if (byCard) return 'The customer pays by card. Only an invoice has a due day.';
      return state === 'sent' ? undefined : 'No invoice waits for its due day.';
    case 'disputed':
      if (!byCard) return 'The customer pays by bank. Only a card payment is disputed.';
      return dispute === null ? undefined : 'There is a dispute already.';
  }
}
