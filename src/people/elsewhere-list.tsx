import type { Elsewhere } from './person-shapes.ts';

/** What staff do by hand, where this site cannot reach. */
export function ElsewhereList({ elsewhere }: { elsewhere: Elsewhere }) {
  const { teams, mail, stripeCustomers } = elsewhere;
  return (
    <ul className="grid list-disc gap-2 pl-5 text-sm">
      {stripeCustomers.map((id) => (
        <li key={id}>
          Stripe keeps the customer <code className="wrap-anywhere text-ink">{id}</code>. Look it up
          in Stripe's dashboard to hand out or delete what is stored there.
        </li>
      ))}
      {teams && (
        <li>Cards in Microsoft Teams. Search the channel for the numbers, such as C-12.</li>
      )}
      {mail && <li>E-mail in the mailboxes of staff. Search for the address and the numbers.</li>}
      <li>Backups, until they are replaced.</li>
    </ul>
  );
}
