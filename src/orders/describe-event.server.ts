/** What happened to an order, in the words of staff's history and notes. */

import { type Actor, REASON_WORDS } from '../billing/cause.server.ts';
import { type Alert, hasFact, isAnswer, isPress } from '../billing/event-kinds.server.ts';
import type { Detail, EventKind, EventOf, OrderEvent } from '../billing/order-event.server.ts';
import type { StoredEvent } from '../billing/order-event-store.server.ts';
import { changeInWords } from '../billing/subscription.ts';
import { isExact, lineInWords } from '../catalogue/pricing.ts';
import { type Cents, cents, formatDollars, totalOf } from '../platform/money.ts';
import { formatDate, isoTime } from '../platform/time.ts';
import { INVOICE_WORDS, STATUS_WORDS } from './status-words.ts';

/** What the words need besides the events. */
export interface History {
  events: readonly StoredEvent[];
  /** What staff typed when they marked an invoice as paid, by the invoice's id. */
  references: ReadonlyMap<string, string | null>;
  /** What the account of a member of staff is called today. */
  nameOf(account: number): string | null;
  /** The day at the company of a time in milliseconds. */
  day(time: number): string;
}

/** `history`: each status with its cause. `changes`: all that staff read, once. Oldest first. */
export function describeHistory(history: History) {
  const { events } = history;
  const came = events.filter(({ event }) => !isAnswer(event));
  const causes = new Set(came.map(({ causeId }) => causeId));
  const kindOf = (id: number | null) => events.find((one) => one.id === id)?.event.kind;
  const ledToStatus = (id: number) =>
    came.some(({ event, causeId }) => causeId === id && event.kind === 'status' && !event.passing);
  /** One sentence for each: what came of a press says why, or the press alone is shown. */
  const isShown = ({ id, event, causeId }: StoredEvent) => {
    const { kind } = event;
    const press = kindOf(causeId);
    if (kind === 'status') return !event.passing;
    if (press === 'paid-outside-asked' || (press === 'refund-asked' && kind === 'refunded'))
      return false;
    const isMoney = kind === 'refund-asked' || kind === 'paid-outside-asked';
    return isMoney ? !ledToStatus(id) : !causes.has(id);
  };
  return {
    history: events.flatMap((stored) => {
      const { event, at } = stored;
      if (event.kind !== 'status') return [];
      return [
        { status: event.to, at: isoTime(at), cause: causeOf(stored, history) + report(stored) },
      ];
    }),
    changes: events.filter(isShown).flatMap((stored) => {
      const { event, at } = stored;
      const isStatus = event.kind === 'status';
      const texts = isStatus
        ? [statusInWords(stored, event, history)]
        : describeEvent(stored, history);
      const status = isStatus ? event.to : null;
      return texts.map((text) => ({ at: isoTime(at), status, text }));
    }),
  };
}

/** With what became of the invoice, where that says more. */
function statusInWords(
  stored: StoredEvent,
  { to, invoiceState }: EventOf<'status'>,
  history: History,
): string {
  const cause = causeOf(stored, history);
  // A press has said it.
  if (!invoiceState || stored.causeId !== null) return cause;
  const { staff: words } = INVOICE_WORDS[invoiceState];
  return words === STATUS_WORDS[to].staff ? cause : `${words} (${cause})`;
}

/** The provider's event, for who looks for it in the dashboard. */
function report({ actor }: StoredEvent): string {
  return actor.is === 'provider' && actor.event
    ? ` (event ${actor.event.type}, ${actor.event.id})`
    : '';
}

function causeOf({ actor, reason, causeId }: StoredEvent, history: History): string {
  const cause = history.events.find(({ id }) => id === causeId);
  if (cause) return describeEvent(cause, history)[0] ?? whoIs(cause.actor, history);
  if (reason) return REASON_WORDS[reason].replace('{who}', () => whoIs(actor, history));
  if (actor.is !== 'provider') return whoIs(actor, history);
  return actor.event ? `reported by ${actor.name}` : `status checked at ${actor.name}`;
}

function whoIs(actor: Actor, { nameOf }: History): string {
  if (actor.is === 'customer') return 'the customer';
  if (actor.is === 'staff') return nameOf(actor.account) ?? actor.name;
  return actor.is === 'site' ? 'the site' : actor.name;
}

