/** Links to a person's email and phone; 'Not provided' if missing. */
import { Link } from 'wouter';
import { mailAddress } from '../../platform/fields.ts';
import { personPath } from '../../routes.ts';

export function MailLink({ email }: { email: string | null }) {
  return email ? <ContactLink href={mailAddress(email)} text={email} /> : <NotProvided />;
}

/** The address, and the page of all that is stored about it. */
export function PersonLinks({ email }: { email: string }) {
  return (
    <>
      <MailLink email={email} />
      <Link href={personPath(email)} className="block underline underline-offset-4">
        Everything from this address
      </Link>
    </>
  );
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

export function callAddress(phone: string): string {
  return `tel:${phone.replace(/[^\d+]/g, '')}`;
}
