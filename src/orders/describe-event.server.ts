/** What happened to an order, in the words of staff's history and notes. */

import type { Actor, Reason } from '../billing/cause.server.ts';
import type { Detail, OrderEvent } from '../billing/order-event.server.ts';
import type { StoredEvent } from '../billing/order-event-store.server.ts';
import type { OrderStatus } from '../billing/order-status.ts';
import { orderReference } from '../billing/reference.ts';
import { changeInWords } from '../billing/subscription.ts';
import { isExact, lineInWords } from '../catalogue/pricing.ts';
import { type Cents, cents, formatDollars, totalOf } from '../platform/money.ts';
import { formatDate, isoTime } from '../platform/time.ts';
import { INVOICE_WORDS, STATUS_WORDS } from './order.ts';

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
  /** One sentence for each: what came of a press says why, or the press alone is shown. */
  const isShown = (stored: StoredEvent) => {
    const { id, event, causeId } = stored;
    if (event.kind === 'status') return !event.passing;
    if (event.kind === 'refunded') return kindOf(causeId) !== 'refund-asked';
    if (kindOf(causeId) === 'paid-outside-asked') return false;
    if (event.kind === 'paid-outside-asked')
      return !came.some((one) => one.causeId === id && one.event.kind === 'status');
    const told = besides(stored, events).map(({ event: { kind } }) => kind);
    if (event.kind === 'invoice-state')
      return !told.some((kind) => TELLS_OF_INVOICE.includes(kind));
    return event.kind === 'refund-asked' || !causes.has(id);
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
      const status = event.kind === 'status' ? event.to : null;
      const texts = status
        ? [statusCause(stored, status, history)]
        : describeEvent(stored, history);
      return texts.map((text) => ({ at: isoTime(at), status, text }));
    }),
  };
}

const TELLS_OF_INVOICE: readonly OrderEvent['kind'][] = ['status', 'renewed', 'part-paid'];

/** What else the same report, or the same press, made of the order. */
function besides(one: StoredEvent, events: readonly StoredEvent[]): StoredEvent[] {
  const keyOf = ({ actor, reason, causeId }: StoredEvent) =>
    JSON.stringify([actor, reason, causeId]);
  return events.filter(
    (other) => other !== one && keyOf(other) === keyOf(one) && Math.abs(other.at - one.at) < 1_000,
  );
}

/** With what became of the invoice, where that says more. */
function statusCause(stored: StoredEvent, status: OrderStatus, history: History): string {
  const cause = causeOf(stored, history);
  // A press has said it.
  if (stored.causeId !== null) return cause;
  const state = besides(stored, history.events).flatMap(({ event }) =>
    event.kind === 'invoice-state' ? [INVOICE_WORDS[event.state].staff] : [],
  )[0];
  return state === undefined || state === STATUS_WORDS[status].staff
    ? cause
    : `${state} (${cause})`;
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
  if (reason) return REASON_WORDS[reason](whoIs(actor, history));
  if (actor.is !== 'provider') return whoIs(actor, history);
  return actor.event ? `reported by ${actor.name}` : `status checked at ${actor.name}`;
}

function whoIs(actor: Actor, { nameOf }: History): string {
  if (actor.is === 'customer') return 'the customer';
  if (actor.is === 'staff') return nameOf(actor.account) ?? actor.name;
  return actor.is === 'site' ? 'the site' : actor.name;
}

function pressed(label: string) {
  return (who: string) => `${label}, pressed by ${who} in test mode`;
}

