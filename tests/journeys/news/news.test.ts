/** The news, the legal pages and the feed. */
import { describe, expect, test } from 'vitest';
import { SCREENS, sharedBrowser } from '../../support/browser.ts';
import { card, topOf } from '../../support/move-steps.ts';
import { sharedTestApp } from '../../support/test-app.ts';
import { variant } from '../../support/variant.ts';

const NOWHERE = '/nowhere';
const READ = ['/news', '/news/data-fencing', '/terms-of-service', '/trust', '/resources/', NOWHERE];

describe('news and legal pages', () => {
  const browser = sharedBrowser();
  const app = sharedTestApp();

  describe.each(SCREENS)('on a $name', (screen) => {
    test('a reader goes from the list to an article, to another one, back to the list, and to the contact form', async () => {
      const page = await browser.visit(screen, app, '/news');
      await card(page, 'The FTC Safeguards Rule').click();
      await page.getByRole('heading', { level: 1, name: 'The FTC Safeguards Rule' }).waitFor();
      expect(await page.locator('main').textContent()).toContain('March 14, 2025');
      await expect.poll(() => page.getByRole('link', { name: 'Back to News' }).count()).toBe(2);
      await card(page, 'Teams as your phone').click();
      await page.getByRole('heading', { level: 1, name: 'Teams as your phone' }).waitFor();
      await page.getByRole('link', { name: 'Back to News' }).first().click();
      await page.getByRole('heading', { level: 1, name: 'News & Updates' }).waitFor();
      await card(page, 'Data fencing').click();
      await page.getByRole('heading', { level: 1, name: 'Data fencing' }).waitFor();
      await page.locator('main').getByRole('link', { name: 'Contact Us' }).click();
      await page.getByRole('heading', { name: 'Get in Touch' }).waitFor();
      await expect.poll(() => topOf(page, '#contact')).toBe(100);
    });

    test('a reader follows the table of contents of a legal page', async () => {
      const page = await browser.visit(screen, app, '/security-policy');
      if (screen.name === 'phone') await page.getByText('On this page').last().click();
      const contents = page.getByRole('navigation', { name: 'On this page' });
      await contents.getByRole('link', { name: 'SSL Protected' }).click();
      const heading = page.getByRole('heading', { name: 'SSL Protected' });
      await expect
        .poll(() => heading.evaluate((part) => part.getBoundingClientRect().top))
        .toBeCloseTo(100, 0);
      await contents.locator('a[aria-current]', { hasText: 'SSL Protected' }).waitFor();
      // On a desktop the table of contents scrolls with the reader.
      expect(await contents.isVisible()).toBe(true);
      if (screen.name === 'desk') {
        expect((await contents.boundingBox())?.y).toBeGreaterThan(0);
      }
    });
  });

  variant('a legal page is printed without navigation, with its links’ addresses', async () => {
    const page = await browser.visit(SCREENS[0], app, '/privacy-policy');
    const parts = [
      page.getByRole('navigation', { name: 'Main', exact: true }),
      page.locator('footer'),
      page.getByRole('navigation', { name: 'On this page' }),
    ];
    const visible = () => Promise.all(parts.map((part) => part.isVisible()));
    expect(await visible()).toEqual([true, true, true]);
    await page.emulateMedia({ media: 'print' });
    expect(await visible()).toEqual([false, false, false]);
    const printed = await page
      .getByRole('link', { name: 'Stripe privacy policy' })
      .evaluate((link) => getComputedStyle(link, '::after').content);
    expect(printed).toContain('https://stripe.com/privacy');
  });

  test('the feed and the sitemap are well-formed XML', async () => {
    const page = await browser.open(SCREENS[0]);
    for (const [path, root] of [
      ['/news/rss.xml', 'rss'],
      ['/sitemap.xml', 'urlset'],
    ] as const) {
      const { text } = await app.visitor().get(path);
      // On an empty page, since our own pages' Content-Security-Policy forbids parsing.
      const parsed = await page.evaluate(
        (xml) => new DOMParser().parseFromString(xml, 'application/xml').documentElement.nodeName,
        text,
      );
      expect(parsed).toBe(root);
    }
  });

  test('pages that are only read load no React, make no call, and fetch no page ahead', async () => {
    const loaded = async (path: string) => {
      const page = await browser.open(SCREENS[0], { allowErrors: /status of 404/ });
      const fetched: Promise<string>[] = [];
      const what = (url: string, text: string) => {
        const { pathname } = new URL(url);
        if (text.startsWith('<!') || pathname.startsWith('/api/')) return pathname;
        return /Symbol\.for\(.react\./.test(text) ? 'React' : '';
      };
      page.on('response', (response) =>
        fetched.push(response.text().then((text) => what(response.url(), text))),
      );
      await page.goto(app.address + path);
      if (path === NOWHERE) await page.getByRole('button', { name: 'Stay here' }).click();
      await page.getByRole('link', { name: 'Pricing', exact: true }).last().hover();
      await page.waitForLoadState('networkidle');
      return new Set((await Promise.all(fetched)).filter((one) => one !== ''));
    };
    expect(await loaded('/')).toContain('React');
    for (const path of READ) expect(await loaded(path)).toEqual(new Set([path]));
  });
});
