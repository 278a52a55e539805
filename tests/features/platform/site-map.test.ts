/** Every page in the sitemap: its head, and that everything it links to or loads exists. */
import { beforeAll, describe, expect, test } from 'vitest';
import { type PageHtml, readHtml } from '../../support/page-html.ts';
import { sharedTestApp } from '../../support/test-app.ts';

const ARTICLES = [
  'data-fencing',
  'small-businesses-beware',
  'outsourcing-it',
  'mobile-device-management',
  'active-directory',
  'stay-ahead-phishers',
  'windows-defender-update',
  'ftc-safeguards-rule',
  'teams-phone-system',
];
const PAGES = [
  '/',
  '/news',
  ...ARTICLES.map((slug) => `/news/${slug}`),
  '/privacy-policy',
  '/terms-of-service',
  '/security-policy',
  '/safeguards-addendum',
  '/safeguards-check',
  '/trust',
  '/ten-questions',
  '/sample-report',
  '/sample-evidence',
  '/resources/',
];

/** What visitors must be able to read, by page. */
const WORDS: Record<string, readonly string[]> = {
  '/': [
    'Trusted by 2000+ businesses',
    ...['Comprehensive Security', 'Optimized Performance', 'Scalable Solutions'],
    ...['Traditional Payments', 'Credit and debit cards (Visa, Mastercard, Amex)'],
    ...['ACH and wire transfers', 'Recurring billing', 'PCI DSS compliant processing'],
    ...['Monthly Billing', 'Most Popular', 'Need a custom solution?'],
    ...['Our Mission', 'Our Approach', 'Experienced Team', 'Secure Solutions', 'Client-Focused'],
    ...['Monday through Friday: 8:30 AM to 5:30 PM ET', 'Saturday and Sunday: Closed'],
    'Any format is accepted',
  ],
  '/checkout': ['Available Plans', 'Order Summary', 'Most Popular', 'Need a custom solution?'],
  '/resources/': ['Articles by topic', 'Legal pages', 'How to reach support'],
};

/** The only places to which the links of a name lead. */
const LINKS: readonly [path: string, name: string, ...to: string[]][] = [
  ...['Services', 'Solutions', 'About', 'Pricing', 'Contact'].map(
    (name) => ['/checkout', name, `/#${name.toLowerCase()}`] as [string, string, string],
  ),
  ['/checkout', 'Secure Transactions', '/security-policy#secure-transactions'],
  ['/checkout', 'Verified Business', '/security-policy#verified-business'],
  ['/checkout', 'SSL Protected', '/security-policy#ssl-protected'],
  ['/checkout', 'PCI Compliant', '/security-policy#pci-compliant'],
  ['/checkout', 'Back to Home', '/'],
  ['/checkout', 'Contact Us', '/#contact'],
  ['/', 'Explore Services', '/#services'],
  ['/', 'Contact Us', '/#contact'],
  ['/', 'Ask for a quote', '/#contact'],
  ['/', 'Get Started', '/checkout', '/checkout?plan=1', '/checkout?plan=2', '/checkout?plan=3'],
  ['/', 'About Us', '/#about'],
  ['/', 'News', '/#news', '/news'],
  ['/', 'Checkout', '/checkout'],
  ['/', 'Resources', '/resources/'],
  ['/', 'Privacy Policy', '/privacy-policy'],
  ['/', 'Terms of Service', '/terms-of-service'],
  ['/', 'Security Policy', '/security-policy'],
  ['/', 'Take the Safeguards check', '/safeguards-check'],
  ['/resources/', 'What you can check about us', '/trust'],
  ['/ten-questions', 'Our insurance', '/trust#insurance'],
  ['/news/outsourcing-it', 'Read our answers to all ten', '/ten-questions'],
  ['/news/ftc-safeguards-rule', 'take the Safeguards check', '/safeguards-check'],
  ['/news/data-fencing', 'Contact Us', '/#contact'],
  ['/nothing-here', 'Return to Home', '/'],
  // At the foot of every page but a quote.
  ...['/', '/news', '/privacy-policy', '/nothing-here', '/checkout'].map(
    (path) => [path, 'Manage your plan', '/checkout/order'] as [string, string, string],
  ),
  ['/nothing-here', 'Contact Us', '/#contact'],
];

