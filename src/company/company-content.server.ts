/** content/company.json, and what editors may leave to it: {{phone}} and its like are written once. */
import * as z from 'zod/mini';
import type { Inline } from '../platform/rich-text.ts';
import { line } from '../platform/schema.ts';
import { addressLine, type Company, WEEKDAYS } from './company.ts';
import { openingHours } from './hours.ts';

const time = () => z.string().check(z.regex(/^\d\d:\d\d$/, 'expected a time such as 08:30'));

export const companySchema = z.strictObject({
  name: line(),
  legalName: line(),
  tagline: line(),
  description: line(),
  about: line(),
  supportName: line(),
  phone: z.strictObject({ display: line(), tel: z.string().check(z.regex(/^\+\d{8,15}$/)) }),
  email: z.email(),
  address: z.strictObject({
    street: line(),
    city: line(),
    region: line(),
    postalCode: line(),
    country: line(),
  }),
  hours: z.pipe(
    z.strictObject({
      days: z.array(z.enum(WEEKDAYS)).check(z.minLength(1)),
      opens: time(),
      closes: time(),
      timeZone: line().check(z.refine(isTimeZone, 'is no time zone, such as America/New_York')),
    }),
    // Its short name goes along, since browsers are slow to find it.
    z.transform((hours) => ({ ...hours, zone: zoneName(hours.timeZone) })),
  ),
  priceRange: line(),
  social: z.array(z.strictObject({ name: line(), url: z.url() })),
});

/** 'America/New_York' → 'ET', whatever the season. */
export function zoneName(timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'shortGeneric' });
  return parts.formatToParts(0).find((part) => part.type === 'timeZoneName')?.value ?? timeZone;
}

function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en-US', { timeZone: name }));
  } catch {
    return false;
  }
}

const PLACEHOLDERS = 'name legalName email phone address city hours messagesKept'.split(' ');

/** What {{…}} stands for in articles, legal pages and answers; a company that could not be read is a fault of its own. */
export function placeholdersOf(
  company: Company | undefined,
  keepMessagesDays: number,
): Map<string, Inline> {
  if (!company) return new Map(PLACEHOLDERS.map((each) => [each, '']));
  const { name, legalName, email, phone, address, hours } = company;
  const messagesKept =
    keepMessagesDays === 0
      ? 'until you ask us to delete them'
      : `until ${keepMessagesDays} days have passed since the last one, or until you ask us to delete them`;
  return new Map<string, Inline>([
    ['name', name],
    ['legalName', legalName],
    ['email', { kind: 'link', href: `mailto:${email}`, content: [email] }],
    ['phone', { kind: 'link', href: `tel:${phone.tel}`, content: [phone.display] }],
    ['address', addressLine(address)],
    ['city', address.city],
    ['hours', openingHours(hours)],
    ['messagesKept', messagesKept],
  ]);
}
