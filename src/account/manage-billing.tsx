import ExternalLink from 'lucide-react/icons/external-link';
import { useState } from 'react';
import { OPEN_BILLING } from '../orders/order-api.ts';
import { fetchCall, reasonOf } from '../platform/fetch-call.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';

/** Each press asks for a page of its own: the address that it leads to is good for a short time only. */
export function ManageBilling({ token }: { token: string }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function open() {
    setBusy(true);
    setProblem(null);
    try {
      const { url } = await fetchCall(OPEN_BILLING, { body: { token } });
      window.location.assign(url);
    } catch (error) {
      setBusy(false);
      setProblem(reasonOf(error, 'The billing page could not be opened. Please try again.'));
    }
  }

  return (
    <div className="mt-6">
      <Button size="large" busy={busy} onClick={open}>
        Manage billing
        <ExternalLink className="size-4" />
      </Button>
      <p className="mt-3 text-sm text-muted">
        Manage billing on Stripe: see invoices, change your card, or cancel.
      </p>
      {problem && (
        <div className="mt-4">
          <Notice kind="error">{problem}</Notice>
        </div>
      )}
    </div>
  );
}