const REASON_WORDS: Record<Reason, (who: string) => string> = {
  placed: () => 'order placed',
  set: (who) => `set by ${who}`,
  canceled: (who) => `Canceled by ${who}`,
  returned: () => 'customer returned',
  'buys-again': () => 'customer buys again',
  'change-priced': () => 'a change is priced',
  'change-confirmed': () => 'a change is confirmed',
  changed: (who) => `changed by ${who}`,
  'invoice-issued': () => 'invoice issued',
  'due-date-passed': () => 'the due date has passed',
  'not-paid-in-time': () => 'Not paid in time',
  'quote-changed': () => 'The quote was changed',
  'quote-withdrawn': () => 'The quote was withdrawn',
  'quote-paid-by-another': () => 'the quote is paid by another order',
  'started-after-end': () => 'started after the order had ended',
  'test-card-succeeds': () => 'test card: succeeds',
  'test-card-asks': () => 'test card: asks',
  'test-card-declined': () => 'test card: declined',
  'test-card-insufficient_funds': () => 'test card: insufficient funds',
  'test-confirmation-approved': () => 'confirmation approved',
  'test-confirmation-refused': () => 'confirmation refused',
  'test-invoice-sent': () => 'invoice sent',
  'test-renewed': pressed('Renew'),
  'test-renewal_failed': pressed('Renewal fails'),
  'test-invoice_paid': pressed('Invoice paid'),
  'test-debit_returned': pressed('Bank returns the debit'),
  'test-disputed': pressed('Dispute'),
  'test-due_day_passed': pressed('Due day passes'),
};

