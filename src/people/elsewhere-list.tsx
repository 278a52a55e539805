import type { Elsewhere } from './person-shapes.ts';

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
