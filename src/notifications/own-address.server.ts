/** Recognises our own addresses where a visitor typed one: a desk must not answer itself. */
import type { Company } from '../company/company.ts';
import { mailboxOf } from '../platform/message-limits.server.ts';
import type { MailSettings } from './send-mail.server.ts';

/**
 * Those of MAIL_FROM, MAIL_TO, GRAPH_MAILBOX and company.json, in any case, with any tag
 * ('desk+x@').
 */
export function ownAddresses(mail: MailSettings | null, { email }: Pick<Company, 'email'>) {
  const user = mail && 'mailbox' in mail.transport ? mail.transport.mailbox : null;
  const used = [email, mail?.from.address, mail?.to.address, user];
  const own = used.flatMap((each) => (each ? [mailboxOf(each)] : []));
  return (address: string): boolean => own.includes(mailboxOf(address));
}
