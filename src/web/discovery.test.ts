/** Files for crawlers and feed readers, the web manifest, and schema.org data. */
import { describe, expect, test } from 'vitest';
import { readHtml } from '../../tests/support/page-html.ts';
import { sharedTestApp } from '../../tests/support/test-app.ts';

const PUBLIC_URL = 'https://www.tidewell.example';

describe('files and data for programs', () => {
  const app = sharedTestApp({ PUBLIC_URL, PAYMENTS: 'test' });

  test('the feed has the nine articles, newest first', async () => {
    const { text } = await app.visitor().get('/news/rss.xml');
    const [, newest = ''] = text.split('<item>');
    expect(text.match(/<item>/g)).toHaveLength(9);
    expect(newest).toContain(`<link>${PUBLIC_URL}/news/data-fencing</link>`);
    expect(newest).toContain('<pubDate>Thu, 01 May 2025 00:00:00 GMT</pubDate>');
  });

  test('robots.txt keeps crawlers out of the staff area and the API, and names the sitemap', async () => {
    const { text } = await app.visitor().get('/robots.txt');
    expect(text.split('\n')).toEqual([
      'User-agent: *',
      'Disallow: /admin',
      'Disallow: /api/',
      '',
      `Sitemap: ${PUBLIC_URL}/sitemap.xml`,
      '',
    ]);
  });

  test('security.txt has its required fields, and expires within a year', async () => {
    const { text } = await app.visitor().get('/.well-known/security.txt');
    const lines = text.trim().split('\n');
    expect(lines[0]).toBe('Contact: mailto:hello@tidewell.example');
    expect(lines).toContain(`Canonical: ${PUBLIC_URL}/.well-known/security.txt`);
    expect(lines).toContain('Preferred-Languages: en');
    const [expiry = '', ...others] = lines.filter((line) => line.startsWith('Expires: '));
    expect(others).toEqual([]);
    const expires = Date.parse(expiry.slice('Expires: '.length));
    expect(expires).toBeGreaterThan(Date.now());
    expect(expires).toBeLessThan(Date.now() + 365 * 24 * 60 * 60 * 1000);
  });

  test('the web manifest names icons that exist in the stated sizes', async () => {
    const { text } = await app.visitor().get('/site.webmanifest');
    const { name, start_url, icons } = JSON.parse(text);
    expect([name, start_url]).toEqual(['Tidewell', '/']);
    for (const { src, sizes } of icons) {
      const response = await fetch(app.address + src);
      const png = Buffer.from(await response.arrayBuffer());
      // A PNG begins with its signature, then width and height.
      expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`).toBe(sizes);
    }
    expect(icons.map(({ purpose }: { purpose: string }) => purpose)).toEqual([
      'any',
      'any',
      'maskable',
    ]);
  });

  async function structured(path: string) {
    return readHtml((await app.visitor().get(path)).text).structured;
  }

  test.each([
    ['/', ['ProfessionalService', 'WebSite', 'Service', 'Service', 'Service']],
    ['/news', ['BreadcrumbList']],
    ['/news/ftc-safeguards-rule', ['BlogPosting', 'BreadcrumbList']],
    ['/nothing-here', []],
  ])('%s has the schema.org types %j', async (path, types) => {
    const things = await structured(path);
    expect(things.map((thing) => thing['@type'])).toEqual(types);
    for (const thing of things) expect(thing['@context']).toBe('https://schema.org');
  });

  test('the business has its name, phone number, place and opening hours', async () => {
    const [business] = await structured('/');
    expect(business).toMatchObject({
      name: 'Tidewell',
      url: `${PUBLIC_URL}/`,
      telephone: expect.stringMatching(/^\+\d{8,15}$/),
      priceRange: expect.any(String),
      address: { addressRegion: 'GA', addressCountry: 'US' },
      sameAs: expect.arrayContaining([expect.stringMatching(/^https:/)]),
      openingHoursSpecification: {
        '@type': 'OpeningHoursSpecification',
        dayOfWeek: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'].map(
          (day) => `https://schema.org/${day}`,
        ),
        opens: '08:30',
        closes: '17:30',
      },
      specialOpeningHoursSpecification: expect.arrayContaining([
        {
          '@type': 'OpeningHoursSpecification',
          name: 'Thanksgiving Day',
          validFrom: '2026-11-26',
          validThrough: '2026-11-26',
          opens: '00:00',
          closes: '00:00',
        },
      ]),
    });
  });

  test('each plan is an offer with its price and a link to the checkout', async () => {
    const offers = (await structured('/'))
      .filter((thing) => thing['@type'] === 'Service')
      .map(({ name, offers }) => [name, offers.priceSpecification.price, offers.url]);
    expect(offers).toEqual([
      ['Tidewell Essential', '450.00', `${PUBLIC_URL}/checkout?plan=1`],
      ['Tidewell Professional', '850.00', `${PUBLIC_URL}/checkout?plan=2`],
      ['Tidewell Enterprise', '1950.00', `${PUBLIC_URL}/checkout?plan=3`],
    ]);
  });

  test('an article has its headline, dates and publisher, and breadcrumbs through the news', async () => {
    const [article, breadcrumbs] = await structured('/news/data-fencing');
    expect(article).toMatchObject({
      headline: expect.stringMatching(/^.{1,110}$/),
      datePublished: '2025-05-01',
      dateModified: '2026-11-26',
      mainEntityOfPage: `${PUBLIC_URL}/news/data-fencing`,
      image: expect.stringContaining(`${PUBLIC_URL}/pictures/news-data-fencing.jpg`),
      publisher: { '@type': 'Organization', name: 'Tidewell' },
    });
    const { text } = await app.visitor().get('/news/data-fencing');
    expect(text).toMatch(/<time dateTime="2026-11-26"[^>]*>Reviewed November 2026<\/time>/);
    expect(breadcrumbs.itemListElement).toMatchObject([
      { position: 1, item: `${PUBLIC_URL}/` },
      { position: 2, item: `${PUBLIC_URL}/news` },
      { position: 3, item: `${PUBLIC_URL}/news/data-fencing` },
    ]);
  });
});
