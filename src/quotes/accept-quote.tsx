/** Accepts a quote that is paid by invoice: no card is asked for. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dueToday, priceInWords } from '../catalogue/pricing.ts';
import { fetchCall, mayHaveChanged } from '../platform/fetch-call.ts';
import { toDollars } from '../platform/money.ts';
import { useSite } from '../platform/site.ts';
import { formatDate } from '../platform/time.ts';
import { CONTENT_PATHS } from '../routes.ts';
import { CallForm } from '../ui/call-form.tsx';
import { Notice } from '../ui/notice.tsx';
import { ACCEPT_QUOTE, acceptRequest, type QuoteView } from './quote-api.ts';
import { AddendumLink, isPayable, QUOTE_KEY } from './quote-view.tsx';

interface AcceptQuoteProps {
  quote: QuoteView;
  dueDays: number;
  token: string;
  tax: boolean;
}

export function AcceptQuote({ quote, dueDays, token, tax }: AcceptQuoteProps) {
  const { mail } = useSite();
  const { termsOfService: terms, addendum, reference, planName, price } = quote;
  const queryClient = useQueryClient();
  /** `page`: the order's; null when another browser had accepted. */
  const [accepted, setAccepted] = useState<{ reference: string; page: string | null } | null>(null);
  const showNow = () => queryClient.invalidateQueries({ queryKey: QUOTE_KEY });
  // Before its start day nothing may be billed.
  const isBilled = dueToday(price) > 0;
  if (accepted)
    return (
      <Notice kind="success">
        <p>
          {`Thank you. Your order is ${accepted.reference}.${mail && isBilled ? ' We’ll email you the invoice.' : ''}`}
        </p>
        {accepted.page && (
          <p className="mt-2">
            <a href={accepted.page} className="font-medium underline">
              {`View your order${isBilled ? ' and the invoice' : ''}`}
            </a>
          </p>
        )}
      </Notice>
    );
  if (!isPayable(quote) || !terms) return null;
  return (
    <section aria-labelledby="accept-quote" className="border-t border-line pt-5">
      <h2 id="accept-quote" className="text-lg">
        Accept this quote
      </h2>
      <p className="mt-2 text-sm">
        {`No card is needed. You’ll get an invoice every month, due in ${dueDays} days, and can pay it by ACH debit, ACH credit, or wire.`}
      </p>
      <p className="mt-2 text-sm">
        <span>{`By accepting, you agree on behalf of your company to quote ${reference} (${planName} plan, ${priceInWords(price)}) and to the `}</span>
        <a href={CONTENT_PATHS.termsOfService} className="underline">
          terms of service
        </a>{' '}
        <span>{`as last updated on ${formatDate(terms.updated)}${addendum ? ', and to the ' : '.'}`}</span>
        {addendum && (
          <>
            <AddendumLink /> <span>{`as last updated on ${formatDate(addendum.updated)}.`}</span>
          </>
        )}
      </p>
      <p className="mt-4 hidden text-sm noscript:block">
        Accepting needs JavaScript. Please turn it on for this site in your browser, or contact us.
      </p>
      <CallForm
        label="Accept this quote"
        schema={acceptRequest}
        read={(field) => ({
          token,
          name: field('name'),
          title: field('title'),
          poNumber: field('poNumber'),
          ...(tax && { postalCode: field('postalCode') }),
          terms: terms.hash,
          ...(addendum && { addendum: addendum.hash }),
          changedAt: quote.changedAt,
          dueToday: toDollars(dueToday(price)),
        })}
        save={(body) =>
          fetchCall(ACCEPT_QUOTE, { body }).catch(async (error) => {
            // Before the button works again: one that goes while it is busy hands on the focus.
            if (mayHaveChanged(error)) await showNow();
            throw error;
          })
        }
        onSaved={(saved) => {
          setAccepted(saved);
          showNow();
        }}
        failed="Our server didn’t answer. Please try again: nothing is accepted twice."
        button="Accept"
        className="mt-4 noscript:hidden *:[[type=submit]]:justify-self-stretch"
      >
        {(line) => (
          <>
            {line('Your name', 'name', { autoComplete: 'name', required: true })}
            {line('Your title', 'title', {
              autoComplete: 'organization-title',
              required: true,
              hint: 'For example, Chief Financial Officer',
            })}
            {line('Purchase order number', 'poNumber', {
              optional: true,
              hint: 'We’ll show it on every invoice and receipt.',
            })}
            {tax &&
              line('ZIP code', 'postalCode', {
                autoComplete: 'postal-code',
              })}
          </>
        )}
      </CallForm>
    </section>
  );
}
