/** Links to the company's email and phone. */
import { useSite } from '../platform/site.ts';

export function CompanyPhone({ className }: { className: string }) {
  const { phone } = useSite().company;
  return (
    <a href={`tel:${phone.tel}`} className={`whitespace-nowrap underline ${className}`}>
      {phone.display}
    </a>
  );
}

/** '<email> or call <phone>.' */
export function CompanyContacts() {
  const { email } = useSite().company;
  return (
    <span>
      <a href={`mailto:${email}`} className="underline">
        {email}
      </a>{' '}
      or call <CompanyPhone className="tabular-nums" />.
    </span>
  );
}
