/** What customers read by email of their plan: its start, changes and end. */

import { isByAgreement } from '../billing/event-facts.server.ts';
import type { WaitingItem } from '../billing/gateway.server.ts';
import { owedOf } from '../billing/invoice-store.server.ts';
import { owesByCard } from '../billing/order-status.ts';
import { changeInWords, payingWords } from '../billing/subscription.ts';
import { formatDay } from '../company/days.ts';
import type { MessageContext } from '../notifications/notification.server.ts';
import { formatDollars, totalOf } from '../platform/money.ts';
import { formatDate, isoTimeOrNull } from '../platform/time.ts';
import {
  billedUntil,
  difference,
  monthlyPrices,
  monthOf,
  startsIn,
  type TextsByKind,
} from './order-mail-texts.server.ts';
import { willNotStart } from './status-words.ts';

export const PLAN_MAIL_TEXTS = {
  'start-scheduled': ({ event: { monthly }, order, number }) => ({
    subject: `Your order ${number}: your plan starts on ${formatDate(monthly.startsOn)}`,
    heading: `Your plan starts on ${formatDate(monthly.startsOn)}`,
    parts: [
      `Thank you for your order. Your quote is accepted, and nothing was charged.`,
      startsIn(order, monthly.startsOn),
      monthlyPrices(monthly),
      'Until then you can cancel at no cost: open your order. If you didn’t expect this, please call us.',
    ],
    facts: [['Starts', formatDate(monthly.startsOn)]],
  }),

  'start-moved': ({ event: { monthly, was }, order, number }) => ({
    subject: `Your order ${number}: your plan now starts on ${formatDate(monthly.startsOn)}`,
    heading: `Your plan now starts on ${formatDate(monthly.startsOn)}`,
    parts: [
      startsIn(order, monthly.startsOn, was),
      monthlyPrices(monthly),
      'You don’t need to do anything. If you didn’t expect this, please call us before that day.',
    ],
    facts: [['Starts', formatDate(monthly.startsOn)]],
  }),

  paused: ({ event: { paused }, order, so, number }) => ({
    subject: `Billing for your order ${number} ${paused ? 'is paused' : 'has resumed'}`,
    heading: paused ? 'Billing is paused' : 'Billing has resumed',
    parts: [
      paused
        ? `Billing for your ${order.planName} plan is paused, and ${payingWords(order.subscription).nothingMore} until it resumes.`
        : `Billing for your ${order.planName} plan has resumed.${so.endsAt === null ? ` Open your order to see the next ${payingWords(order.subscription).charge}.` : ''}`,
    ],
  }),

  changed: ({ event: { before, after, monthly, was }, order, number, context, by, at, next }) => {
    const { company } = context;
    const [wordsBefore, wordsNow] = changeInWords(before, after);
    const { charge } = payingWords(order.subscription);
    return {
      subject: `Your plan has changed: order ${number}`,
      heading: isByAgreement(monthly)
        ? 'Your plan has changed'
        : `${formatDollars(monthOf(monthly))} a month`,
      under: [
        `Changed on ${formatDay(company, at)}`,
        ...(was && !isByAgreement(was) && !isByAgreement(monthly)
          ? [difference(monthOf(was), monthOf(monthly), 'before')]
          : []),
      ].join(': '),
      parts: [
        `${madeBy(by, context)}.`,
        {
          kind: 'facts',
          facts: [
            ['Before', wordsBefore],
            ['Now', wordsNow],
          ],
        },
        monthlyPrices(monthly),
        next
          ? `Nothing was charged today. Your next ${charge} on ${next} includes this change.`
          : `Nothing was charged today. Open your order to see your next ${charge}, which includes this change.`,
        `You don’t need to do anything. If you didn’t ${by === null ? 'make' : 'ask for'} this change, please call us right away.`,
      ],
    };
  },

  'card-replaced': ({ event: { card }, order, so, number }) => ({
    subject: `New card for your order ${number}`,
    heading: card ? `Your card is now ${card}` : 'Your card was replaced',
    parts: [
      `From now on, your ${order.planName} plan is charged to ${card ?? 'a new card'}.${owesByCard({ ...order, ...so }) ? ' A payment is overdue: your order shows whether this card has paid it.' : ''}`,
      `${owesByCard({ ...order, ...so }) ? '' : 'You don’t need to do anything. '}If you didn’t replace your card, please call us right away.`,
    ],
  }),

  ending: ({ event: { endsAt }, order, so, number, context: { company }, at, next }) => {
    const words = payingWords(order.subscription);
    const isOff = willNotStart({ startsOn: so.startsOn, endsAt: isoTimeOrNull(endsAt) });
    // Staff may set any day at the provider.
    const isCharged = endsAt !== null && endsAt > (billedUntil(order, at) ?? endsAt);
    const waiting: readonly WaitingItem[] = JSON.parse(order.subscription.waiting);
    const isLeft = totalOf(waiting) > 0;
    const meanwhile = isCharged
      ? `Until then you keep the service, and ${words.charged} as before.`
      : `You keep the service until then, and your plan won’t renew after that.${isLeft ? ' Then a last bill follows, for what you have changed.' : ''}`;
    const stays = so.startsOn ? `still starts on ${formatDate(so.startsOn)}` : 'continues';
    const nextCharge = `${words.next} ${next ? `on ${next}` : 'when the paid month is over'}. `;
    return endsAt === null
      ? {
          subject: `Your plan ${stays}: order ${number}`,
          heading: `Your plan ${stays}`,
          parts: [
            `Your cancellation was withdrawn, and your ${order.planName} plan ${stays}.`,
            `${so.startsOn ? '' : nextCharge}You don’t need to do anything.`,
          ],
        }
      : {
          subject: `Your cancellation of order ${number}`,
          heading: isOff
            ? 'Your plan will not start'
            : `Your plan ends on ${formatDay(company, endsAt)}`,
          parts: [
            isOff
              ? `Your cancellation is confirmed. Your ${order.planName} plan will not start, and nothing more is charged.`
              : `Your cancellation is confirmed. Your ${order.planName} plan ends on ${formatDay(company, endsAt)}. ${meanwhile}`,
            `Changed your mind? Keep your plan before ${formatDay(company, endsAt)}.`,
          ],
          link: 'Keep my plan',
          place: 'plan',
        };
  },

  ended: ({
    event: { invoiceIsVoid, withoutRefund, endedAt, lastBill },
    order,
    so,
    number,
    context,
    at,
  }) => ({
    subject: `Your plan has ended: order ${number}`,
    // The news of an end that was set may come late.
    heading: `Your plan ended on ${formatDay(context.company, endedAt ?? Math.min(at, so.endsAt ?? at))}`,
    parts: [
      [
        lastBill
          ? `Your ${order.planName} plan has ended. A last bill of ${formatDollars(lastBill)} follows.`
          : `Your ${order.planName} plan has ended, and ${payingWords(order.subscription).nothingMore} for it again.`,
        ...(owedOf(order).length > 0 ? ['Your last invoice is still to be paid.'] : []),
        ...(invoiceIsVoid ? ['The open invoice is no longer due. Please don’t pay it.'] : []),
        ...(withoutRefund ? ['Your last payment was not refunded.'] : []),
      ].join(' '),
      {
        kind: 'words',
        words: [
          'To start again, ',
          { label: 'choose a plan', url: `${context.publicUrl}/checkout` },
          ' at any time. If you didn’t expect this, please call us right away.',
        ],
      },
    ],
  }),
} satisfies TextsByKind;

function madeBy(by: string | null, { company }: MessageContext): string {
  if (by === null) return 'Your change is in effect';
  return `${by ? `${by} at ${company.name}` : company.supportName} made this change for you`;
}
