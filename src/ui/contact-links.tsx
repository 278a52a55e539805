/** Links to a visitor's email and phone, 'Not provided' if missing, and the company's. */
import { useSite } from '../platform/site.ts';

export function MailLink({ email }: { email: string | null }) {
  if (!email) return <NotProvided />;
  return (
    <a href={mailAddress(email)} className="underline underline-offset-4">
      <bdi>{email}</bdi>
    </a>
  );
}

export function PhoneLink({ phone }: { phone: string | null }) {
  if (!phone) return <NotProvided />;
  return (
    <a href={callAddress(phone)} className="underline underline-offset-4">
      <bdi>{phone}</bdi>
    </a>
  );
}

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

export function NotProvided() {
  return <span className="text-muted">Not provided</span>;
}

/** Escaped, or a hostile address could add recipients, a subject or a body. */
export function mailAddress(email: string): string {
  return `mailto:${encodeURIComponent(email).replace('%40', '@')}`;
}

export function callAddress(phone: string): string {
  return `tel:${phone.replace(/[^\d+]/g, '')}`;
}
