import { type ReactNode, useEffect, useRef } from 'react';
import { Panel } from '../ui/panel.tsx';
import type { Elsewhere, Erased } from './person-shapes.ts';

/** The focus comes here: what it was on is gone. */
export function ErasedPanel({ erased: { erased, kept, elsewhere } }: { erased: Erased }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <div ref={place} tabIndex={-1} className="rounded-card">
      <Panel heading="Erased">
        <div className="grid gap-4 text-sm">
          <Numbers of={erased}>Deleted:</Numbers>
          <Numbers of={kept}>Kept without personal details:</Numbers>
          <p className="font-medium text-ink">Still to do outside this site</p>
          <ElsewhereList elsewhere={elsewhere} />
        </div>
      </Panel>
    </div>
  );
}

function Numbers({ of, children }: { of: readonly string[]; children: ReactNode }) {
  if (of.length === 0) return null;
  return (
    <p className="wrap-anywhere tabular-nums">
      {children} {of.join(', ')}
    </p>
  );
}

/** What staff do by hand, where this site cannot reach. */
export function ElsewhereList({ elsewhere }: { elsewhere: Elsewhere }) {
  const { teams, mail, stripeCustomers } = elsewhere;
  return (
    <ul className="grid list-disc gap-2 pl-5 text-sm">
      {stripeCustomers.map((id) => (
        <li key={id}>
          Stripe has customer <code className="wrap-anywhere text-ink">{id}</code>. Look it up in
          the Stripe dashboard to export or delete what’s stored there.
        </li>
      ))}
      {teams && (
        <li>
          Cards in Microsoft Teams. Search the channel for the reference numbers, such as C-12.
        </li>
      )}
      {mail && <li>Email in staff mailboxes. Search for the address and the reference numbers.</li>}
      <li>Backups, until they are replaced.</li>
    </ul>
  );
}
