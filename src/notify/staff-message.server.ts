/** What staff are told, before it becomes a card or a letter: who, what, when, and how to answer. */
import { STAFF_PAGES } from '../admin/staff-pages.ts';
import { type PriceLine, priceLinesOf } from '../catalogue/pricing.ts';
import { isErased } from '../checkout/order.ts';
import type { Company } from '../company/company.ts';
import { serviceLabel } from '../contact/service-label.ts';
import { cents, formatDollars } from '../platform/money.ts';
import type { Row } from '../platform/tables.server.ts';
import type { OrderNews } from './notice.ts';
import { reference } from './reference.ts';
import type { Told } from './told.server.ts';

/** What every card and letter is written with. */
export interface Writer {
  company: Company;
  /** The site's own origin. */
  publicUrl: string;
  /** The page that shows a customer the order, and where its billing is managed. */
  orderPage(orderId: number): string;
}

export interface Account {
  /** Ours to the last letter: it names the reference and nothing that a visitor wrote. */
  title: string;
  suspicious: boolean;
  warning: string | null;
  facts: [label: string, value: string][];
  /** The visitor's own words. */
  text: string | null;
  lines: PriceLine[];
  /** Whom an answer goes to, and its subject. */
  reply: { name: string | null; email: string; subject: string } | null;
  /** Where staff find it. */
  staffUrl: string;
}

export function accountOf(told: Told, writer: Writer): Account {
  switch (told.kind) {
    case 'contact-received':
      return contactAccount(told.submission, writer);
    case 'chat-received':
      return chatAccount(told.message, writer);
    default:
      return orderAccount(told.kind, told.order, writer);
  }
}

function contactAccount(
  submission: Row<'contactSubmissions'>,
  { company, publicUrl }: Writer,
): Account {
  const { id, name, email, phone, service, message, mark, createdAt } = submission;
  const number = reference('contact', id);
  return {
    title: `New message ${number}`,
    ...suspicion(mark),
    facts: [
      ['Name', name],
      ['Email', email],
      ['Phone', phone ?? 'Not provided'],
      ['Service', serviceLabel(service) ?? 'Not specified'],
      ['Received', momentIn(company, createdAt)],
    ],
    text: message,
    lines: [],
    reply: { name, email, subject: replySubject(company, number) },
    staffUrl: `${publicUrl}${STAFF_PAGES.inbox.path}?open=${id}`,
  };
}

function chatAccount(chat: Row<'chatMessages'>, { company, publicUrl }: Writer): Account {
  const { id, name, email, message, mark, createdAt } = chat;
  const number = reference('chat', id);
  return {
    title: `New chat message ${number}`,
    ...suspicion(mark),
    facts: [
      ['Name', name ?? 'Not provided'],
      ['Email', email ?? 'Not provided'],
      ['Received', momentIn(company, createdAt)],
    ],
    text: message,
    lines: [],
    reply: email === null ? null : { name, email, subject: replySubject(company, number) },
    staffUrl: `${publicUrl}${STAFF_PAGES.inbox.path}?list=conversations&open=${id}`,
  };
}

/** What staff read first: the title before the order's number, and what has happened. */
const ORDER_NEWS: Record<OrderNews, [title: string, happened: (order: Row<'orders'>) => string]> = {
  'order-paid': ['New order', () => 'The first month is paid.'],
  'order-renewal-failed': [
    'Failed renewal of order',
    () => 'This month could not be charged. The payment provider may try again.',
  ],
  'order-disputed': [
    'Dispute on order',
    () => 'The customer disputes a payment at the bank. Answer at Stripe before the deadline.',
  ],
  'order-refunded': [
    'Refund for order',
    ({ refundedCents }) =>
      refundedCents > 0
        ? `${formatDollars(cents(refundedCents))} refunded in all.`
        : 'The order counts as refunded.',
  ],
  'order-ending': [
    'Cancellation of order',
    ({ endsAt }) =>
      endsAt === null
        ? 'The cancellation has been taken back.'
        : `The subscription ends on ${new Date(endsAt).toISOString().slice(0, 10)}.`,
  ],
  'order-ended': ['End of order', () => 'The subscription has ended. Nothing more is charged.'],
};

function orderAccount(
  kind: OrderNews,
  order: Row<'orders'>,
  { company, publicUrl }: Writer,
): Account {
  const [title, happened] = ORDER_NEWS[kind];
  const { id, name, email, phone, planName, amountCents, provider, createdAt } = order;
  const number = reference('order', id);
  const erased = isErased(order);
  const contact: Account['facts'] = [
    ['Email', email],
    ['Phone', phone ?? 'Not provided'],
  ];
  return {
    title: `${title} ${number}`,
    suspicious: false,
    warning: provider === 'test' ? TEST_MODE : null,
    facts: [
      ['What happened', happened(order)],
      ['Name', name],
      ...(erased ? [] : contact),
      ['Plan', planName],
      ['Monthly total', formatDollars(cents(amountCents))],
      ['Placed', momentIn(company, createdAt)],
    ],
    text: null,
    lines: priceLinesOf(order),
    reply: erased ? null : { name, email, subject: `Re: Your order ${number} at ${company.name}` },
    staffUrl: `${publicUrl}${STAFF_PAGES.orders.path}?open=${id}`,
  };
}

export const TEST_MODE = 'Test mode: no money was taken.';

function suspicion(mark: string): Pick<Account, 'suspicious' | 'warning'> {
  const suspicious = mark === 'spam';
  return {
    suspicious,
    warning: suspicious ? 'This message looks like spam. Open no links in it.' : null,
  };
}

function replySubject(company: Company, number: string): string {
  return `Re: Your inquiry to ${company.name} (${number})`;
}

/** 'Friday, November 20, 2026 at 12:05 AM EST', on the company's clock. */
export function momentIn({ hours }: Company, at: number): string {
  return new Intl.DateTimeFormat('en-US', {
    timeZone: hours.timeZone,
    weekday: 'long',
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(at);
}
