/** Who the provider is, as every page's data carries it, and what else every page knows. */
import * as z from 'zod/mini';
import { fallback, list } from '../platform/schema.ts';

export const WEEKDAYS = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;

const line = z.string().check(z.minLength(1));

export const company = z.object({
  name: line,
  legalName: line,
  tagline: line,
  description: line,
  about: line,
  supportName: line,
  phone: z.object({ display: line, tel: z.string() }),
  email: z.string(),
  address: z.object({
    street: line,
    city: line,
    region: line,
    postalCode: line,
    country: line,
  }),
  hours: z.object({
    days: list(z.enum(WEEKDAYS)),
    /** Such as 08:30, on the clock of the time zone. */
    opens: z.string(),
    closes: z.string(),
    timeZone: z.string(),
    /** Its short name, such as 'ET', which browsers are slow to find. */
    zone: z.string(),
  }),
  priceRange: line,
  social: list(z.object({ name: line, url: z.string() })),
});
export type Company = z.output<typeof company>;

declare module '../platform/site.ts' {
  interface Site {
    company: Company;
  }
}

/** The part of every document's data that all its pages share. Whatever is no address would throw where it is used. */
export const site = z.object({
  company,
  pictures: z.record(
    z.string(),
    fallback(
      z.optional(
        z.object({
          width: z.number(),
          height: z.number(),
          version: z.string(),
          widths: fallback(z.optional(z.nullable(z.array(z.number()))), null),
        }),
      ),
      undefined,
    ),
  ),
  publicUrl: z.string().check(z.refine(URL.canParse)),
});

/** '240 Lantern Row, Suite 300, Marietta, GA 30060' */
export function addressLine({ street, city, region, postalCode }: Company['address']): string {
  return `${street}, ${city}, ${region} ${postalCode}`;
}