/** One text for each thing that staff read of the event; none for what its status or notes say. */
export function describeEvent(stored: StoredEvent, history: History): string[] {
  const { event, actor } = stored;
  const who = whoIs(actor, history);
  const because = (...texts: string[]) =>
    texts.map((text) => `${text} (${causeOf(stored, history)})`);
  switch (event.kind) {
    case 'second-wanted':
      return ['The buyer wants this beside a subscription that is running'];
    case 'end-asked':
      return [asAnswered(stored, history, `${END_WORDS[event.when]} by ${who}`)];
    case 'keep-asked':
      return [asAnswered(stored, history, 'The customer keeps the plan')];
    case 'change-asked':
      return [
        asAnswered(
          stored,
          history,
          `Plan changed by ${who}: ${changeInWords(event.from, event.to).join(' → ')}`,
        ),
      ];
    case 'details-asked':
      return [asAnswered(stored, history, `${detailsInWords(event.what)} corrected by ${who}`)];
    case 'details-changed': {
      const { actor: by } = history.events.find(({ id }) => id === stored.causeId) ?? stored;
      const words = detailsInWords(event.what);
      return [
        by.is === 'site'
          ? `${words} changed at the payment provider`
          : `${words} corrected by ${whoIs(by, history)}`,
      ];
    }
    case 'not-refunded':
      return ['This end refunded nothing'];
    case 'refund-asked':
      return [asAnswered(stored, history, `${refundInWords(event)} refunded by ${who}`)];
    case 'paid-outside-asked': {
      const name = `Invoice ${event.number ?? event.invoice}`;
      const reference = history.references.get(event.invoice);
      const sum =
        event.amount === undefined || event.amount === event.due
          ? ''
          : ` with ${formatDollars(event.amount)} of ${formatDollars(event.due ?? event.amount)}`;
      const text = `${name} marked as paid outside${sum} by ${who}${reference ? `: ${reference}` : ''}`;
      return [asAnswered(stored, history, text)];
    }
    case 'card-replaced':
      return [`The customer replaced the card: ${event.card ?? 'a new card'}`];
    case 'po-number-changed':
      return [`The purchase order number was changed by ${who}`];
    case 'addendum-accepted':
      return [`The Safeguards addendum was accepted by ${who}`];
    case 'link-made':
      return [`A link to change the order was made by ${who}`];
    case 'link-opened':
      return ['The customer opened a link to the order'];
    case 'links-revoked':
      return [`All links were revoked by ${who}`];
    case 'buyer-erased':
      return [`Buyer erased by ${who}`];
    case 'price-announced': {
      const { from, to, effectiveAt } = event.notice;
      const [before, after] = [from, to].map((lines) => formatDollars(totalOf(lines)));
      return [
        `Notice of new price: ${before} → ${after} a month, from ${history.day(effectiveAt)}, ${byWhom(event.notice)} ${who}`,
      ];
    }
    case 'terms-announced':
      return [
        `Notice of new terms, from ${history.day(event.notice.effectiveAt)}, ${byWhom(event.notice)} ${who}`,
      ];
    case 'price-withdrawn':
      return [`Notice of the new price taken back by ${who}`];
    case 'start-scheduled':
      return [`The plan starts on ${formatDate(event.monthly.startsOn ?? '')}`];
    case 'renewed':
      return because(
        ...event.invoices.map(({ amount, periodStart }) => {
          const what = event.started ? 'Started' : periodStart === null ? 'Paid' : 'Renewed';
          return `${what}: ${formatDollars(amount)}`;
        }),
      );
    case 'invoice-state':
      return because(INVOICE_WORDS[event.state].staff);
    case 'part-paid': {
      const { amount, remaining } = event.invoice;
      return because(
        `${formatDollars(cents(amount - remaining))} of an invoice of ${formatDollars(amount)} received: ${formatDollars(remaining)} is still open`,
      );
    }
    case 'disputed':
      return because(`${formatDollars(event.amount)} is disputed`);
    case 'dispute':
      // What is disputed, or has gone back, says so.
      return event.state === 'won' ? because('Dispute won') : [];
    case 'refunded':
      if (event.amount <= 0) return [];
      return because(
        event.lost
          ? `Dispute lost, the bank gave back ${formatDollars(event.amount)}: ${refundedInAll(event.total)}`
          : refundedInAll(event.total),
      );
    case 'refund-failed':
      return because(
        `A refund of ${formatDollars(event.amount)} failed: ${refundedInAll(event.total)}`,
      );
    case 'credit-left':
      return because(
        event.amount > 0
          ? `${formatDollars(event.amount)} is owed to the customer, which no bill will use`
          : 'Nothing is owed to the customer any more',
      );
    case 'ending':
      return because(
        event.endsAt === null
          ? 'The subscription continues'
          : `The subscription ends on ${history.day(event.endsAt)}`,
      );
    case 'paused':
      return because(`Billing ${event.paused ? 'paused' : 'continues'}`);
    case 'changed': {
      const words = changeInWords(event.before, event.after).join(' → ');
      const press = history.events.find(({ id }) => id === stored.causeId);
      return press
        ? [`Plan changed by ${whoIs(press.actor, history)}: ${words}`]
        : because(`Plan changed: ${words}`);
    }
    case 'paid-after-end':
      return because(
        ...event.invoices.map(
          ({ amount }) =>
            `${formatDollars(amount)} was taken although the order is ${event.status}`,
        ),
      );
    case 'second-running': {
      const numbers = event.orders.map(orderReference).join(', ');
      return [
        `The same plan is running for this address already (${numbers}): is a second one wanted?`,
      ];
    }
    case 'price-set-up':
      return [
        event.which === 'new'
          ? `Stripe will charge the new price from ${history.day(event.effectiveAt)}`
          : 'Stripe will charge the old price',
      ];
    case 'notice-delivered':
      return actor.is === 'staff' ? [`Notice of the new price delivered by hand by ${who}`] : [];
    case 'new-price-charged':
      return [`First charge at the new price: ${formatDollars(event.amount)}`];
    case 'end-delayed':
      return ['The subscription could not be ended yet, which is tried again'];
    case 'end-refused':
      // Of a press, it says so itself.
      if (stored.causeId !== null) return [];
      return [`The subscription must be ended at ${event.provider} by hand: ${event.reason}`];
    case 'lines-changed':
    case 'interval-changed':
      return because(...alertInWords(event));
    default:
      return alertInWords(event);
  }
}

const DETAIL_WORDS: Record<Detail, string> = {
  name: 'name',
  company: 'company',
  phone: 'phone',
  email: 'email address',
  billingAddress: 'billing address',
  billsTo: 'address for papers',
  postalCode: 'ZIP code',
};

