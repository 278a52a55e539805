/** The business and its website in schema.org's words, which everything else that is told refers to. */
import type { Site } from '../platform/site.ts';
import { pictureUrl } from '../ui/picture-url.ts';

/** One schema.org thing with its context, ready for a script of type application/ld+json. */
export type StructuredThing = { '@context': 'https://schema.org'; '@type': string } & Record<
  string,
  unknown
>;

export function thing(type: string, properties: Record<string, unknown>): StructuredThing {
  return { '@context': 'https://schema.org', '@type': type, ...properties };
}

export function business(site: Site): StructuredThing {
  const { company, publicUrl } = site;
  const { street, city, region, postalCode, country } = company.address;
  const { days, opens, closes } = company.hours;
  return thing('ProfessionalService', {
    '@id': businessId(publicUrl),
    name: company.name,
    legalName: company.legalName,
    description: company.description,
    url: `${publicUrl}/`,
    logo: pictureUrl('/pictures/icon-512.png', site),
    image: pictureUrl('/pictures/social.jpg', site),
    telephone: company.phone.tel,
    email: company.email,
    priceRange: company.priceRange,
    address: {
      '@type': 'PostalAddress',
      streetAddress: street,
      addressLocality: city,
      addressRegion: region,
      postalCode,
      addressCountry: country,
    },
    openingHoursSpecification: {
      '@type': 'OpeningHoursSpecification',
      dayOfWeek: days.map((day) => `https://schema.org/${day}`),
      opens,
      closes,
    },
    sameAs: company.social.map(({ url }) => url),
  });
}

export function website({ company, publicUrl }: Site): StructuredThing {
  return thing('WebSite', {
    '@id': `${publicUrl}/#website`,
    name: company.name,
    url: `${publicUrl}/`,
    description: company.description,
    inLanguage: 'en-US',
    publisher: { '@id': businessId(publicUrl) },
  });
}

export function publisher(site: Site) {
  const { company, publicUrl } = site;
  return {
    '@type': 'Organization',
    '@id': businessId(publicUrl),
    name: company.name,
    url: `${publicUrl}/`,
    logo: pictureUrl('/pictures/icon-512.png', site),
  };
}

export function businessId(publicUrl: string): string {
  return `${publicUrl}/#business`;
}
