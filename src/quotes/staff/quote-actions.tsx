/** A new link, a change, and taking a quote back. */
import { useState } from 'react';
import { fetchCall } from '../../platform/old/fetch-call.ts';
import { anything, fields, text } from '../../platform/old/read.ts';
import { reasonOf } from '../../platform/reason-of.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { LINK_QUOTE, WITHDRAW_QUOTE } from '../quote-contracts.ts';
import { LinkToCopy } from '../quote-saved.tsx';
import type { ToldQuoteRow } from '../read-quote.ts';
import { StaffQuoteDialog } from './staff-quote-dialog.tsx';
import { useQuoteAction } from './use-quotes.ts';

const FAILED = 'That didn’t work. Please try again.';
const readLink = fields<{ url: string }>({ url: text });

export function QuoteActions({ quote }: { quote: ToldQuoteRow }) {
  const [asking, setAsking] = useState<'change' | 'withdraw' | null>(null);
  const [url, setUrl] = useState<string | null>(null);
  const linking = useQuoteAction<{ url: string }>();
  const close = () => setAsking(null);
  const changeable = quote.state === 'open' || quote.state === 'expired';
  const params = { id: quote.id };
  return (
    <div className="mt-4 grid gap-4">
      <div className="flex flex-wrap gap-2">
        <Button
          variant="quiet"
          size="small"
          busy={linking.isPending}
          onClick={() =>
            linking.mutate(() => fetchCall(LINK_QUOTE, readLink, { params }), {
              onSuccess: (made) => setUrl(made.url),
            })
          }
        >
          Get a link
        </Button>
        {changeable && (
          <>
            <Button variant="quiet" size="small" onClick={() => setAsking('change')}>
              Change…
            </Button>
            <Button variant="quiet" size="small" onClick={() => setAsking('withdraw')}>
              Withdraw…
            </Button>
          </>
        )}
      </div>
      {linking.error && <Notice kind="error">{reasonOf(linking.error, FAILED)}</Notice>}
      {url && <LinkToCopy url={url} />}
      <StaffQuoteDialog open={asking === 'change'} quote={quote} onClose={close} />
      <WithdrawDialog quote={quote} open={asking === 'withdraw'} onClose={close} />
    </div>
  );
}

interface WithdrawDialogProps {
  quote: ToldQuoteRow;
  open: boolean;
  onClose: () => void;
}

function WithdrawDialog({ quote, open, onClose }: WithdrawDialogProps) {
  const action = useQuoteAction<unknown>();
  const close = () => {
    action.reset();
    onClose();
  };
  const withdraw = () => fetchCall(WITHDRAW_QUOTE, anything, { params: { id: quote.id } });
  return (
    <Dialog
      open={open}
      onClose={close}
      title="Withdraw the quote"
      subtitle={`${quote.reference}, ${quote.name}`}
    >
      <div className="grid gap-4">
        <p className="text-sm">
          It can’t be accepted anymore, and its link says that it was withdrawn. No email is sent.
        </p>
        {action.error && <Notice kind="error">{reasonOf(action.error, FAILED)}</Notice>}
        <div className="flex flex-wrap gap-3">
          <Button
            variant="danger"
            busy={action.isPending}
            onClick={() => action.mutate(withdraw, { onSuccess: close })}
          >
            Withdraw
          </Button>
          <Button variant="quiet" onClick={close}>
            Cancel
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
