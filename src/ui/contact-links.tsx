/** The ways to reach the company: email, phone, and the chat. */
import Mail from 'lucide-react/icons/mail';
import MessageCircle from 'lucide-react/icons/message-circle';
import Phone from 'lucide-react/icons/phone';
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

/** At the foot of a side. */
export function Questions({ className = '' }: { className?: string }) {
  const { email } = useSite().company;
  return (
    <div className={`border-t border-line pt-5 [&_a]:text-primary ${className}`}>
      <p className="text-muted">Questions?</p>
      <ul className="mt-1 grid *:flex *:min-h-8 *:items-center *:gap-2.5 [&_svg]:size-4 [&_svg]:text-primary">
        <li>
          <Mail />
          <a href={`mailto:${email}`} className="underline underline-offset-4">
            {email}
          </a>
        </li>
        <li>
          <Phone />
          <CompanyPhone className="underline-offset-4 tabular-nums" />
        </li>
        <li className="noscript:hidden print:hidden">
          <MessageCircle />
          <ChatButton />
        </li>
      </ul>
    </div>
  );
}

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
