/** A quote is made or changed by hand. */
import { Dialog } from '../../ui/dialog.tsx';
import type { ToldQuoteRow } from '../read-quote.ts';
import { StaffQuoteForm } from './staff-quote-form.tsx';

interface StaffQuoteDialogProps {
  open: boolean;
  /** What is changed; null for a new one. */
  quote: ToldQuoteRow | null;
  onClose: () => void;
  onMade?: (quote: ToldQuoteRow) => void;
}

export function StaffQuoteDialog({ open, quote, onClose, onMade }: StaffQuoteDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={quote ? `Change quote ${quote.reference}` : 'New quote'}
      subtitle={
        quote
          ? 'The quote uses today’s prices. Links you’ve already sent show the change.'
          : 'At today’s prices. The customer accepts it by paying.'
      }
      wide
    >
      <StaffQuoteForm
        quote={quote}
        onMade={(made) => {
          onClose();
          onMade?.(made);
        }}
      />
    </Dialog>
  );
}
