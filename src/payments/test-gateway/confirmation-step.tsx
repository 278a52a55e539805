import { Button } from '../../ui/button.tsx';

export interface Asking {
  decide: (approve: boolean) => void;
}

/** Stands for the bank's own question; the form waits for the answer. */
export function ConfirmationStep({ decide }: Asking) {
  return (
    <section
      aria-label="Confirm your payment"
      className="rounded-control border border-amber/30 bg-amber-soft p-4"
    >
      <p className="text-sm text-ink" role="status">
        Your bank needs your approval.
      </p>
      <div className="mt-3 flex flex-wrap gap-3">
        <Button autoFocus onClick={() => decide(true)}>
          Approve
        </Button>
        <Button variant="quiet" onClick={() => decide(false)}>
          Refuse
        </Button>
      </div>
    </section>
  );
}
