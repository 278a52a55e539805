/** What runs, what comes next, and the ways to change it. */
import { type ReactNode, useRef, useState } from 'react';
import { fetchCall } from '../platform/old/fetch-call.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { CANCEL_PLAN, KEEP_PLAN } from './account-contracts.ts';
import { CardSection, type CardSectionProps } from './card-section.tsx';
import { ChangeForm } from './change-form.tsx';
import { EndDialog } from './end-dialog.tsx';
import { PlanFacts } from './plan-facts.tsx';
import { type Running, readAccount } from './read-account.ts';

interface PlanSectionProps extends Omit<CardSectionProps, 'onClose'> {
  running: Running;
  /** Where one is being drawn elsewhere on the page. */
  cardElsewhere: boolean;
}

type Open = 'change' | 'card' | 'end' | null;

export function PlanSection(props: PlanSectionProps) {
  const { token, account, running, acting, CardForm, cardElsewhere } = props;
  const { order } = account;
  const [open, setOpen] = useState<Open>(null);
  const [told, setTold] = useState<{ kind: 'success' | 'error'; text: string } | null>(null);

  // What was pressed last may be gone, and the keyboard goes on from here.
  const heading = useRef<HTMLHeadingElement>(null);

  function close(done: string | null) {
    setOpen(null);
    heading.current?.focus();
    setTold(done === null ? null : { kind: 'success', text: done });
  }

  async function keep() {
    const why = await acting.act('keep', () =>
      fetchCall(KEEP_PLAN, readAccount, { body: { token } }),
    );
    if (why === null) close('You keep your plan. It renews as before.');
    else setTold({ kind: 'error', text: why });
  }

  async function end(): Promise<string | null> {
    const why = await acting.act('end', () =>
      fetchCall(CANCEL_PLAN, readAccount, { body: { token } }),
    );
    if (why === null) close('Your plan is canceled.');
    return why;
  }

  const ends = order.endsAt !== null;
  const changeable = order.ms365Option !== 'none' && order.status === 'paid' && !ends;
  const show = (what: Open) => {
    setTold(null);
    setOpen(what);
  };
  return (
    <section
      aria-label="Plan and billing"
      className="mt-6 rounded-card border border-line bg-surface p-6 sm:p-8"
    >
      <h2 ref={heading} tabIndex={-1} className="text-lg outline-none">
        Plan and billing
      </h2>
      <PlanFacts account={account} running={running} />
      {told && <Told kind={told.kind}>{told.text}</Told>}
      <div className="mt-6 print:hidden">
        {open === 'change' && <ChangeForm {...{ token, account, acting }} onClose={close} />}
        {open === 'card' && (
          <CardSection {...{ token, account, acting, CardForm }} onClose={close} />
        )}
        {account.mayChange && (open === null || open === 'end') && (
          <div className="flex flex-wrap gap-3">
            {changeable && (
              <Button variant="quiet" onClick={() => show('change')}>
                Change users or backup
              </Button>
            )}
            {!cardElsewhere && (
              <Button variant="quiet" onClick={() => show('card')}>
                Replace card
              </Button>
            )}
            {ends ? (
              <Button busy={acting.busy === 'keep'} onClick={keep}>
                Keep my plan
              </Button>
            ) : (
              <Button variant="quiet" onClick={() => show('end')}>
                Cancel plan…
              </Button>
            )}
          </div>
        )}
      </div>
      <EndDialog
        open={open === 'end'}
        overdue={order.status === 'past_due'}
        until={running.periodEnd}
        busy={acting.busy === 'end'}
        onEnd={end}
        onClose={() => setOpen(null)}
      />
    </section>
  );
}

function Told({ kind, children }: { kind: 'success' | 'error'; children: ReactNode }) {
  return (
    <div className="mt-5 print:hidden">
      <Notice kind={kind}>
        <p>{children}</p>
      </Notice>
    </div>
  );
}