/** One text for each thing that staff read of the event; none for what its status or notes say. */
export function describeEvent(stored: StoredEvent, history: History): string[] {
  const { event, actor, causeId } = stored;
  const cause = history.events.find(({ id }) => id === causeId);
  const who = whoIs(actor, history);
  const by = whoIs((cause ?? stored).actor, history);
  const texts = wordsIn(event.kind, event, {
    ...{ actor, history, who, by },
    isPressed: causeId !== null,
  });
  if (isPress(event)) return texts.map((text) => asAnswered(stored, history, text));
  const isExplained = hasFact(event.kind, 'with cause') && !(event.kind === 'changed' && cause);
  return isExplained ? texts.map((text) => `${text} (${causeOf(stored, history)})`) : texts;
}

interface EventFacts {
  actor: Actor;
  history: Pick<History, 'references' | 'day'>;
  who: string;
  /** Who pressed what led to it, or `who`. */
  by: string;
  isPressed: boolean;
}
type Words = {
  readonly [Kind in EventKind]?: (event: EventOf<Kind>, facts: EventFacts) => string | string[];
};

function wordsIn<Kind extends EventKind>(kind: Kind, event: OrderEvent, facts: EventFacts) {
  const isOfKind = (one: OrderEvent): one is EventOf<Kind> => one.kind === kind;
  const words = (WORDS as Words)[kind];
  return words && isOfKind(event) ? [words(event, facts)].flat() : [];
}

/** What happened alone, and neither who did it nor why: for who is notified of it. */
export function eventInWords(event: OrderEvent, day: History['day']): string[] {
  const history = { references: new Map(), day };
  const nobody = { actor: { is: 'site' } as const, who: '', by: '', isPressed: false };
  return wordsIn(event.kind, event, { ...nobody, history });
}

