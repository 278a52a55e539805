/** What a document carries for its script makes sense, or the document stays as it was sent, or says so. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCREENS, useBrowser } from '../support/browser.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { startAgain } from './asks.ts';
import { feed } from './feed.ts';
import { HOME, type Screen } from './screens.ts';

const [DESK] = SCREENS;
/** What the server has drawn is of the data as it should be. */
const expectComplaints = /Failed to load resource|Minified React error #418/;

/** The site is the same in all of them, and read in the same way. */
const NOT_SITE = /^site\./;

const DOCUMENTS: readonly (Omit<Screen, 'name' | 'calls'> & { not?: RegExp })[] = [
  { path: '/resources/', stays: ['Articles by topic', 'How to reach support'] },
  { path: '/checkout?plan=2', stays: ['Almost There!', 'Order Summary'], not: NOT_SITE },
  { path: '/checkout/order', stays: ['Your order'], not: NOT_SITE },
  { path: '/admin-login', stays: ['Sign in', 'Username'], not: NOT_SITE },
];

describe('whatever a document carries', () => {
  const browser = useBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.stop());

  test.each(DOCUMENTS)('$path stands', async ({ not, ...document }) => {
    const page = await browser.open(DESK, { expectComplaints });
    await page.goto(app.address + document.path);
    const { site, ...data } = JSON.parse((await page.textContent('#page-data')) ?? '');
    // One picture stands for all.
    const pictures = Object.fromEntries(Object.entries(site.pictures).slice(0, 1));
    const answer = { ...data, site: { ...site, pictures } };
    const screen: Screen = {
      ...document,
      name: document.path,
      refuses: true,
      calls: [{ url: /#page-data/, answer, ...(not && { not }) }],
      besides: HOME.calls,
    };
    expect(await feed(page, screen, () => startAgain(page, app.address, screen))).toEqual([]);
  });
});