/** 'Name, email address'. */
function detailsInWords(what: readonly Detail[]): string {
  const words = what.map((detail) => DETAIL_WORDS[detail]).join(', ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const END_WORDS = {
  unpaid: 'Canceled',
  now: 'Ended immediately',
  'period-end': 'Set to end with the paid month',
};

/** What the provider says to a press. */
function isAnswer({ kind }: OrderEvent): boolean {
  return kind === 'confirmed' || kind.endsWith('-refused');
}

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

/** What staff must look into; none for other events. */
export function alertInWords(event: OrderEvent): string[] {
  switch (event.kind) {
    case 'payment-differs': {
      const { what, amount, currency, due } = event;
      const sum = formatDollars(cents(amount));
      const paid = currency === 'usd' ? sum : `${sum.slice(1)} ${currency.toUpperCase()}`;
      return [`Stripe’s ${what} is for ${paid}, the order for ${formatDollars(due)}`];
    }
    case 'lines-changed':
      return event.changes.map(({ what, line, was }) => {
        if (what !== 'repriced')
          return `${what === 'added' ? 'Added' : 'Removed'}: ${lineInWords(line)}`;
        if (!isExact(line))
          return `Price changed: ${lineInWords(line)}, ${formatDollars(line.amount)} in all`;
        const [from, to] = [was, line.unitPrice].map(formatDollars);
        return `Price changed: ${line.label}, ${from} → ${to}`;
      });
    case 'interval-changed':
      return [
        event.every === null
          ? 'Stripe bills this plan each month again'
          : `Stripe bills this plan not each month (${event.every}). The customer now reads that it is billed by agreement, with no monthly sum, and can’t change it`,
      ];
    case 'invoice-stuck': {
      const name = `Invoice ${event.invoice} of ${formatDollars(event.amount)}`;
      return [
        {
          void: `${name} was voided at Stripe and will not be paid. The plan goes on: end the order if it should not`,
          uncollectible: `${name} was written off at Stripe`,
          draft: `${name} is a draft that Stripe will not charge. Collect or void it there.`,
          'not finalized': `${name} could not be finalized at Stripe: ${event.reason}`,
        }[event.why],
      ];
    }
    case 'unknown-line':
      return [
        `Invoice ${event.invoice} charges something that the site does not know: “${event.what}”, ${formatDollars(event.amount)}. It stands on the receipt in these words`,
      ];
    case 'charged-beside':
      return [
        `Stripe charged this customer ${formatDollars(event.amount)} for something that belongs to no order (${event.charge}), such as a subscription or an invoice made by hand. Nothing here follows it. Refund it, or end it there and sell it here`,
      ];
    case 'missing-at-provider':
      return [`The payment provider does not have what this order is about: ${event.what}`];
    case 'end-wanted':
      return [
        `The customer wants to end the plan, and ${event.provider} refused it (${event.reason}). End it there by hand, and tell the customer`,
      ];
    case 'fraud-warned':
      return [
        `The card’s bank suspects that a payment of ${formatDollars(event.amount)} is fraud (${event.charge}). A refund now avoids a dispute and its fee`,
      ];
    case 'invoice-not-issued':
      return [
        'The customer accepted the quote, but the first invoice could not be issued for an hour. The reason is in the server’s log. It is tried again until you end the order.',
      ];
    case 'price-not-set-up':
      return [`The ${event.which} price could not be set up at Stripe: ${event.reason}`];
    case 'old-price-charged':
      return [
        `Renewal ${event.invoice} was billed at the old price, ${formatDollars(event.amount)}. The new price comes with the next one.`,
      ];
    case 'notice-undelivered':
      return [
        `The email about the new ${event.about} could not be delivered, so this notice was withdrawn and nothing changes. Give it again. If you deliver it yourself, tick “I delivered it by hand” then.`,
      ];
    case 'withdrawn-price-charged':
      return [
        `Renewal ${event.invoice} was billed at the new price, ${formatDollars(event.amount)}, although its notice was taken back: ${formatDollars(event.more)} more than before, without tax. Please refund the difference.`,
      ];
    default:
      return [];
  }
}

function byWhom({ byHand }: { byHand?: boolean | undefined }): string {
  return byHand ? 'delivered by hand by' : 'by';
}

function refundInWords({ amount }: { amount: Cents | null }): string {
  return amount === null ? 'The rest of the newest payment' : formatDollars(amount);
}

function refundedInAll(total: Cents): string {
  return `${formatDollars(total)} refunded in all`;
}
