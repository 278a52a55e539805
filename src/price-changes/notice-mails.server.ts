/** What the emails of notices say. */
import { isByAgreement, monthlyOf } from '../billing/event-facts.server.ts';
import { untilThen } from '../billing/notice.ts';
import type { Notice } from '../billing/notice-store.server.ts';
import type { EventOf } from '../billing/order-event.server.ts';
import { orderReference } from '../billing/reference.ts';
import type { SubscribedOrder } from '../billing/subscription-store.server.ts';
import { isHigher, parseLines, priceOf } from '../catalogue/pricing.ts';
import { formatDay } from '../company/days.ts';
import type { CustomerEmail, MessageContext } from '../notifications/notification.server.ts';
import { receiptLink } from '../orders/order-access.server.ts';
import { difference, type MailTexts, orderEmail } from '../orders/order-mail-texts.server.ts';
import { formatDollars, totalOf } from '../platform/money.ts';
import { CONTENT_PATHS } from '../routes.ts';

export type NoticeGiven = EventOf<'price-announced' | 'terms-announced'>;
type Announced = Pick<Notice, 'effectiveAt' | 'from' | 'to'>;
type Said = { kind: 'price-withdrawn' } | { kind: NoticeGiven['kind']; notice: Announced };

export async function noticeEmail(
  order: SubscribedOrder,
  said: Said,
  context: MessageContext,
): Promise<CustomerEmail | undefined> {
  return orderEmail(order, await textsOf(order, said, context), context);
}

function textsOf(
  order: SubscribedOrder,
  said: Said,
  context: MessageContext,
): MailTexts | Promise<MailTexts> {
  if (said.kind === 'price-withdrawn') return priceStaysTexts(order);
  const day = formatDay(context.company, said.notice.effectiveAt);
  if (said.kind === 'price-announced') return priceTexts(order, said.notice, day);
  return termsTexts(order, day, context);
}

function priceStaysTexts(order: SubscribedOrder): MailTexts {
  const monthly = monthlyOf(order);
  return {
    subject: `Your price stays as it is: order ${orderReference(order.id)}`,
    heading: isByAgreement(monthly)
      ? 'Your price stays as it is'
      : `${formatDollars(totalOf(monthly.lines))} a month, as before`,
    parts: [
      `We’ve withdrawn the new price that we announced for your ${order.planName} plan. You don’t need to do anything.`,
    ],
  };
}

async function termsTexts(
  order: SubscribedOrder,
  day: string,
  context: MessageContext,
): Promise<MailTexts> {
  return {
    subject: `Our terms change on ${day}: order ${orderReference(order.id)}`,
    heading: `Our terms change on ${day}`,
    parts: [
      `The terms for your ${order.planName} plan change on ${day}. Your price stays the same.`,
      {
        kind: 'words',
        words: [
          'If you agree, you don’t need to do anything. If you don’t, ',
          { label: 'open your order', url: await receiptLink(context, order, 'plan') },
          ` and cancel your plan before ${day}.`,
        ],
      },
    ],
    link: 'Read the new terms',
    linkUrl: context.publicUrl + CONTENT_PATHS.termsOfService,
  };
}

function priceTexts(order: SubscribedOrder, { from, to }: Announced, day: string): MailTexts {
  const [before, after] = [totalOf(from), totalOf(to)];
  const number = orderReference(order.id);
  const isLower = !isHigher(from, to);
  const hasDiscount = parseLines(order.subscription.priceLines).some(
    ({ kind }) => kind === 'discount',
  );
  const advice = isLower
    ? ['You don’t need to do anything.']
    : [
        `If you agree, you don’t need to do anything. If you don’t, open your order and cancel your plan before ${day}, and you’ll never pay the new price.`,
      ];
  return {
    subject: isLower
      ? `Good news: your price goes down on ${day}, order ${number}`
      : `Your price changes on ${day}: order ${number}`,
    heading: `Your price from ${day}: ${formatDollars(after)} a month`,
    parts: [
      `Your ${order.planName} plan will cost ${difference(before, after, 'today')}, before any sales tax.`,
      { kind: 'prices', price: priceOf(to), today: priceOf(from) },
      ...advice,
      untilThen(to),
      ...(hasDiscount ? ['Your discount still applies.'] : []),
    ],
    link: isLower ? 'See both prices' : 'Review the new price',
    place: 'prices',
  };
}
