import { isOwed } from '../billing/invoice.ts';
import { owesByCard } from '../billing/order-status.ts';
import { cardInShort } from '../billing/subscription.ts';
import { formatDay } from '../company/days.ts';
import { type OrderView, writeOrderHash } from '../orders/order-api.ts';
import { INVOICE_WORDS } from '../orders/status-words.ts';
import { formatDollars } from '../platform/money.ts';
import { useSite } from '../platform/site.ts';
import { formatDate } from '../platform/time.ts';
import { Sheet } from '../ui/sheet.tsx';
import type { Payment } from './own-page-api.ts';
import type { OwnPageProps } from './use-own-page.ts';

const MONTH_WORDS: Record<Payment['state'], { customer: string; tone?: 'danger' }> = {
  paid: { customer: 'Paid' },
  open: { customer: 'Overdue', tone: 'danger' },
  to_confirm: { customer: 'To confirm' },
  void: { customer: 'No longer due' },
};

export function PaymentsSection({ token, page }: OwnPageProps) {
  const { payments } = page;
  return (
    <Sheet aria-label="Payments" className="print:mt-4">
      <h2 className="text-lg">Payments</h2>
      {payments.length === 0 ? (
        <p className="mt-4 text-sm">No payments yet.</p>
      ) : (
        <table className="mt-4 w-full text-left text-sm tabular-nums max-sm:block">
          <thead className="max-sm:sr-only">
            <tr className="text-xs text-muted *:pb-2 *:not-last:pr-3 *:font-normal">
              <th scope="col">Date</th>
              <th scope="col">Status</th>
              <th scope="col" className="text-right">
                Amount
              </th>
            </tr>
          </thead>
          <tbody className="max-sm:block">
            {payments.map((payment) => (
              <PaymentRow key={payment.id} payment={payment} token={token} />
            ))}
          </tbody>
        </table>
      )}
    </Sheet>
  );
}

/** What has become of it, until when it is due, and what of it is left to pay. */
export function MonthState({ payment }: { payment: Payment }) {
  const { state, dueDay } = payment.payment;
  const words = wordsOfMonth(payment);
  const isOpen = isOwed(state);
  return (
    <span className={words.tone === 'danger' ? 'text-danger' : 'text-ink'}>
      {words.customer}
      {isOpen && dueDay && <span className="block text-xs">{`due ${formatDate(dueDay)}`}</span>}
      {isOpen && hasPart(payment) && (
        <span className="block text-xs">{`${formatDollars(payment.remaining)} still open`}</span>
      )}
    </span>
  );
}

/** Of an invoice, what has become of it; of a card's month, whether it is paid. */
export function wordsOfMonth({ state, payment, amount, paid, refunded }: Payment) {
  if (refunded > 0 && state === 'paid')
    return { customer: refunded < (paid ?? amount) ? 'Partly refunded' : 'Refunded', tone: null };
  return payment.state ? INVOICE_WORDS[payment.state] : MONTH_WORDS[state];
}

export function cardOf({ brand, last4 }: Payment): string | null {
  return brand && last4 && cardInShort(brand, last4);
}

export function owes({ status, payment }: OrderView): boolean {
  return owesByCard({ status, subscription: payment });
}

/** What a new card is charged for at once: each month that is open, with what is left of it. */
export function dueByCard({ payments }: OwnPageProps['page']) {
  return payments
    .filter(
      ({ state, payment }) =>
        payment.collection === 'card' && (state === 'open' || state === 'to_confirm'),
    )
    .map(({ state, amount, remaining }) => ({ state, amount: remaining || amount }));
}

/** Whether a part has come, and the rest is open. */
export function hasPart({ amount, remaining }: Payment): boolean {
  return remaining > 0 && remaining < amount;
}

function PaymentRow({ payment, token }: { payment: Payment; token: string }) {
  const { company } = useSite();
  const { id, at, amount, state } = payment;
  const card = state === 'paid' && cardOf(payment);
  const day = formatDay(company, Date.parse(at));
  return (
    // On a phone, its state is under its day.
    <tr className="border-t border-line text-ink max-sm:grid max-sm:grid-cols-[1fr_auto] max-sm:gap-x-3 max-[18rem]:grid-cols-1 max-sm:py-3 sm:*:py-3 sm:*:not-last:pr-3 last:pb-0 sm:last:*:pb-0">
      <td>
        <time id={`payment-${id}`} dateTime={at}>
          {day}
        </time>
      </td>
      <td className="max-sm:row-start-2 max-sm:text-xs">
        <MonthState payment={payment} />
        {card && <span className="text-muted">{` · ${card}`}</span>}
        {payment.refunded > 0 && (
          <span className="block text-xs">{`${formatDollars(payment.refunded)} refunded`}</span>
        )}
      </td>
      <td className="text-right whitespace-nowrap max-sm:row-span-2">
        {state === 'paid' && amount > 0 && (
          <a
            href={writeOrderHash({ token, receipt: id })}
            aria-describedby={`payment-${id}`}
            className="-my-2.5 mr-4 inline-flex min-h-11 items-center text-primary underline underline-offset-4 print:hidden"
          >
            Receipt
          </a>
        )}
        <span className="inline-block sm:min-w-22">{formatDollars(amount)}</span>
      </td>
    </tr>
  );
}
