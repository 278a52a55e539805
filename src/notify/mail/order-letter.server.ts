/** What customers read when something happens to the order they have paid for: what it means, and what to do. */
import { isRunning } from '../../checkout/order.ts';
import { openingHours } from '../../company/hours.ts';
import { cents, formatDollars } from '../../platform/money.ts';
import type { Row } from '../../platform/tables.server.ts';
import type { OrderNews } from '../notice.ts';
import { reference } from '../reference.ts';
import { TEST_MODE, type Writer } from '../staff-message.server.ts';
import { greeting } from './customer-letter.server.ts';
import type { Letter } from './letter.server.ts';

type Order = Row<'orders'>;

interface Words {
  subject: string;
  heading: string;
  paragraphs: string[];
}

export function orderLetter(
  kind: Exclude<OrderNews, 'order-paid'>,
  order: Order,
  writer: Writer,
): Letter {
  const { company, publicUrl, orderPage } = writer;
  const { street, city, region, postalCode } = company.address;
  const { subject, heading, paragraphs } = WORDS[kind](order, reference('order', order.id), writer);
  return {
    subject,
    heading,
    parts: [
      { kind: 'paragraph', text: greeting(order.name) },
      ...(order.provider === 'test' ? [{ kind: 'warning' as const, text: TEST_MODE }] : []),
      ...paragraphs.map((text) => ({ kind: 'paragraph' as const, text })),
      { kind: 'link', label: 'View order and billing', url: orderPage(order.id) },
      {
        kind: 'paragraph',
        text: `Questions? Reply to this email or call ${company.phone.display}, ${openingHours(company.hours)}.`,
      },
    ],
    footer: [`${company.legalName}, ${street}, ${city}, ${region} ${postalCode}`, publicUrl],
    replyTo: { name: company.name, address: company.email },
  };
}

const WORDS: Record<
  Exclude<OrderNews, 'order-paid'>,
  (order: Order, number: string, writer: Writer) => Words
> = {
  'order-renewal-failed': ({ planName, provider }, number) => ({
    subject: `Your payment for order ${number} didn’t go through`,
    heading: 'We couldn’t charge your card',
    paragraphs: [
      `Your ${planName} plan is billed every month, and this month’s payment didn’t go through. A card that has expired or reached its limit is the usual reason.`,
      provider === 'stripe'
        ? 'Please open your order below, choose “Manage billing”, and add a card that works. We may also try the payment again over the next few days.'
        : 'Please get in touch, and we’ll find another way to pay.',
      'If the amount stays unpaid, your subscription may end.',
    ],
  }),
  'order-disputed': ({ planName }, number) => ({
    subject: `A payment for order ${number} is disputed`,
    heading: 'Your bank told us about a dispute',
    paragraphs: [
      `Your bank told us that a payment for your ${planName} plan is disputed. The bank decides what happens to the money.`,
      'If this is a mistake, please tell your bank and let us know. If something went wrong on our side, call us so we can fix it.',
    ],
  }),
  'order-refunded': (order, number) => ({
    subject: `Refund for your order ${number}`,
    heading: 'Your refund',
    paragraphs: [refundSentence(order), afterRefund(order)],
  }),
  'order-ending': ({ planName, endsAt }, number, { company }) => ({
    subject: `Your cancellation of order ${number}`,
    heading: endsAt === null ? 'Your subscription continues' : 'Your cancellation is confirmed',
    paragraphs:
      endsAt === null
        ? [`The cancellation of your ${planName} plan has been taken back.`]
        : [
            `Your ${planName} plan ends on ${dayIn(company.hours.timeZone, endsAt)}. You keep the service until then, and your card won’t be charged after that day.`,
            'Changed your mind? Get in touch before then.',
          ],
  }),
  'order-ended': ({ planName }, number, { publicUrl }) => ({
    subject: `Your subscription for order ${number} has ended`,
    heading: 'Your subscription has ended',
    paragraphs: [
      `Your ${planName} plan has ended, and your card won’t be charged for it again.`,
      `If you didn’t expect this, please call us. To start again, choose a plan at ${publicUrl}/checkout.`,
    ],
  }),
};

function refundSentence({ refundedCents, dispute }: Order): string {
  if (refundedCents > 0) {
    const sum = formatDollars(cents(refundedCents));
    return `We refunded ${sum} of what you paid. It usually reaches your card within 5 to 10 business days.`;
  }
  return dispute === 'lost'
    ? 'Your bank decided the dispute in your favor, and the payment goes back to you.'
    : 'Your order is marked as refunded.';
}

function afterRefund({ status }: Order): string {
  return isRunning(status)
    ? 'Your subscription continues as before.'
    : 'Your subscription has ended, and nothing more will be charged.';
}

function dayIn(timeZone: string, at: number): string {
  return new Intl.DateTimeFormat('en-US', { timeZone, dateStyle: 'long' }).format(at);
}
