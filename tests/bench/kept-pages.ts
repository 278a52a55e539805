/** Whether the browser's back/forward cache restores a page. */
import { type Browser, chromium, type Page } from 'playwright-core';
import { FLAGS } from '../support/browser-flags.ts';
import { findBrowser } from '../support/find-browser.ts';
import { SERVER, startProcess } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { figure } from './measure.ts';

/**
 * From a page to another document, and back. The checkout itself is `no-store`, so it is never
 * cached.
 */
const MOVES = [
  { from: '/', to: '/checkout' },
  { from: '/news', to: '/checkout' },
];
const PAUSE_MS = 1500;

export async function benchKeptPages(): Promise<void> {
  const site = await startProcess(SERVER, { PORT: '0', DATA_DIR: temporaryFolder() });
  const { address } = site;
  const executablePath = findBrowser();
  // The headless shell has no such cache, and Playwright turns it off in other browsers.
  const browser = await chromium.launch({
    args: FLAGS,
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
    ...(executablePath && { executablePath }),
  });
  for (const { from, to } of MOVES) {
    const reasons = await leaveAndReturn(browser, address + from, address + to);
    figure(`reasons not to restore ${from} from the cache`, reasons.length, { atMost: 0 });
    for (const reason of reasons) console.log(`        ${reason}`);
  }
  await browser.close();
  await site.stop();
}

/** Chromium's reasons for not restoring the page. */
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
  await page.waitForTimeout(PAUSE_MS);
  const kept = await page.evaluate(() => document.documentElement.dataset.kept === 'true');
  await page.close();
  return kept || reasons.length > 0 ? reasons : ['none was given'];
}

async function look(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.waitForTimeout(PAUSE_MS);
}