const WORDS: Words & Record<Alert['kind'], unknown> = {
  'second-wanted': () => 'The buyer wants this beside a subscription that is running',
  'end-asked': ({ when }, { who }) => `${END_WORDS[when]} by ${who}`,
  'keep-asked': (_, { who }) => `End taken back by ${who}`,
  'change-asked': ({ from, to }, { who }) =>
    `Plan changed by ${who}: ${changeInWords(from, to).join(' → ')}`,
  'details-asked': ({ what }, { who }) => `${detailsInWords(what)} corrected by ${who}`,
  'details-changed': ({ what }, { actor, by, isPressed }) =>
    actor.is === 'site' && !isPressed
      ? `${detailsInWords(what)} changed at the payment provider`
      : `${detailsInWords(what)} corrected by ${by}`,
  'not-refunded': () => 'This end refunded nothing',
  'refund-asked': ({ amount }, { who }) =>
    `${amount === null ? 'The rest of the newest payment' : formatDollars(amount)} refunded by ${who}`,
  'paid-outside-asked': ({ invoice, number, amount, due }, { who, history }) => {
    const reference = history.references.get(invoice);
    const isOther = amount !== undefined && amount !== due;
    const sum = isOther ? ` with ${formatDollars(amount)} of ${formatDollars(due ?? amount)}` : '';
    return `Invoice ${number ?? invoice} marked as paid outside${sum} by ${who}${reference ? `: ${reference}` : ''}`;
  },
  'card-replaced': ({ card }) => `The customer replaced the card: ${card ?? 'a new card'}`,
  'po-number-asked': (_, { who }) => `The purchase order number was changed by ${who}`,
  'addendum-accepted': (_, { who }) => `The Safeguards addendum was accepted by ${who}`,
  'link-made': (_, { who }) => `A link to change the order was made by ${who}`,
  'link-opened': () => 'The customer opened a link to the order',
  'links-revoked': (_, { who }) => `All links were revoked by ${who}`,
  'buyer-erased': (_, { who }) => `Buyer erased by ${who}`,
  'price-announced': ({ notice }, { who, history }) =>
    `Notice of new price: ${priceInWords(notice, history)}, ${byWhom(notice)} ${who}`,
  'terms-announced': ({ notice }, { who, history }) =>
    `Notice of new terms, from ${history.day(notice.effectiveAt)}, ${byWhom(notice)} ${who}`,
  'notice-moved': ({ notice }, { history }) =>
    `The email of the notice left late and says: ${priceInWords(notice, history)}`,
  'price-withdrawn': (_, { who }) => `Notice of the new price taken back by ${who}`,
  'start-scheduled': ({ monthly }) => `The plan starts on ${formatDate(monthly.startsOn)}`,
  'start-moved': ({ monthly, was }) =>
    `The start was moved at the payment provider from ${formatDate(was)} to ${formatDate(monthly.startsOn)}`,
  renewed: ({ invoices, started }) =>
    invoices.map(({ amount, periodStart }) => {
      const what = started ? 'Started' : periodStart === null ? 'Paid' : 'Renewed';
      return `${what}: ${formatDollars(amount)}`;
    }),
  'invoice-state': ({ state }) => INVOICE_WORDS[state].staff,
  'part-paid': ({ invoice: { amount, remaining } }) =>
    `${formatDollars(cents(amount - remaining))} of an invoice of ${formatDollars(amount)} received: ${formatDollars(remaining)} is still open`,
  disputed: ({ amount }) => `${formatDollars(amount)} is disputed`,
  // What is disputed, or has gone back, says so.
  dispute: ({ state }) => (state === 'won' ? 'Dispute won' : []),
  refunded: ({ amount, total, lost }) => {
    if (amount <= 0) return [];
    const words = refundedInAll(total);
    return lost ? `Dispute lost, the bank gave back ${formatDollars(amount)}: ${words}` : words;
  },
  'refund-failed': ({ amount, total }) =>
    `A refund of ${formatDollars(amount)} failed: ${total > 0 ? refundedInAll(total) : 'nothing is refunded now'}`,
  'credit-left': ({ amount }) =>
    amount > 0
      ? `${formatDollars(amount)} is owed to the customer, which no bill will use`
      : 'Nothing is owed to the customer any more',
  ending: ({ endsAt }, { history }) =>
    endsAt === null
      ? 'The subscription continues'
      : `The subscription ends on ${history.day(endsAt)}`,
  paused: ({ paused }) => `Billing ${paused ? 'paused' : 'continues'}`,
  changed: ({ before, after }, { by, isPressed }) =>
    `Plan changed${isPressed ? ` by ${by}` : ''}: ${changeInWords(before, after).join(' → ')}`,
  'paid-after-end': ({ invoices, status }) =>
    invoices.map(
      ({ amount }) => `${formatDollars(amount)} was taken although the order is ${status}`,
    ),
  'price-set-up': ({ which, effectiveAt }, { history }) =>
    which === 'new'
      ? `The payment provider will charge the new price from ${history.day(effectiveAt)}`
      : 'The payment provider will charge the old price',
  'notice-delivered': (_, { actor, who }) =>
    actor.is === 'staff' ? `Notice of the new price delivered by hand by ${who}` : [],
  'new-price-charged': ({ amount }) => `First charge at the new price: ${formatDollars(amount)}`,
  'end-delayed': () => 'The subscription could not be ended yet, which is tried again',
  // Of a press, it says so itself. Release 1.0 had no alert.
  'end-refused': ({ provider, reason }, { isPressed }) =>
    isPressed ? [] : `The subscription must be ended at ${provider} by hand: ${reason}`,

  // What staff must look into.
  'payment-differs': ({ what, amount, currency, due }) => {
    const paid = sumIn(currency, amount);
    return `The payment provider’s ${what} is for ${paid}, the order for ${formatDollars(due)}`;
  },
  'lines-changed': ({ changes }) =>
    changes.map(({ what, line, was }) => {
      if (what !== 'repriced')
        return `${what === 'added' ? 'Added' : 'Removed'}: ${lineInWords(line)}, ${formatDollars(line.amount)}`;
      if (!isExact(line))
        return `Price changed: ${lineInWords(line)}, ${formatDollars(line.amount)} in all`;
      const [from, to] = [was, line.unitPrice].map(formatDollars);
      return `Price changed: ${line.label}, ${from} → ${to}`;
    }),
  'interval-changed': ({ every }) =>
    every === null
      ? 'The payment provider bills this plan each month again'
      : `The payment provider bills this plan not each month (${every}). The customer now reads that it is billed by agreement, with no monthly sum, and can’t change it`,
  'invoice-stuck': ({ invoice, amount, why, reason }) => {
    const name = `Invoice ${invoice} of ${formatDollars(amount)}`;
    const there = 'at the payment provider';
    return {
      void: `${name} was voided ${there} and will not be paid. The plan goes on: end the order if it should not`,
      uncollectible: `${name} was written off ${there}`,
      draft: `${name} is a draft that the payment provider will not charge. Collect or void it there.`,
      refused: `${name} is the last one of the plan, and the card could not be charged. The customer can pay it from the order’s page. Collect or void it ${there}`,
      'not finalized': `${name} could not be finalized ${there}: ${reason}`,
    }[why];
  },
  'unknown-line': ({ invoice, what, amount }) =>
    `Invoice ${invoice} charges something that the site does not know: “${what}”, ${formatDollars(amount)}. It stands on the receipt in these words`,
  'item-unbilled': ({ what, amount }) =>
    `“${what}”, ${formatDollars(amount)}, was to stand on the next bill, and none comes, for the plan has ended. Bill or delete it at the payment provider`,
  'credit-dropped': ({ amount }) =>
    `The end of the plan dropped a credit of ${formatDollars(amount)}, before tax, which changes had left for the next bill. Refund it to the customer`,
  'charged-beside': ({ amount, charge, currency }) =>
    `The payment provider charged this customer ${sumIn(currency, amount)} for something that belongs to no order (${charge}), such as a subscription or an invoice made by hand. Nothing here follows it. Refund it, or end it there and sell it here`,
  'missing-at-provider': ({ what }) =>
    `The payment provider does not have what this order is about: ${what}`,
  'not-taxed': () =>
    'The payment provider doesn’t know where this customer is, so it bills the plan without sales tax. Correct the address there, then switch automatic tax on for the subscription if it is off',
  'end-wanted': ({ provider, reason }) =>
    `The customer wants to end the plan, and ${provider} refused it (${reason}). End it there by hand, and tell the customer`,
  'end-not-made': ({ provider, reason }) =>
    `The order is over here, but ${provider} refuses to end the subscription (${reason}). End it there by hand before it charges again`,
  'fraud-warned': ({ amount, charge, currency }) =>
    `The card’s bank suspects that a payment of ${sumIn(currency, amount)} is fraud (${charge}). A refund now avoids a dispute and its fee`,
  'invoice-not-issued': () =>
    'The customer accepted the quote, but the first invoice could not be issued for an hour. The reason is in the server’s log. It is tried again until you end the order.',
  'price-not-set-up': ({ which, reason }) =>
    `The ${which} price could not be set up at the payment provider: ${reason}`,
  'old-price-charged': ({ invoice, amount }) =>
    `Renewal ${invoice} was billed at the old price, ${formatDollars(amount)}. The new price comes with the next one.`,
  'notice-undelivered': ({ about }) =>
    `The email about the new ${about} could not be delivered, so this notice was withdrawn and nothing changes. Give it again. If you deliver it yourself, tick “I delivered it by hand” then.`,
  'withdrawn-price-charged': ({ invoice, amount, more }) =>
    `Renewal ${invoice} was billed at the new price, ${formatDollars(amount)}, although its notice was taken back: ${formatDollars(more)} more than before, without tax. Please refund the difference.`,
};

