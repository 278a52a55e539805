/** Whether a page that was left is there again as it was left, from the browser's cache for back and forward. */
import { type Browser, chromium, type Page } from 'playwright-core';
import { FLAGS } from '../support/browser-flags.ts';
import { findBrowser } from '../support/find-browser.ts';
import { figure } from './measure.ts';

/** Each leads to another document. Of the checkout no browser keeps anything. */
const MOVES = [
  { from: '/', to: '/checkout' },
  { from: '/news', to: '/checkout' },
];
const LOOKING_MS = 1500;

export async function benchKeptPages(address: string): Promise<void> {
  const executablePath = findBrowser();
  // The shell without windows, in which the tests run, keeps none; Playwright asks others to keep none either.
  const browser = await chromium.launch({
    args: FLAGS,
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
    ...(executablePath && { executablePath }),
  });
  for (const { from, to } of MOVES) {
    const reasons = await leaveAndReturn(browser, address + from, address + to);
    figure(`reasons not to keep ${from} for the way back`, reasons.length, { atMost: 0 });
    for (const reason of reasons) console.log(`        ${reason}`);
  }
  await browser.close();
}

/** Why it was not kept, in Chromium's words. */
async function leaveAndReturn(browser: Browser, from: string, to: string): Promise<string[]> {
  const page = await browser.newPage();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Page.enable');
  const reasons: string[] = [];
  devtools.on('Page.backForwardCacheNotUsed', ({ notRestoredExplanations }) =>
    reasons.push(...notRestoredExplanations.map(({ reason }) => reason)),
  );
  await look(page, from);
  await page.evaluate(() => {
    addEventListener('pageshow', ({ persisted }) => {
      document.documentElement.dataset.kept = String(persisted);
    });
  });
  await look(page, to);
  await page.goBack({ waitUntil: 'commit' });
  await page.waitForTimeout(LOOKING_MS);
  const kept = await page.evaluate(() => document.documentElement.dataset.kept === 'true');
  await page.close();
  return kept || reasons.length > 0 ? reasons : ['none was given'];
}

async function look(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.waitForTimeout(LOOKING_MS);
}
