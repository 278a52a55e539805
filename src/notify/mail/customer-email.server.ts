/**
 * What customers get. The address may have been typed by somebody else, so nothing that a visitor wrote is
 * repeated to it: no message, and the name only when it can be nothing but a name.
 */
import type { Company } from '../../company/company.ts';
import type { Email } from './email.server.ts';

/** The email without its greeting and the address for answers, which are the same in all of them. */
export interface CustomerEmail extends Omit<Email, 'replyTo'> {
  to: string;
  /** As it was given. */
  name: string;
}

export function customerEmail({ to: _, name, ...email }: CustomerEmail, company: Company): Email {
  return {
    ...email,
    parts: [greeting(name), ...email.parts],
    replyTo: { name: company.name, address: company.email },
  };
}

const MOST_WORDS = 4;
const LETTERS_OF_A_NAME = /^[\p{L}\p{M}.'’ -]{2,50}$/u;
/** What a mail program would make a link of. */
const LIKE_A_DOMAIN = /\.\p{L}{2}/u;

function greeting(name: string): string {
  const isName =
    LETTERS_OF_A_NAME.test(name) &&
    !LIKE_A_DOMAIN.test(name) &&
    name.split(' ').length <= MOST_WORDS;
  return isName ? `Hello ${name},` : 'Hello,';
}
