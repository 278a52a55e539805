/** What staff press at an order of the test gateway, where no bank and no calendar make it happen. */
import { isOver, isOwed, isRunning } from '../../orders/order.ts';
import type { OrderRow } from '../../orders/order-api.ts';

export const HAPPENINGS = [
  'renewed',
  'renewal_failed',
  'invoice_paid',
  'debit_returned',
  'due_day_passed',
  'disputed',
] as const;
export type Happening = (typeof HAPPENINGS)[number];

type State = Pick<OrderRow, 'status' | 'invoiceState' | 'dispute'> & {
  endsAt: unknown;
};

interface Press {
  label: string;
  /** What will happen. */
  does(order: State): string;
  /** Why it cannot happen now; undefined when it can. */
  refusal(order: State): string | undefined;
}

const byCard = ({ invoiceState }: State) => invoiceState === null;

export const PRESSES: Record<Happening, Press> = {
  renewed: {
    label: 'Renew',
    does: (order) => {
      if (order.endsAt !== null) return 'The paid month is over, and the plan ends with it.';
      return byCard(order)
        ? 'The next month begins, and the card is charged.'
        : 'The next month begins, and its invoice is sent.';
    },
    refusal: ({ status, ...order }) => {
      if (!byCard({ status, ...order })) return undefined;
      return status === 'past_due' ? 'The last month has not been paid yet.' : notPaid(status);
    },
  },
  renewal_failed: {
    label: 'Renewal fails',
    does: ({ status }) =>
      status === 'past_due'
        ? 'The bank refuses again, and the plan ends unpaid.'
        : 'The next month begins, but the bank refuses the card.',
    refusal: (order) => {
      if (!byCard(order)) return 'An invoice is sent each month; no card is charged.';
      return order.endsAt !== null ? 'The plan ends with its paid month.' : notPaid(order.status);
    },
  },
  invoice_paid: {
    label: 'Invoice paid',
    does: (order) =>
      byCard(order)
        ? 'The bank accepts the card after all.'
        : 'The customer’s money arrives for the invoice that was owed first.',
    refusal: (order) => {
      const isDue = byCard(order) ? order.status === 'past_due' : isOwed(order.invoiceState);
      return isDue ? undefined : 'Nothing is owed.';
    },
  },
  debit_returned: {
    label: 'Bank returns the debit',
    does: () => 'The customer’s bank takes the money back, and the invoice is owed again.',
    refusal: (order) => {
      if (byCard(order)) return 'The customer pays by card. Only a bank debit can be returned.';
      if (order.invoiceState === 'debit_returned') return 'It has been returned already.';
      return isOwed(order.invoiceState) || order.invoiceState === 'paid'
        ? undefined
        : 'No debit has paid the last invoice.';
    },
  },
  due_day_passed: {
    label: 'Due day passes',
    does: () => 'No money has come by the due day: the invoice is overdue.',
    refusal: (order) => {
      if (byCard(order)) return 'The customer pays by card. Only an invoice has a due day.';
      return order.invoiceState === 'sent' ? undefined : 'No invoice waits for its due day.';
    },
  },
  disputed: {
    label: 'Dispute',
    does: () => 'The customer asks their bank for the last payment back.',
    refusal: (order) => {
      if (!byCard(order)) return 'The customer pays by bank. Only a card payment is disputed.';
      return order.dispute === null ? notPaid(order.status) : 'There is a dispute already.';
    },
  },
};

function notPaid(status: State['status']): string | undefined {
  return status !== null && isRunning(status) ? undefined : 'No month has been paid yet.';
}

/** Why this cannot happen to the order now; undefined when it can. */
export function refusalOf(happens: Happening, order: State): string | undefined {
  if (order.status !== null && isOver(order.status)) return 'The order has ended.';
  return PRESSES[happens].refusal(order);
}
