/** How an order is spoken of: its number, and what its status means. */
import type { OrderStatus } from './order.ts';

/** The number under which a customer, staff and emails speak of an order: 'O-12'. */
export function orderReference(id: number): string {
  return `O-${id}`;
}

/** The topic of its notifications. */
export function orderTopic(id: number): string {
  return `order ${id}`;
}

type Tone = 'primary' | 'amber' | 'danger';

interface Words {
  label: string;
  next: readonly string[];
  tone: Tone;
}

/** What a status means to the customer, and what happens next. */
export const STATUS_WORDS: Record<OrderStatus, Words> = {
  pending: { label: 'Not paid yet', next: ['No card has been charged.'], tone: 'amber' },
  processing: {
    label: 'Payment in progress',
    next: [
      'Your bank is still deciding. If it asked for your approval, please give it, or pay again.',
    ],
    tone: 'amber',
  },
  paid: {
    label: 'Paid',
    next: ['The same amount is charged every month until you cancel.'],
    tone: 'primary',
  },
  failed: {
    label: 'Payment failed',
    next: ['No card has been charged. You can try again with the same or another card.'],
    tone: 'danger',
  },
  canceled: { label: 'Canceled', next: ['Nothing more will be charged.'], tone: 'amber' },
  past_due: {
    label: 'Payment overdue',
    next: ['This month could not be charged. Please check your card, or contact us.'],
    tone: 'danger',
  },
  refunded: {
    label: 'Refunded',
    next: ['The amount is on its way back to your card.'],
    tone: 'amber',
  },
};

/** How notes begin that screens look for. */
export const RENEWED = 'Renewed';
export const CHANGED = 'Changed by the customer';