describe('the pages of the site', () => {
  const app = sharedTestApp();
  const pages = new Map<string, PageHtml>();

  beforeAll(async () => {
    for (const path of [...PAGES, '/checkout', '/quote/unknown', '/nothing-here']) {
      pages.set(path, readHtml((await app.visitor().get(path)).text));
    }
  });

  function page(path: string): PageHtml {
    const read = pages.get(path);
    if (!read) throw new Error(`${path} was not read`);
    return read;
  }

  test('are exactly those in the sitemap, each with the day it last changed', async () => {
    const { text } = await app.visitor().get('/sitemap.xml');
    const urls = [...text.matchAll(/<loc>(.*?)<\/loc><lastmod>(.*?)<\/lastmod>/g)];
    expect(urls.map(([, address]) => address?.slice(app.address.length))).toEqual(PAGES);
    const days = new Map(urls.map(([, address, day]) => [address?.slice(app.address.length), day]));
    // An article changes when it is reviewed.
    expect(days.get('/news/teams-phone-system')).toBe('2026-11-26');
    // Pages that list others have the newest day of all.
    expect(days.get('/news')).toBe([...days.values()].sort().at(-1));
    expect(days.get('/terms-of-service')).toBe('2025-05-13');
  });

  test.each(PAGES)(
    '%s has one main heading, a title, a description and its canonical URL',
    (path) => {
      const { title, meta, canonical, headings, ids } = page(path);
      expect(headings.filter(({ level }) => level === 1)).toHaveLength(1);
      // No level is skipped on the way down.
      headings.forEach(({ level, text }, index) => {
        expect(level, text).toBeLessThanOrEqual((headings[index - 1]?.level ?? 0) + 1);
      });
      expect(title.length).toBeGreaterThan(10);
      expect(title.length).toBeLessThanOrEqual(110);
      const description = meta.get('description') ?? '';
      expect(description.length).toBeGreaterThanOrEqual(70);
      expect(description.length).toBeLessThanOrEqual(170);
      expect(canonical).toBe(app.address + path);
      expect(meta.get('og:url')).toBe(app.address + path);
      expect(meta.get('og:description')).toBe(description);
      expect(new Set(ids).size, 'a duplicate id').toBe(ids.length);
    },
  );

  test('have unique titles and descriptions', () => {
    const titles = PAGES.map((path) => page(path).title);
    const descriptions = PAGES.map((path) => page(path).meta.get('description'));
    expect(new Set(titles).size).toBe(PAGES.length);
    expect(new Set(descriptions).size).toBe(PAGES.length);
    expect(page('/').title).toBe('IT Services & Solutions');
  });

  test('have the words and links that were ordered', () => {
    for (const [path, words] of Object.entries(WORDS))
      for (const each of words) expect(page(path).text).toContain(each);
    for (const [path, name, ...to] of LINKS) {
      const named = page(path).links.filter(({ text }) => text === name);
      expect([path, name, ...new Set(named.map(({ href }) => href))]).toEqual([path, name, ...to]);
    }
    const listed = page('/resources/').links.map(({ href }) => href);
    expect(listed).toEqual(expect.arrayContaining(PAGES.slice(2)));
  });

  test('are shared with the article’s picture, or the site’s', async () => {
    const article = page('/news/data-fencing').meta;
    expect(article.get('og:type')).toBe('article');
    expect(article.get('og:image')).toMatch(/^http.*\/pictures\/news-data-fencing\.jpg\?v=\w+$/);
    expect(article.get('og:image:alt')).toContain('Server racks');
    expect(Number(article.get('og:image:width'))).toBeGreaterThanOrEqual(960);
    const home = page('/').meta;
    expect(home.get('og:image')).toMatch(/\/pictures\/social\.jpg\?v=\w+$/);
    expect([home.get('og:image:width'), home.get('og:image:height')]).toEqual(['1200', '630']);
    expect(home.get('twitter:card')).toBe('summary_large_image');
    for (const meta of [article, home]) {
      const picture = await app.visitor().get(new URL(meta.get('og:image') ?? '').pathname);
      expect(picture.headers.get('content-type')).toBe('image/jpeg');
    }
  });

  test('link only to pages that exist, and to anchors that exist on them', async () => {
    const broken: string[] = [];
    const answered = new Map<string, { status: number; ids: string[] }>();
    for (const [path, { links }] of pages) {
      for (const { href } of links) {
        const url = new URL(href, app.address + path);
        if (url.origin !== app.address) continue;
        const address = url.pathname + url.search;
        const target = answered.get(address) ?? (await ask(address));
        answered.set(address, target);
        // Without a redirect, too.
        if (target.status !== 200 && address !== path)
          broken.push(`${path}: ${href} answers ${target.status}`);
        const id = decodeURIComponent(url.hash.slice(1));
        if (id && !target.ids.includes(id)) broken.push(`${path}: ${href} names no place`);
      }
    }
    expect(broken).toEqual([]);
    expect(answered.size).toBeGreaterThan(PAGES.length);

    async function ask(address: string) {
      const { status, text } = await app.visitor().get(address);
      return { status, ids: readHtml(text).ids };
    }
  });

  test('load only pictures, scripts, styles, icons and feeds that exist', async () => {
    const named = new Set([...pages.values()].flatMap(({ loads }) => loads));
    const missing: string[] = [];
    for (const address of named) {
      const { status } = await app.visitor().get(address);
      if (status !== 200) missing.push(`${address} answers ${status}`);
    }
    expect(missing).toEqual([]);
    expect(
      [...named].filter((address) => address.startsWith('/pictures/news-')).length,
    ).toBeGreaterThanOrEqual(9);
    expect([...named].filter((address) => !address.startsWith('/'))).toEqual([]);
  });

  test('link to other sites over https, with noopener', () => {
    const external = [...pages.values()]
      .flatMap(({ links }) => links)
      .filter(({ href }) => !/^(\/|#|mailto:|tel:|$)/.test(href));
    expect(external.length).toBeGreaterThan(30);
    for (const { href, rel } of external) {
      expect(href).toMatch(/^https:/);
      expect(rel, href).toContain('noopener');
    }
  });

  test.each([
    ['/news/', '/news'],
    ['/News/Data-Fencing/?from=mail', '/news/data-fencing?from=mail'],
    ['/resources', '/resources/'],
    ['/checkout/?plan=2', '/checkout?plan=2'],
    ['/CHECKOUT/2/?cloud_backup=true', '/checkout/2?cloud_backup=true'],
  ])('redirect %s permanently to %s', async (path, address) => {
    const { status, headers } = await app.visitor().get(path);
    expect(status).toBe(301);
    expect(headers.get('location')).toBe(address);
    expect((await app.visitor().get(address)).status).toBe(200);
  });

  test.each([
    '/index.html',
    `/news${'/'.repeat(400)}`,
    '/news/nothing-here',
    '/%2e%2e/etc/passwd',
    '/%0d%0aSet-Cookie:x=1',
    '//evil.example/news',
    '/.env',
  ])('do not include %s: 404', async (path) => {
    const { status, headers, text } = await app.visitor().get(path);
    expect(status).toBe(404);
    expect(headers.get('location')).toBeNull();
    const read = readHtml(text);
    expect(read.headings[0]).toEqual({ level: 1, text: '404 Not Found' });
    expect(read.meta.get('robots')).toBe('noindex');
    expect(read.canonical).toBeUndefined();
    // The same page for every URL, so it never repeats one that someone made up.
    expect(text).not.toContain('evil.example');
  });

  test('say when they were last updated, if they are legal pages', () => {
    for (const path of ['/privacy-policy', '/terms-of-service', '/security-policy']) {
      expect(page(path).text).toContain('Last Updated: May 13, 2025');
      expect(page(path).text).not.toContain('{{');
    }
  });
});
