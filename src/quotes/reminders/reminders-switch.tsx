import { useState } from 'react';
import { fetchCall } from '../../platform/old/fetch-call.ts';
import { reasonOf } from '../../platform/reason-of.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SET_REMINDERS } from '../quote-contracts.ts';
import { readQuote, type ToldQuote } from '../read-quote.ts';

interface RemindersProps {
  quote: ToldQuote;
  token: () => string;
  onChanged: (quote: ToldQuote) => void;
}

/** Anybody with the link can say whether emails come before the quote ends. */
export function Reminders({ quote, token, onChanged }: RemindersProps) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const { reminders } = quote;

  async function turn() {
    setBusy(true);
    setProblem(null);
    try {
      const body = { token: token(), wanted: !reminders };
      onChanged(await fetchCall(SET_REMINDERS, readQuote, { body }));
    } catch (error) {
      setProblem(reasonOf(error, 'That didn’t work. Please try again.'));
    }
    setBusy(false);
  }

  return (
    <div className="mt-6 text-sm print:hidden">
      <p role="status">
        {reminders
          ? 'We email a reminder 7 days and 1 day before the quote ends.'
          : 'No reminders of this quote are sent.'}
      </p>
      <Button variant="quiet" size="small" busy={busy} onClick={turn} className="mt-2">
        {reminders ? 'Stop reminders' : 'Send reminders'}
      </Button>
      {problem && (
        <div className="mt-3">
          <Notice kind="error">{problem}</Notice>
        </div>
      )}
    </div>
  );
}
