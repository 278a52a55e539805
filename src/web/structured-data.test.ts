/** What search engines are told of the company, its prices and its articles, in schema.org's words. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readHtml } from '../../tests/support/page-html.ts';
import { startTestApp, type TestApp } from '../../tests/support/test-app.ts';

const PUBLIC_URL = 'https://www.tidewell.example';

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
    ['/nothing-here', []],
  ])('%s says %j', async (path, types) => {
    const things = await structured(path);
    expect(things.map((thing) => thing['@type'])).toEqual(types);
    for (const thing of things) expect(thing['@context']).toBe('https://schema.org');
  });

  test('the business is found where it is, by name and telephone, Monday through Friday, 8:30 to 17:30', async () => {
    const [business] = await structured('/');
    expect(business).toMatchObject({
      name: 'Tidewell',
      url: `${PUBLIC_URL}/`,
      telephone: expect.stringMatching(/^\+\d{8,15}$/),
      priceRange: expect.any(String),
      address: { addressRegion: 'GA', addressCountry: 'US' },
      sameAs: expect.arrayContaining([expect.stringMatching(/^https:/)]),
    });
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

  test('an article has its headline, day and publisher, and the way to it leads over the news', async () => {
    const [article, breadcrumbs] = await structured('/news/data-fencing');
    expect(article).toMatchObject({
      headline: expect.stringMatching(/^.{1,110}$/),
      datePublished: '2025-05-01',
      mainEntityOfPage: `${PUBLIC_URL}/news/data-fencing`,
      image: expect.stringContaining(`${PUBLIC_URL}/pictures/news-data-fencing.jpg`),
      publisher: { '@type': 'Organization', name: 'Tidewell' },
    });
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
