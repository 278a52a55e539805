/** The emails about new prices and new terms. */
import { type PriceLine, priceLinesOf, usersInWords } from '../catalogue/pricing.ts';
import { formatDay } from '../company/hours.ts';
import type {
  CustomerEmail,
  EmailPart,
  MessageContext,
  NotificationKind,
} from '../notifications/notification.server.ts';
import { isErased, isOver, orderReference, paysRealMoney } from '../orders/order.ts';
import { receiptLink } from '../orders/order-access.server.ts';
import { TEST_MODE } from '../orders/order-mails.server.ts';
import { findOrder, type Order } from '../orders/order-store.server.ts';
import { findNotice, type PriceChange, pricesOf } from '../orders/price-change-store.server.ts';
import { cents, formatDollars, totalOf } from '../platform/money.ts';
import { CONTENT_PATHS } from '../routes.ts';

export interface Notice {
  change: PriceChange;
  order: Order;
}

type Texts = Pick<CustomerEmail, 'subject' | 'heading' | 'parts'> & { link: string };

export const priceAnnounced = noticeOf('price-announced', 'Price notice for order', {
  about: 'price',
  isTrue: ({ state }) => state !== 'taken-back',
  write: priceTexts,
});

export const priceTakenBack = noticeOf('price-taken-back', 'Price notice taken back for order', {
  about: 'price',
  isTrue: ({ state }) => state === 'taken-back',
  write: ({ order, change }) => ({
    subject: `Your price stays as it is: order ${orderReference(order.id)}`,
    heading: 'Your price stays as it is',
    parts: [
      `We told you about a new price for your ${order.planName} plan. It does not apply: you pay ${formatDollars(totalOf(pricesOf(change).from))} a month, as before. There is nothing to do.`,
    ],
    link: 'View order and billing',
  }),
});

export const termsAnnounced = noticeOf('terms-announced', 'Notice of new terms for order', {
  about: 'terms',
  isTrue: () => true,
  write: ({ order, change }, { company, publicUrl }) => {
    const day = formatDay(company, change.effectiveAt);
    return {
      subject: `Our terms change on ${day}: order ${orderReference(order.id)}`,
      heading: 'Our terms are changing',
      parts: [
        `The terms of service for your ${order.planName} plan change on ${day}. Please read them at ${publicUrl}${CONTENT_PATHS.termsOfService}. Your price stays the same.`,
        `There is nothing to do. If you don’t agree, open your order below and cancel your plan before ${day}.`,
      ],
      link: 'View order and billing',
    };
  },
});

/** Their subject is the order, which has at most one open notice of each kind. */
export const PRICE_NOTIFICATIONS = [priceAnnounced, priceTakenBack, termsAnnounced];

interface NoticeTexts {
  about: PriceChange['kind'];
  /** Whether there is still something to say. */
  isTrue(change: PriceChange): boolean;
  write(notice: Notice, context: MessageContext): Texts;
}

function noticeOf(
  kind: string,
  label: string,
  { about, isTrue, write }: NoticeTexts,
): NotificationKind<Notice> {
  return {
    kind,
    label,
    async find(db, id) {
      const [order, change] = [await findOrder(db, id), await findNotice(db, id, about)];
      return order && change && { order, change };
    },
    reference: orderReference,
    topic: ({ order }) => `order ${order.id}`,
    channels: () => ['mail-customer'],
    async customerEmail(notice, _at, context) {
      const { order, change } = notice;
      if (isErased(order) || isOver(order.status) || !isTrue(change)) return undefined;
      const { parts, link, ...texts } = write(notice, context);
      const isReal = paysRealMoney(order);
      return {
        to: order.email,
        name: isReal ? order.name : '',
        question: 'Questions?',
        ...texts,
        parts: [
          ...(isReal ? [] : [{ kind: 'warning' as const, text: TEST_MODE }]),
          ...parts,
          { kind: 'link', label: link, url: await receiptLink(context, order) },
        ],
      };
    },
  };
}

function priceTexts({ order, change }: Notice, { company }: MessageContext): Texts {
  const { from, to } = pricesOf(change);
  const [before, after] = [totalOf(from), totalOf(to)];
  const day = formatDay(company, change.effectiveAt);
  const number = orderReference(order.id);
  const isLower = after < before;
  const difference = formatDollars(cents(Math.abs(after - before)));
  const hasUsers = to.some(({ kind }) => kind !== 'plan');
  const hasDiscount = priceLinesOf(order).some(({ kind }) => kind === 'discount');
  const totals: EmailPart = {
    kind: 'facts',
    facts: [
      ['Today', `${formatDollars(before)} a month`],
      ['New', `${formatDollars(after)} a month`],
      ['Difference', `${isLower ? '−' : '+'}${difference} a month`],
      ['First charge at the new price', day],
      ['Order', number],
    ],
  };
  const advice = isLower
    ? ['There is nothing to do.']
    : [
        `There is nothing to do if you agree. If you don’t, open your order below and end your plan before ${day}: you never pay the new price.`,
      ];
  return {
    subject: isLower
      ? `Good news: your price goes down on ${day}, order ${number}`
      : `Your price changes on ${day}: order ${number}`,
    heading: isLower ? 'Your price goes down' : 'Your price is changing',
    parts: [
      `The price of your ${order.planName} plan changes. These are today’s prices and the new ones per month, before any sales tax:`,
      { kind: 'facts', facts: to.map((line, at) => bothPrices(from[at] ?? line, line)) },
      totals,
      `Until then you pay what you pay today.${hasUsers ? ' If you change the number of users, the new price per user applies to the number you have on that day.' : ''}`,
      ...(hasDiscount ? ['Your discount still applies.'] : []),
      ...advice,
    ],
    link: isLower ? 'View order and billing' : 'See both prices or end the plan',
  };
}

/** 'Microsoft 365 E3 (with Teams)', '$36.00 → $39.00 per user, 50 users'. */
function bothPrices(
  from: PriceLine,
  { kind, label, unitPrice, quantity }: PriceLine,
): [string, string] {
  const prices =
    from.unitPrice === unitPrice
      ? `${formatDollars(unitPrice)}, unchanged`
      : `${formatDollars(from.unitPrice)} → ${formatDollars(unitPrice)}`;
  return [label, kind === 'plan' ? prices : `${prices}, per user (${usersInWords(quantity)})`];
}
