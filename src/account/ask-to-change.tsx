/** A receipt's link only shows the order: what changes it needs a link that is asked for by email, and works once. */
import { useState } from 'react';
import { hashOf } from '../orders/order-route.ts';
import { fetchCall } from '../platform/old/fetch-call.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { OPEN_ACCESS_LINK } from './account-contracts.ts';
import LostLink from './lost-link.tsx';
import { readAccount } from './read-account.ts';
import type { AccountPart } from './use-account.ts';

interface AskToChangeProps extends AccountPart {
  /** What the link in the address admits with. */
  access: string | null;
  mail: boolean;
}

export function AskToChange({ token, access, acting, mail }: AskToChangeProps) {
  const [problem, setProblem] = useState<string | null>(null);
  if (access === null || problem)
    return (
      <>
        {problem && (
          <div className="mt-8 print:hidden">
            <Notice kind="error">{problem}</Notice>
          </div>
        )}
        <LostLink
          mail={mail}
          heading="Change your plan"
          lead="This page only shows your order, so it’s safe to forward. To change your plan, enter the email address of your order, and we’ll email you a link that works once."
        />
      </>
    );

  async function open() {
    const body = { token, access: access ?? '' };
    setProblem(await acting.act('open', () => fetchCall(OPEN_ACCESS_LINK, readAccount, { body })));
    window.history.replaceState(null, '', hashOf({ token, receipt: null }));
  }
  return (
    <section
      aria-label="Change your plan"
      className="mt-8 rounded-card border border-line bg-paper p-6 sm:p-8 print:hidden"
    >
      <p className="text-sm">
        Your link lets you change this plan from this browser. It works once.
      </p>
      <Button busy={acting.busy === 'open'} onClick={open} className="mt-4">
        Continue to my plan
      </Button>
    </section>
  );
}
