import Check from 'lucide-react/icons/check';
import { hasOwnStart, monthInWords } from '../catalogue/pricing.ts';
import { formatDay } from '../company/days.ts';
import { longDay, nextOpening } from '../company/hours.ts';
import { Letterhead } from '../company/logo.tsx';
import type { OrderView } from '../orders/order-api.ts';
import { OrderCard, shownPrice } from '../orders/order-card.tsx';
import { formatDollars } from '../platform/money.ts';
import { useSite } from '../platform/site.ts';
import { formatDate, monthsLater } from '../platform/time.ts';
import { CHECKOUT_PAGES, SITE_PAGES } from '../routes.ts';
import { ButtonLink, PrintButton } from '../ui/button.tsx';
import { CompanyPhone } from '../ui/contact-links.tsx';
import { LinkToCopy } from '../ui/link-to-copy.tsx';
import { TextLink } from '../ui/rich-text.tsx';
import { DocumentTitle, LargeAmount, Sheet, WithSide } from '../ui/sheet.tsx';
import { NextStep } from './next-step.tsx';

export function OrderPlaced({ order, test }: { order: OrderView; test: boolean }) {
  const { mail } = useSite();
  const isSettled = order.status === 'paid' || order.startsOn !== null;
  const [heading, lead] = headingAndLead(order, mail);
  const link = order.page && <OrderLink page={order.page} />;
  const next = isSettled && <NextSteps order={order} />;
  return (
    <div data-placed>
      <Letterhead />
      {/* On a phone the toast is above it. */}
      <div className="mt-6 flex items-center gap-4 max-lg:mt-10 print:mt-0">
        <span className="grid size-11 shrink-0 place-items-center rounded-full bg-primary text-white transition-transform duration-200 motion-safe:starting:scale-50 print:hidden">
          <Check className="size-6" strokeWidth={2.5} />
        </span>
        <DocumentTitle>{heading}</DocumentTitle>
      </div>
      <p className="mt-4 max-w-3xl text-lg text-pretty print:mt-2 print:text-sm">
        <span>{lead}</span>
        {test && <span> This was a test: no money moved.</span>}
      </p>
      <WithSide
        label="Payment"
        // Where nothing is emailed, the link is the only way back.
        first={mail ? next : link}
        side={
          <>
            <Paid order={order} />
            <div className="grid gap-3">
              {order.page && (
                <ButtonLink href={order.page} variant={mail ? 'primary' : 'quiet'}>
                  Manage your plan
                </ButtonLink>
              )}
              <PrintButton />
            </div>
          </>
        }
      >
        <div className="grid gap-6 *:mt-0">
          {!mail && next}
          <OrderCard order={order} hideNext={isSettled} />
          {mail && link}
          <div className="flex flex-wrap items-center justify-between gap-x-6 text-sm print:hidden">
            <p>
              Need a second subscription?{' '}
              <TextLink href={CHECKOUT_PAGES.checkout.path}>Choose another plan</TextLink>
            </p>
            <ButtonLink href={SITE_PAGES.home.path} variant="link" size="text">
              Back to Home
            </ButtonLink>
          </div>
        </div>
      </WithSide>
    </div>
  );
}

function Paid({ order }: { order: OrderView }) {
  const price = shownPrice(order);
  if (!price) return null;
  const paidMonth = order.status === 'paid' && !hasOwnStart(price);
  return (
    <div>
      <p className="text-muted">{paidMonth ? 'Paid for your first month' : monthInWords(price)}</p>
      <LargeAmount amount={price.total} />
    </div>
  );
}

function OrderLink({ page }: { page: string }) {
  const { mail } = useSite();
  const url = new URL(page, window.location.href).href;
  return (
    <>
      <p className="hidden text-xs break-all print:block">{`Your order: ${url}`}</p>
      <Sheet aria-labelledby="order-link" className="print:hidden">
        <h2 id="order-link" className="text-lg">
          Keep the link to your order
        </h2>
        <p className="mt-2 mb-4 text-sm">
          {`It opens your plan, payments, and receipts. From this browser, you can also change or cancel your plan there. ${
            mail ? 'It’s in your receipt, too.' : 'We don’t email it, so please save it.'
          }`}
        </p>
        <LinkToCopy label="Link to your order" url={url} autoFocus={false} isPrimary={!mail} />
      </Sheet>
    </>
  );
}

/** The order may have changed since it was paid, for example been refunded. */
function headingAndLead(order: OrderView, mail: boolean): [heading: string, lead: string] {
  const price = shownPrice(order);
  const starts = order.startsOn ? ` Your plan starts on ${formatDate(order.startsOn)}.` : '';
  switch (order.status) {
    case 'paid': {
      if (price && hasOwnStart(price))
        return ['You’re all set', `Thank you. What was due today is paid.${starts}`];
      return ['You’re all set', `Your ${order.planName} plan has started.`];
    }
    case 'processing':
      if (starts) return ['You’re all set', `Thank you. Nothing was charged today.${starts}`];
      return [
        'Your order is in',
        `Your bank is still processing the payment. You don’t need to pay again.${mail ? ' We’ll email you when it goes through.' : ''}`,
      ];
    default:
      return ['Your order is in', 'Thank you. Here’s where your order stands.'];
  }
}

function NextSteps({ order }: { order: OrderView }) {
  const { company, mail } = useSite();
  const placed = order.createdAt ? new Date(order.createdAt) : new Date();
  const kickOff = longDay(nextOpening(company.hours, placed.getTime()).date);
  const total = shownPrice(order)?.total;
  return (
    <Sheet aria-labelledby="next-steps">
      <h2 id="next-steps" className="text-lg">
        What happens next
      </h2>
      <ol className="mt-4">
        <NextStep title="Today">
          {mail
            ? `${order.status === 'paid' ? 'Your receipt' : 'Our confirmation'} is on its way${order.email && ` to ${order.email}`}. Use its link to view this order anytime.`
            : order.page && order.status === 'paid'
              ? 'Your receipt is on your order’s page. This site doesn’t email receipts.'
              : 'Please print or save this page. This site doesn’t email receipts.'}
        </NextStep>
        <NextStep title={`By ${kickOff}`}>
          We’ll contact you within one business day to begin. Something urgent? Call{' '}
          <CompanyPhone className="text-primary" />.
        </NextStep>
        {!order.endsAt && (
          <NextStep
            title={
              order.startsOn
                ? formatDate(order.startsOn)
                : formatDay(company, monthsLater(placed, 1).getTime())
            }
          >
            {`Your ${order.startsOn ? 'first month' : 'next charge'}${total === undefined ? '' : `: ${formatDollars(total)}`}. The same amount is charged every month until you cancel.`}
          </NextStep>
        )}
      </ol>
    </Sheet>
  );
}
