/** 'Save as a quote': what is chosen is kept with its prices, under a link that can be sent to a colleague. */
import FileText from 'lucide-react/icons/file-text';
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import type { Choice } from '../catalogue/pricing.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { QuoteForm } from './quote-form.tsx';
import { QuoteSaved, type Saved } from './quote-saved.tsx';

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
  const [dialog, setDialog] = useState<'unused' | 'open' | 'closed'>('unused');
  const [saved, setSaved] = useState<Saved | null>(null);

  // The planner's link leads here.
  useEffect(() => {
    if (window.location.hash !== SAVE_QUOTE_FRAGMENT) return;
    window.history.replaceState(window.history.state, '', window.location.href.split('#')[0]);
    setDialog('open');
  }, []);

  function close() {
    setDialog('closed');
    setSaved(null);
  }

  return (
    <>
      <Button
        id={SAVE_QUOTE_FRAGMENT.slice(1)}
        variant="quiet"
        size="small"
        onClick={() => (usersUnknown ? onUsersUnknown() : setDialog('open'))}
        className="noscript:hidden"
      >
        <FileText className="size-4" />
        Save as a quote
      </Button>
      {dialog !== 'unused' &&
        // The checkout is a form, and no form stands in another.
        createPortal(
          <Dialog
            open={dialog === 'open' && !usersUnknown}
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
                <QuoteSaved saved={saved} mailed={mailed} />
              ) : (
                <QuoteForm planId={plan.id} choice={choice} onSaved={setSaved} />
              )}
            </FailureBoundary>
          </Dialog>,
          document.body,
        )}
    </>
  );
}
