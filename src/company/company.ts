/** Who the provider is, as every page's data carries it, and what else every page knows. */
export const WEEKDAYS = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;

export interface Company {
  name: string;
  legalName: string;
  tagline: string;
  description: string;
  about: string;
  supportName: string;
  phone: { display: string; tel: string };
  email: string;
  address: { street: string; city: string; region: string; postalCode: string; country: string };
  hours: {
    days: readonly (typeof WEEKDAYS)[number][];
    /** Such as 08:30, on the clock of the time zone. */
    opens: string;
    closes: string;
    timeZone: string;
    /** Its short name, such as 'ET', which browsers are slow to find. */
    zone: string;
  };
  priceRange: string;
  social: readonly { name: string; url: string }[];
}

declare module '../platform/site.ts' {
  interface Site {
    company: Company;
  }
}

/** '240 Lantern Row, Suite 300, Marietta, GA 30060' */
export function addressLine({ street, city, region, postalCode }: Company['address']): string {
  return `${street}, ${city}, ${region} ${postalCode}`;
}
