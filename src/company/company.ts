/** The company's facts, from content/company.json. They are part of every page's data. */
import * as z from 'zod/mini';
import { line } from '../platform/schema.ts';
import { WEEKDAYS } from '../platform/time.ts';

/** A time of day in the company's time zone. */
const time = () =>
  z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'expected a time such as 08:30'));

const opensFirst = () =>
  z.refine<{ opens: string; closes: string }>(
    ({ opens, closes }) => opens < closes,
    'closes must be later than opens',
  );

/** A day on which the desk is closed, or open at other hours. */
const closure = () =>
  z.strictObject({
    date: z.iso.date(),
    name: line(),
    hours: z.optional(z.strictObject({ opens: time(), closes: time() }).check(opensFirst())),
  });

const closures = () =>
  z.array(closure()).check(({ value, issues }) => {
    const dates = value.map(({ date }) => date);
    for (const [index, date] of dates.entries())
      if (dates.indexOf(date) < index)
        issues.push({
          code: 'custom',
          input: date,
          path: [index, 'date'],
          message: `${date} is taken by an earlier entry`,
        });
  });

const secureUrl = () => z.url({ protocol: /^https$/ });

const code = () =>
  z.string().check(z.regex(/^[\w=+/-]+$/, 'expected only the value of content in the meta tag'));

const telephone = () =>
  z.string().check(z.regex(/^\+\d{8,15}$/, 'expected + and digits alone, such as +18005550199'));

const serviceName = () =>
  z
    .string()
    .check(
      z.regex(/^(?!none$)[a-z][a-z\d-]{0,39}$/, 'expected a name of small letters, such as voip'),
    );

/** A function, so that the bundler can drop it from the browser's scripts. */
export const companySchema = () =>
  z.strictObject({
    name: line(),
    legalName: line(),
    tagline: line(),
    description: line(),
    about: line(),
    supportName: line(),
    phone: z.strictObject({ display: line(), tel: telephone() }),
    email: z.email(),
    address: z.strictObject({
      street: line(),
      city: line(),
      region: line(),
      postalCode: line(),
      country: line(),
    }),
    hours: z.pipe(
      z
        .strictObject({
          days: z.array(z.enum(WEEKDAYS)).check(z.minLength(1)),
          opens: time(),
          closes: time(),
          timeZone: line().check(z.refine(isTimeZone, 'is no time zone, such as America/New_York')),
          closures: z._default(closures(), []),
        })
        .check(opensFirst()),
      // Browsers are slow to compute these words, so the server does it.
      z.transform((hours) => ({
        ...hours,
        zone: zoneName(hours.timeZone),
        openDays: dayRange(WEEKDAYS.filter((day) => hours.days.includes(day))),
        /** '' when the desk is open every day. */
        closedDays: dayRange(WEEKDAYS.filter((day) => !hours.days.includes(day))),
      })),
    ),
    priceRange: line(),
    /** What customers use elsewhere. Shown in the navbar and the footer. */
    links: z._default(
      z.strictObject({
        clientPortal: z.optional(secureUrl()),
        remoteSupport: z.optional(secureUrl()),
        booking: z.optional(secureUrl()),
      }),
      {},
    ),
    /** The codes by which search engines recognize the site's owner. */
    siteVerification: z._default(
      z.strictObject({ google: z.optional(code()), bing: z.optional(code()) }),
      {},
    ),
    /** What a message can be about: the key is stored, the label is shown. */
    contactServices: z.record(serviceName(), line()),
    footerServices: z.array(line()).check(z.minLength(1)),
    social: z.array(z.strictObject({ name: line(), url: secureUrl() })),
  });

export type Company = z.output<ReturnType<typeof companySchema>>;

declare module '../platform/site.ts' {
  interface PublicSite {
    company: Company;
  }
}

function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en-US', { timeZone: name }));
  } catch {
    return false;
  }
}

/** 'America/New_York' → 'ET', in summer and winter. */
function zoneName(timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'shortGeneric' });
  return parts.formatToParts(0).find((part) => part.type === 'timeZoneName')?.value ?? timeZone;
}

/** Three or more days in a row are a range; anything else is a list. */
function dayRange(days: readonly (typeof WEEKDAYS)[number][]): string {
  const [first] = days;
  const last = days.at(-1);
  if (!first || !last) return '';
  const consecutive = WEEKDAYS.indexOf(last) - WEEKDAYS.indexOf(first) === days.length - 1;
  if (consecutive && days.length > 2) return `${first} through ${last}`;
  return new Intl.ListFormat('en-US').format(days);
}

export function customerLinks({ links }: Company): { label: string; href: string }[] {
  const all = [
    { label: 'Client Portal', href: links.clientPortal },
    { label: 'Remote Support', href: links.remoteSupport },
    { label: 'Book a Call', href: links.booking },
  ];
  return all.flatMap(({ label, href }) => (href ? [{ label, href }] : []));
}

/** '240 Lantern Row, Suite 300, Marietta, GA 30060' */
export function addressLine(address: Company['address']): string {
  return `${address.street}, ${cityLine(address)}`;
}

/** 'Marietta, GA 30060' */
export function cityLine({ city, region, postalCode }: Company['address']): string {
  return `${city}, ${region} ${postalCode}`;
}