const DETAIL_WORDS: Record<Detail, string> = {
  name: 'name',
  company: 'company',
  phone: 'phone',
  email: 'email address',
  billingAddress: 'billing address',
  billsTo: 'address for papers',
  postalCode: 'ZIP code',
  startsOn: 'start day',
};

/** 'Name, email address'. */
function detailsInWords(what: readonly Detail[]): string {
  const words = what.map((detail) => DETAIL_WORDS[detail]).join(', ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const END_WORDS = {
  unpaid: 'Canceled',
  now: 'Ended immediately',
  'period-end': 'Set to end',
};

/** A press in the words of what it was meant to do, unless the provider has done it. */
function asAnswered({ id, event }: StoredEvent, { events }: History, text: string): string {
  const came = events.filter((one) => one.causeId === id);
  const refusal = came.find(({ event: answer }) => 'reason' in answer);
  const wasDone = 'confirmed' in event && event.confirmed;
  if (wasDone || came.some((one) => one !== refusal)) return text;
  return refusal && 'reason' in refusal.event
    ? `Refused: ${text} (${refusal.event.reason})`
    : `Asked for, not confirmed: ${text}`;
}

function byWhom({ byHand }: { byHand?: boolean | undefined }): string {
  return byHand ? 'delivered by hand by' : 'by';
}

function priceInWords(
  { from, to, effectiveAt }: EventOf<'price-announced'>['notice'],
  { day }: Pick<History, 'day'>,
): string {
  const [before, after] = [from, to].map((lines) => formatDollars(totalOf(lines)));
  return `${from.length > 0 ? `${before} → ${after} a month, ` : ''}from ${day(effectiveAt)}`;
}

function refundedInAll(total: Cents): string {
  return `${formatDollars(total)} refunded in all`;
}

/** Stripe counts all other currencies in hundredths, also those that Intl writes without. */
const OTHER_DIGITS: readonly (readonly [digits: number, currencies: string])[] = [
  [0, 'bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'],
  [3, 'bhd jod kwd omr tnd'],
];

/** `amount`: in the currency's smallest unit, as payment providers count, such as yen. */
function sumIn(currency: string | undefined, amount: number): string {
  if (currency === undefined || currency === 'usd') return formatDollars(cents(amount));
  const [digits] = OTHER_DIGITS.find(([, all]) => all.includes(currency)) ?? [2];
  const sum = (amount / 10 ** digits).toLocaleString('en-US', { minimumFractionDigits: digits });
  return `${sum} ${currency.toUpperCase()}`;
}
