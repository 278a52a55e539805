/** 'Save as a quote': what is chosen is kept with its prices, under a link that can be sent to a colleague. */
import FileText from 'lucide-react/icons/file-text';
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { type Choice, effectiveChoice } from '../catalogue/pricing.ts';
import { fetchCall } from '../platform/fetch-call.ts';
import { MAX_EMAIL } from '../platform/fields.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { CallForm } from '../ui/call-form.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { longDay } from '../ui/facts.tsx';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { useHydrated } from '../ui/use-hydrated.ts';
import { LinkToCopy } from './link-to-copy.tsx';
import { MAX_NOTE, quoteRequest, SAVE_QUOTE, type SavedQuote } from './quote-api.ts';

/** At the end of the checkout's address it opens the form that saves the choice as a quote. */
const SAVE_QUOTE_FRAGMENT = '#save-quote';

interface SaveQuoteProps {
  plan: { id: number; name: string };
  choice: Choice;
  /** The number of users makes no sense yet. */
  usersUnknown: boolean;
  onUsersUnknown: () => void;
  /** Customers get emails. */
  mailed: boolean;
}

export function SaveQuote(props: SaveQuoteProps) {
  const { plan, choice, usersUnknown, onUsersUnknown, mailed } = props;
  const [open, setOpen] = useState(false);
  /** With the address that the link was sent to. */
  const [saved, setSaved] = useState<(SavedQuote & { email: string }) | null>(null);
  const hydrated = useHydrated();

  // The planner's link leads here.
  useEffect(() => {
    if (window.location.hash !== SAVE_QUOTE_FRAGMENT) return;
    window.history.replaceState(window.history.state, '', window.location.href.split('#')[0]);
    setOpen(true);
  }, []);

  function close() {
    setOpen(false);
    setSaved(null);
  }

  return (
    <>
      <Button
        id={SAVE_QUOTE_FRAGMENT.slice(1)}
        variant="quiet"
        size="small"
        onClick={() => (usersUnknown ? onUsersUnknown() : setOpen(true))}
        className="noscript:hidden"
      >
        <FileText className="size-4" />
        Save as a quote
      </Button>
      {hydrated &&
        // The checkout is a form, and no form stands in another.
        createPortal(
          <Dialog
            open={open && !usersUnknown}
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
                    {saved.expiresAt && `Valid through ${longDay(saved.expiresAt)}. `}
                    {mailed
                      ? `We’ve also emailed the link to ${saved.email}.`
                      : 'Please keep this link: it is the only way back to your quote.'}
                  </p>
                  <LinkToCopy url={saved.url} />
                  <ButtonLink href={saved.url} size="large" data-first-focus>
                    View your quote
                  </ButtonLink>
                </div>
              ) : (
                <CallForm
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
                    ...(await fetchCall(SAVE_QUOTE, { body })),
                    email: body.email.trim(),
                  })}
                  onSaved={setSaved}
                  failed="Your quote could not be saved. Please try again."
                  button="Save quote"
                >
                  {(line) => (
                    <>
                      {line('Name', 'name', {
                        autoComplete: 'name',
                        required: true,
                        ...{ 'data-first-focus': true },
                      })}
                      {line('Email', 'email', {
                        type: 'email',
                        autoComplete: 'email',
                        required: true,
                        maxLength: MAX_EMAIL,
                      })}
                      {line('Company', 'company', { optional: true, autoComplete: 'organization' })}
                      {line('Note on the quote', 'note', {
                        ...{ optional: true, rows: 3, maxLength: MAX_NOTE },
                      })}
                    </>
                  )}
                </CallForm>
              )}
            </FailureBoundary>
          </Dialog>,
          document.body,
        )}
    </>
  );
}
