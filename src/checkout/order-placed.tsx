/** After paying: what was paid, what happens next and when, and where the order is found again. */
import Check from 'lucide-react/icons/check';
import Printer from 'lucide-react/icons/printer';
import type { ReactNode } from 'react';
import { nextOpening } from '../company/hours.ts';
import { Letterhead } from '../company/letterhead.tsx';
import { monthsLater } from '../orders/order.ts';
import type { OrderView } from '../orders/order-api.ts';
import { monthlyTotal, OrderCard } from '../orders/order-state.tsx';
import { formatDollars } from '../platform/money.ts';
import { useSite } from '../platform/site.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { longDay } from '../ui/facts.tsx';

interface OrderPlacedProps {
  order: OrderView;
  /** Customers get a receipt by email. */
  receipts: boolean;
  /** No money moves. */
  test: boolean;
}

export function OrderPlaced({ order, receipts, test }: OrderPlacedProps) {
  const { publicUrl } = useSite();
  const paid = order.status === 'paid';
  const [heading, lead] = wordsOf(order, test);
  // Only ever an address of ours.
  const page = order.page?.startsWith(`${publicUrl}/`) ? order.page : undefined;
  return (
    <div className="max-w-3xl">
      <Letterhead />
      <h1 className="mt-6 flex items-center gap-4 text-2xl tracking-[-0.03em] print:mt-0">
        <span className="grid size-11 shrink-0 place-items-center rounded-full bg-primary text-white transition-transform duration-200 motion-safe:starting:scale-50 print:hidden">
          <Check className="size-6" strokeWidth={2.5} />
        </span>
        {heading}
      </h1>
      <p className="mt-4 text-lg text-pretty print:mt-2 print:text-sm">{lead}</p>
      {test && <p className="mt-2 text-sm">This was a test: no money was taken.</p>}
      {paid && <NextSteps order={order} receipts={receipts} />}
      <OrderCard order={order} bare={paid} />
      <div className="mt-6 flex flex-wrap gap-3 print:hidden">
        {page && <ButtonLink href={page}>View your order</ButtonLink>}
        <Button variant="quiet" onClick={() => window.print()}>
          <Printer className="size-4" />
          Print
        </Button>
        <ButtonLink href="/" variant="quiet">
          Back to Home
        </ButtonLink>
      </div>
      <p className="mt-6 text-sm print:hidden">
        Need a second subscription?{' '}
        <a href="/checkout" className="text-primary underline underline-offset-4">
          Choose another plan
        </a>
      </p>
    </div>
  );
}

/** The payment has arrived or is on its way; its order may have moved on since, or come with a later answer. */
function wordsOf(order: OrderView, test: boolean): [heading: string, lead: string] {
  const total = monthlyTotal(order);
  switch (order.status) {
    case 'paid': {
      const sum = total === undefined ? 'Your first month' : formatDollars(total);
      const what = total === undefined ? 'is paid' : 'is paid for your first month';
      return ['You’re all set', `Thank you${test ? '' : ' for your payment'}. ${sum} ${what}.`];
    }
    case 'processing':
      return [
        'Your order is in',
        'Your bank is still processing the payment. We’ll email you when it goes through; you don’t need to pay again.',
      ];
    default:
      return ['Your order is in', 'Thank you. This is where your order stands.'];
  }
}

function NextSteps({ order, receipts }: Omit<OrderPlacedProps, 'test'>) {
  const { hours, phone } = useSite().company;
  const placed = order.createdAt ? new Date(order.createdAt) : new Date();
  const kickOff = new Date(nextOpening(hours, placed.getTime()));
  const day = new Intl.DateTimeFormat('en-US', {
    timeZone: hours.timeZone,
    weekday: 'long',
    month: 'long',
    day: 'numeric',
  });
  const total = monthlyTotal(order);
  return (
    <section aria-labelledby="next-steps" className="mt-8 print:mt-4">
      <h2 id="next-steps" className="text-lg">
        What happens next
      </h2>
      <ol className="mt-3 grid gap-3 text-sm print:gap-1">
        <Step title="Today">
          {receipts
            ? `Your receipt is on its way${order.email && ` to ${order.email}`}. Use its link to view this order anytime.`
            : 'Please print or save this page: this site doesn’t email receipts.'}
        </Step>
        <Step title={`By ${day.format(kickOff)}`}>
          We’ll contact you within one business day to begin. Something urgent? Call{' '}
          <a href={`tel:${phone.tel}`} className="whitespace-nowrap text-primary underline">
            {phone.display}
          </a>
          .
        </Step>
        {!order.endsAt && (
          <Step title={longDay(monthsLater(placed, 1))}>
            {total === undefined ? 'Your next charge' : `Your next charge: ${formatDollars(total)}`}
            . The same amount is charged every month until you cancel.
          </Step>
        )}
      </ol>
    </section>
  );
}

function Step({ title, children }: { title: string; children: ReactNode }) {
  return (
    <li className="grid gap-x-6 sm:grid-cols-[14rem_1fr]">
      <strong className="font-medium text-ink">{title}</strong>
      <span>{children}</span>
    </li>
  );
}
