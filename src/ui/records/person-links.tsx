/** Links to a person's email and phone; 'Not provided' if missing. */

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
