import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { startTestApp, type TestApp } from '../../tests/support/test-app.ts';

const PUBLIC_URL = 'https://www.tidewell.example';

/** jsonfeed.org/version/1.1: the required members, and those that we use. */
const jsonFeedSchema = z.strictObject({
  version: z.literal('https://jsonfeed.org/version/1.1'),
  title: z.string(),
  home_page_url: z.literal(`${PUBLIC_URL}/news`),
  feed_url: z.literal(`${PUBLIC_URL}/news/feed.json`),
  description: z.string(),
  icon: z.url(),
  favicon: z.url(),
  authors: z.array(z.strictObject({ name: z.string(), url: z.url() })),
  language: z.string(),
  items: z.array(
    z.strictObject({
      id: z.string(),
      url: z.url(),
      title: z.string(),
      summary: z.string(),
      content_html: z.string().check(z.minLength(500)),
      date_published: z.iso.datetime(),
      tags: z.array(z.string()),
      image: z.optional(z.url()),
    }),
  ),
});

describe('files for programs', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({ PUBLIC_URL, PAYMENTS: 'test' });
  });
  afterAll(() => app.stop());

  test.each([
    ['/sitemap.xml', 'application/xml; charset=utf-8'],
    ['/news/rss.xml', 'application/rss+xml; charset=utf-8'],
    ['/news/feed.json', 'application/feed+json; charset=utf-8'],
    ['/robots.txt', 'text/plain; charset=utf-8'],
    ['/site.webmanifest', 'application/manifest+json; charset=utf-8'],
    ['/.well-known/security.txt', 'text/plain; charset=utf-8'],
    ['/llms.txt', 'text/plain; charset=utf-8'],
    ['/favicon.ico', 'image/x-icon'],
  ])('%s is %s, may be kept for a while and runs nothing', async (path, type) => {
    const { status, headers } = await app.visitor().get(path);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe(type);
    expect(headers.get('cache-control')).toMatch(/^public, max-age=\d+$/);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; frame-ancestors 'none'",
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('who has a file already gets no second copy', async () => {
    const { headers } = await app.visitor().get('/news/rss.xml');
    const again = await app
      .visitor()
      .get('/news/rss.xml', { 'If-None-Match': headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
    expect(again.text).toBe('');
  });

  test('the JSON feed holds the nine articles whole, in its own format', async () => {
    const { text } = await app.visitor().get('/news/feed.json');
    const feed = jsonFeedSchema.parse(JSON.parse(text));
    expect(feed.items).toHaveLength(9);
    const [newest] = feed.items;
    expect(newest).toMatchObject({
      id: `${PUBLIC_URL}/news/data-fencing`,
      date_published: '2025-05-01T00:00:00Z',
      tags: ['Security'],
    });
    const rule = feed.items.find(({ url }) => url.endsWith('/ftc-safeguards-rule'));
    expect(rule?.content_html).toContain('<h2>The nine elements</h2>');
    expect(rule?.content_html).toContain('<li><p><strong>A Qualified Individual.</strong>');
  });

  test('robots keep out of the staff area and the API, and find the sitemap', async () => {
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

  test('security.txt names its fields, and expires in the future but within a year', async () => {
    const { text } = await app.visitor().get('/.well-known/security.txt');
    const fields = text
      .trim()
      .split('\n')
      .map((line) => line.split(/: (.*)/));
    const fieldOf = (name: string) => fields.find(([field]) => field === name)?.[1];
    expect(fieldOf('Contact')).toBe('mailto:hello@tidewell.example');
    expect(fieldOf('Canonical')).toBe(`${PUBLIC_URL}/.well-known/security.txt`);
    expect(fieldOf('Preferred-Languages')).toBe('en');
    expect(fields.filter(([field]) => field === 'Expires')).toHaveLength(1);
    const expires = new Date(fieldOf('Expires') ?? '').getTime();
    expect(expires).toBeGreaterThan(Date.now());
    expect(expires).toBeLessThan(Date.now() + 365 * 24 * 60 * 60 * 1000);
  });

  test('the manifest names icons that are there, in the sizes that it says', async () => {
    const { text } = await app.visitor().get('/site.webmanifest');
    const { name, start_url, icons } = JSON.parse(text);
    expect([name, start_url]).toEqual(['Tidewell', '/']);
    for (const { src, sizes } of icons) {
      const response = await fetch(app.address + src);
      const png = Buffer.from(await response.arrayBuffer());
      // A PNG begins with its signature, then width and height.
      expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`).toBe(sizes);
    }
    expect(
      icons.map(({ src, purpose }: Record<string, string>) => [src?.split('?')[0], purpose]),
    ).toEqual([
      ['/pictures/icon-192.png', 'any'],
      ['/pictures/icon-512.png', 'any'],
      ['/pictures/icon-maskable-512.png', 'maskable'],
    ]);
  });

  test('llms.txt tells a language model what the plans cost and where everything is', async () => {
    const { text } = await app.visitor().get('/llms.txt');
    expect(text).toMatch(/^# Tidewell\n\n> /);
    expect(text).toContain(
      'Professional](https://www.tidewell.example/checkout?plan=2): $850.00 per month',
    );
    expect(text.match(/\]\(https:\/\/www\.tidewell\.example\/news\//g)).toHaveLength(9);
  });
});
