/** What an editor may leave to the company's own words, so that they are written once. */
import type { Inline } from '../platform/rich-text.ts';
import { addressLine, type Company } from './company.ts';
import { openingHours } from './hours.ts';

const PLACEHOLDERS = [
  'name',
  'legalName',
  'email',
  'phone',
  'address',
  'city',
  'hours',
  'messagesKept',
] as const;

/** What {{…}} stands for in articles, legal pages and answers; a company that could not be read is a fault of its own. */
export function placeholdersOf(
  company: Company | undefined,
  keepMessagesDays: number,
): Map<string, Inline> {
  if (!company) return new Map(PLACEHOLDERS.map((name) => [name, '']));
  const { name, legalName, email, phone, address, hours } = company;
  const value: Record<(typeof PLACEHOLDERS)[number], Inline> = {
    name,
    legalName,
    email: { kind: 'link', href: `mailto:${email}`, content: [email] },
    phone: { kind: 'link', href: `tel:${phone.tel}`, content: [phone.display] },
    address: addressLine(address),
    city: address.city,
    hours: openingHours(hours),
    messagesKept:
      keepMessagesDays === 0
        ? 'until you ask us to delete them'
        : `until ${keepMessagesDays} days have passed since the last one, or until you ask us to delete them`,
  };
  return new Map(PLACEHOLDERS.map((name) => [name, value[name]]));
}
