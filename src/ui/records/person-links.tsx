/** Links to a person's email and phone; 'Not provided' if missing. */

export function MailLink({ email }: { email: string | null }) {
  return email ? <ContactLink href={mailAddress(email)} text={email} /> : <NotProvided />;
}

export function PhoneLink({ phone }: { phone: string | null }) {
  return phone ? <ContactLink href={callAddress(phone)} text={phone} /> : <NotProvided />;
}

function ContactLink({ href, text }: { href: string; text: string }) {
  return (
    <a href={href} className="underline underline-offset-4">
      <bdi>{text}</bdi>
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
