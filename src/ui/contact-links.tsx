/** The ways to reach the company: email, phone, and the chat. */
import { useSite } from '../platform/site.ts';

export function CompanyPhone({ className }: { className: string }) {
  const { phone } = useSite().company;
  return (
    <a href={`tel:${phone.tel}`} className={`whitespace-nowrap underline ${className}`}>
      {phone.display}
    </a>
  );
}

/** The chat's popover. */
export const CHAT_PANEL = 'chat-panel';

/** '<email> or call <phone>. Chat with us' */
export function CompanyContacts() {
  const { email } = useSite().company;
  return (
    <span>
      <a href={`mailto:${email}`} className="underline">
        {email}
      </a>{' '}
      or call <CompanyPhone className="tabular-nums" />. <ChatButton />
    </span>
  );
}

export function ChatButton() {
  return (
    <button
      type="button"
      popoverTarget={CHAT_PANEL}
      className="whitespace-nowrap text-primary underline underline-offset-4 noscript:hidden print:hidden"
    >
      Chat with us
    </button>
  );
}
