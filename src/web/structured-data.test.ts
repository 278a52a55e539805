/**
 * The structured data of every page against strict schemas: a property that schema.org does not know for the
 * type, or that Google's rules for the type ask for and is missing, fails. Sources: schema.org/<Type>, and
 * developers.google.com/search/docs/appearance/structured-data (local-business, article, breadcrumb).
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { readHtml } from '../../tests/support/page-html.ts';
import { startTestApp, type TestApp } from '../../tests/support/test-app.ts';

const PUBLIC_URL = 'https://www.tidewell.example';

const text = z.string().check(z.minLength(1));
const address = z.url();
const own = address.check(
  z.refine((value) => value.startsWith(`${PUBLIC_URL}/`), 'must be the site’s own'),
);
const date = z.iso.date();
const context = z.literal('https://schema.org');
const weekday = z
  .string()
  .check(z.regex(/^https:\/\/schema\.org\/(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day$/));
const clock = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/));

const organization = z.strictObject({
  '@type': z.literal('Organization'),
  '@id': own,
  name: text,
  url: own,
  logo: own,
});

const schemas = {
  ProfessionalService: z.strictObject({
    '@context': context,
    '@type': z.literal('ProfessionalService'),
    '@id': own,
    name: text,
    legalName: text,
    description: text,
    url: own,
    logo: own,
    image: own,
    telephone: z.string().check(z.regex(/^\+\d{8,15}$/)),
    email: z.email(),
    priceRange: text.check(z.maxLength(99)),
    address: z.strictObject({
      '@type': z.literal('PostalAddress'),
      streetAddress: text,
      addressLocality: text,
      addressRegion: text,
      postalCode: text,
      addressCountry: z.string().check(z.length(2)),
    }),
    openingHoursSpecification: z.strictObject({
      '@type': z.literal('OpeningHoursSpecification'),
      dayOfWeek: z.array(weekday).check(z.minLength(1)),
      opens: clock,
      closes: clock,
    }),
    sameAs: z.array(address),
  }),
  WebSite: z.strictObject({
    '@context': context,
    '@type': z.literal('WebSite'),
    '@id': own,
    name: text,
    url: own,
    description: text,
    inLanguage: z.literal('en-US'),
    publisher: z.strictObject({ '@id': own }),
  }),
  Service: z.strictObject({
    '@context': context,
    '@type': z.literal('Service'),
    name: text,
    serviceType: text,
    description: text,
    provider: z.strictObject({ '@id': own }),
    offers: z.strictObject({
      '@type': z.literal('Offer'),
      url: own,
      availability: z.literal('https://schema.org/InStock'),
      priceSpecification: z.strictObject({
        '@type': z.literal('UnitPriceSpecification'),
        price: z.string().check(z.regex(/^\d+\.\d\d$/)),
        priceCurrency: z.literal('USD'),
        unitCode: z.literal('MON'),
      }),
    }),
  }),
  BlogPosting: z.strictObject({
    '@context': context,
    '@type': z.literal('BlogPosting'),
    headline: text.check(z.maxLength(110)),
    description: text,
    mainEntityOfPage: own,
    image: own,
    datePublished: date,
    dateModified: date,
    articleSection: text,
    inLanguage: z.literal('en-US'),
    author: organization,
    publisher: organization,
  }),
  BreadcrumbList: z.strictObject({
    '@context': context,
    '@type': z.literal('BreadcrumbList'),
    itemListElement: z
      .array(
        z.strictObject({
          '@type': z.literal('ListItem'),
          position: z.int(),
          name: text,
          item: own,
        }),
      )
      .check(z.minLength(2)),
  }),
};

describe('structured data', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({ PUBLIC_URL, PAYMENTS: 'test' });
  });
  afterAll(() => app.stop());

  async function structured(path: string) {
    return readHtml((await app.visitor().get(path)).text).structured;
  }

  test.each([
    ['/', ['ProfessionalService', 'WebSite', 'Service', 'Service', 'Service']],
    ['/news', ['BreadcrumbList']],
    ['/news/ftc-safeguards-rule', ['BlogPosting', 'BreadcrumbList']],
    ['/news/teams-phone-system', ['BlogPosting', 'BreadcrumbList']],
    ['/privacy-policy', ['BreadcrumbList']],
    ['/resources/', ['BreadcrumbList']],
    ['/nothing-here', []],
  ])('%s says %j, each by its schema', async (path, types) => {
    const things = await structured(path);
    expect(things.map((thing) => thing['@type'])).toEqual(types);
    for (const thing of things) {
      const schema = Object.entries(schemas).find(([type]) => type === thing['@type'])?.[1];
      expect(schema?.safeParse(thing)).toMatchObject({ success: true });
    }
  });

  test('the business is open Monday through Friday, 8:30 to 17:30', async () => {
    const [business] = await structured('/');
    expect(business.openingHoursSpecification).toEqual({
      '@type': 'OpeningHoursSpecification',
      dayOfWeek: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'].map(
        (day) => `https://schema.org/${day}`,
      ),
      opens: '08:30',
      closes: '17:30',
    });
  });

  test('offers name the prices that the plans cost, and where to buy them', async () => {
    const offers = (await structured('/'))
      .filter((thing) => thing['@type'] === 'Service')
      .map(({ name, offers }) => [name, offers.priceSpecification.price, offers.url]);
    expect(offers).toEqual([
      ['Tidewell Essential', '450.00', `${PUBLIC_URL}/checkout?plan=1`],
      ['Tidewell Professional', '850.00', `${PUBLIC_URL}/checkout?plan=2`],
      ['Tidewell Enterprise', '1950.00', `${PUBLIC_URL}/checkout?plan=3`],
    ]);
  });

  test('the way to an article leads over the news', async () => {
    const [, breadcrumbs] = await structured('/news/data-fencing');
    expect(
      breadcrumbs.itemListElement.map(({ position, item }: { position: number; item: string }) => [
        position,
        item,
      ]),
    ).toEqual([
      [1, `${PUBLIC_URL}/`],
      [2, `${PUBLIC_URL}/news`],
      [3, `${PUBLIC_URL}/news/data-fencing`],
    ]);
  });
});
