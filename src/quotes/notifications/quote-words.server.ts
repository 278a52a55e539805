/** What the emails about a quote have in common. Nothing that somebody typed is in them: the address may be another's. */
import { addressLine } from '../../company/company.ts';
import { dayIn } from '../../company/company-time.ts';
import { openingHours } from '../../company/hours.ts';
import type { CustomerEmail, Writer } from '../../notifications/notification.server.ts';
import { cents, formatDollars } from '../../platform/money.ts';
import { quoteState } from '../quote.ts';
import { quoteReference } from '../quote-reference.ts';
import type { Quote } from '../quote-store.server.ts';

interface Words extends Pick<CustomerEmail, 'subject' | 'heading'> {
  first: string;
  /** Why this email came, and how it is the last. */
  reason: string;
}

/** Undefined once there is nothing left to accept. */
export async function quoteEmail(
  quote: Quote,
  writer: Writer,
  { first, reason, ...words }: Words,
): Promise<CustomerEmail | undefined> {
  if (quoteState(quote, Date.now()) !== 'open') return undefined;
  const { company, publicUrl } = writer;
  const { legalName, address, phone, hours } = company;
  return {
    to: quote.email,
    name: quote.madeBy === null ? '' : quote.name,
    ...words,
    parts: [
      first,
      {
        kind: 'facts',
        facts: [
          ['Quote', quoteReference(quote.id)],
          ['Plan', quote.planName],
          ['Monthly total', formatDollars(cents(quote.amountCents))],
          ['Valid through', lastDay(quote, writer)],
        ],
      },
      { kind: 'link', label: 'View your quote', url: await writer.quotePage(quote.id) },
      'The page shows every line, prints on one page, and lets you or a colleague accept by paying the first month. Anyone with the link can open it.',
      `Questions? Reply to this email or call ${phone.display}, ${openingHours(hours)}.`,
    ],
    footer: [reason, `${legalName}, ${addressLine(address)}`, publicUrl],
  };
}

/** The last whole day on the company's clock. */
export function lastDay({ expiresAt }: Quote, { company }: Writer): string {
  return dayIn(company, expiresAt);
}
