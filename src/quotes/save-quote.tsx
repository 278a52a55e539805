/** 'Save as a quote': saves the choice at its prices under a link that the visitor can pass on. */

import { useState } from 'react';
import { firstVisitHeader } from '../attribution/first-visit.ts';
import { type Choice, effectiveChoice } from '../catalogue/pricing.ts';
import { formatDay } from '../company/days.ts';
import { fetchCall, idempotencyKeys } from '../platform/fetch-call.ts';
import { useSite } from '../platform/site.ts';
import { ButtonLink } from '../ui/button.tsx';
import { CallForm } from '../ui/call-form.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { LinkToCopy } from '../ui/link-to-copy.tsx';
import { useNothingPressedBefore } from '../ui/presses.ts';
import { quoteRequest, SAVE_QUOTE, type SavedQuote } from './quote-api.ts';

/** In the checkout's URL, this fragment opens the dialog. */
export const SAVE_QUOTE_FRAGMENT = '#save-quote';

interface SaveQuoteDialogProps {
  open: boolean;
  plan: { id: number; name: string };
  choice: Choice;
  onClose: () => void;
}

export function SaveQuoteDialog({ open, plan, choice, onClose }: SaveQuoteDialogProps) {
  const { company } = useSite();
  /** `email`: where the link was sent. */
  const [saved, setSaved] = useState<(SavedQuote & { email: string }) | null>(null);
  const [keyOf, setKeyOf] = useState(idempotencyKeys);
  // Its link lies where the button was.
  useNothingPressedBefore(saved !== null);

  function close() {
    onClose();
    setSaved(null);
  }

  return (
    <Dialog
      open={open}
      onClose={close}
      title={saved ? 'Your quote is saved' : 'Save as a quote'}
      subtitle={
        saved
          ? saved.reference
          : `${plan.name}: today’s prices are held for 30 days. Nothing is charged.`
      }
    >
      <FailureBoundary>
        {saved ? (
          <div className="grid gap-4">
            <p className="text-sm">
              {saved.expiresAt && (
                <span>{`Valid through ${formatDay(company, Date.parse(saved.expiresAt))}. `}</span>
              )}
              <span>
                {saved.emailed
                  ? `We’ve also emailed the link to ${saved.email}.`
                  : 'Please keep this link. It’s the only way back to your quote.'}
              </span>
            </p>
            <LinkToCopy label="Link to the quote" url={saved.url} />
            <ButtonLink href={saved.url} size="large">
              View your quote
            </ButtonLink>
          </div>
        ) : (
          <CallForm
            inDialog
            label="Save as a quote"
            schema={quoteRequest}
            read={(field) => ({
              ...effectiveChoice(choice),
              planId: plan.id,
              name: field('name'),
              email: field('email'),
              company: field('company'),
              note: field('note'),
            })}
            save={async (body) => ({
              ...(await fetchCall(SAVE_QUOTE, {
                body,
                headers: { ...firstVisitHeader(), 'Idempotency-Key': keyOf(body) },
              })),
              email: body.email,
            })}
            onSaved={(quote) => {
              setSaved(quote);
              setKeyOf(idempotencyKeys);
            }}
            failed="We couldn’t save your quote. Please try again."
            button="Save quote"
          >
            {(line) => (
              <>
                {line('Name', 'name', {
                  autoComplete: 'name',
                  required: true,
                })}
                {line('Email', 'email', {
                  type: 'email',
                  autoComplete: 'email',
                  required: true,
                })}
                {line('Company', 'company', { optional: true, autoComplete: 'organization' })}
                {line('Note on the quote', 'note', {
                  optional: true,
                  rows: 3,
                })}
              </>
            )}
          </CallForm>
        )}
      </FailureBoundary>
    </Dialog>
  );
}
