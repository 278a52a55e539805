/** Asks before a plan is canceled, and says until when it runs. */
import { useState } from 'react';
import { dayIn } from '../company/company-time.ts';
import { useSite } from '../platform/site.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';

interface EndDialogProps {
  open: boolean;
  /** A month that has not been paid cannot be used to its end. */
  overdue: boolean;
  until: string;
  busy: boolean;
  /** Gives why it could not be done. */
  onEnd: () => Promise<string | null>;
  onClose: () => void;
}

export function EndDialog({ open, overdue, until, busy, onEnd, onClose }: EndDialogProps) {
  const { company } = useSite();
  const [problem, setProblem] = useState<string | null>(null);
  const close = () => {
    setProblem(null);
    onClose();
  };
  return (
    <Dialog open={open} onClose={close} title="Cancel your plan?">
      <div className="grid gap-4 text-sm">
        {overdue ? (
          <p>
            Your last payment didn’t go through, so the service ends right away. Nothing more is
            charged.
          </p>
        ) : (
          <p>
            Your service runs until {dayIn(company, Date.parse(until))}, and your plan doesn’t renew
            after that. Until then you can change your mind.
          </p>
        )}
        {problem && <Notice kind="error">{problem}</Notice>}
        <div className="flex flex-wrap gap-3">
          <Button variant="danger" busy={busy} onClick={() => onEnd().then(setProblem)}>
            Cancel plan
          </Button>
          <Button variant="quiet" disabled={busy} onClick={close}>
            Don’t cancel
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
