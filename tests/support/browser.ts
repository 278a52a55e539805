/** Chromium for the journeys: the run's one browser, one clean context per test. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import { violations } from './axe.ts';
import { FLAGS } from './browser-flags.ts';
import { bodyFaults } from './call-bodies.ts';
import { findBrowser, findTestBrowser } from './find-browser.ts';
import { PATIENCE_MS } from './patience.ts';
import { waitForScript } from './wait-for-script.ts';

/** The two screens on which every journey is made. */
export const SCREENS = [
  { name: 'desk', width: 1280, height: 800 },
  { name: 'phone', width: 390, height: 844 },
] as const;
export interface Screen {
  name: string;
  width: number;
  height: number;
}

export interface BrowserForTests {
  /** A new visitor's page; what its console or content policy complains about fails the test. */
  open(screen: Screen, options?: { expectComplaints?: RegExp; script?: boolean }): Promise<Page>;
}

export const ACCESSIBLE = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface BrowserKind {
  /** Of a browser of the file's own. */
  flags?: readonly string[];
  /** Pictures are fetched and drawn. */
  pictures?: boolean;
  /** A page that was left is kept, and is as it was left on the way back. */
  keepsPages?: boolean;
}

/** Call it once per test file; it opens and closes the browser around the file's tests. */
export function useBrowser({
  flags = [],
  pictures = false,
  keepsPages = false,
}: BrowserKind = {}): BrowserForTests {
  let browser: Browser;
  let open: OpenPage[] = [];

  beforeAll(async () => {
    const executablePath = keepsPages ? findBrowser() : findTestBrowser();
    browser =
      flags.length === 0 && !keepsPages
        ? await chromium.connect(inject('browserUrls')[pictures ? 'pictures' : 'plain'])
        : await chromium.launch({
            args: [...FLAGS, ...flags],
            ...(keepsPages && { ignoreDefaultArgs: ['--disable-back-forward-cache'] }),
            ...(executablePath ? { executablePath } : {}),
          });
  });
  afterAll(() => browser?.close());
  afterEach(async ({ task }) => {
    const complaints = open.flatMap((each) => each.complaints);
    if (complaints.length > 0 || task.result?.state === 'fail') await keepEvidence(task, open);
    await Promise.all(open.map(({ context }) => context.close()));
    open = [];
    expect(complaints).toEqual([]);
  });

  return {
    async open({ width, height }, { expectComplaints, script = true } = {}) {
      const context = await browser.newContext({
        viewport: { width, height },
        hasTouch: width < 700,
        isMobile: width < 700,
        reducedMotion: 'reduce',
        javaScriptEnabled: script,
      });
      const whole = inject('traced');
      if (whole) await context.tracing.start({ screenshots: true, snapshots: true });
      if (script) context.on('page', waitForScript);
      const page = await context.newPage();
      const complaints: string[] = [];
      const trail = followTrail(context);
      const complain = (text: string) => {
        if (!expectComplaints?.test(text)) complaints.push(text);
      };
      page.on('console', (message) => {
        if (message.type() === 'error') complain(message.text());
      });
      context.on('request', (request) => complaints.push(...bodyFaults(request)));
      page.on('pageerror', (error) => complain(String(error)));
      page.setDefaultTimeout(PATIENCE_MS);
      open.push({ context, complaints, trail, whole });
      return page;
    },
  };
}

interface OpenPage {
  context: BrowserContext;
  complaints: string[];
  trail: readonly string[];
  /** Its trace is kept by Playwright. */
  whole: boolean;
}

/** What a page asked for, was answered and said, as lines with the milliseconds since it was opened. */
function followTrail(context: BrowserContext): readonly string[] {
  const trail: string[] = [];
  const opened = performance.now();
  const note = (what: string) => trail.push(`${(performance.now() - opened).toFixed(0)} ${what}`);
  context.on('request', (request) => {
    if (request.isNavigationRequest() || request.resourceType() === 'fetch')
      note(`${request.method()} ${request.url()} ${request.postData() ?? ''}`);
  });
  context.on('response', (response) => {
    if (response.request().isNavigationRequest() || response.request().resourceType() === 'fetch')
      note(`${response.status()} ${response.url()}`);
  });
  context.on('requestfailed', (request) =>
    note(`failed: ${request.url()} ${request.failure()?.errorText}`),
  );
  context.on('console', (message) => note(`console: ${message.text()}`));
  return trail;
}

/**
 * Leaves a picture and the trail of each page that a failed test had open, and says where. Playwright's own trace costs
 * a tenth of a run, so it is kept only where few tests are run: by the command that repeats one.
 */
async function keepEvidence(
  { id, name }: { id: string; name: string },
  open: readonly OpenPage[],
): Promise<void> {
  const folder = join('dist/failed', `${name.replaceAll(/\W+/g, '-').slice(0, 60)}-${id}`);
  mkdirSync(folder, { recursive: true });
  for (const [place, { context, trail, whole }] of open.entries()) {
    writeFileSync(join(folder, `trail-${place}.txt`), trail.join('\n'));
    if (whole) await context.tracing.stop({ path: join(folder, `trace-${place}.zip`) });
    for (const page of context.pages())
      await page.screenshot({ path: join(folder, `page-${place}.png`) });
  }
  const trace = open.some(({ whole }) => whole) ? ' (npx playwright-core show-trace …)' : '';
  console.log(`Picture and trace of '${name}': ${folder}${trace}`);
}

const PALE = 'color-contrast';

/** WCAG 2.2 A and AA as far as axe can see. In the gate colours are left to the looks, which see them in both themes. */
export async function expectAccessible(page: Page): Promise<void> {
  const everything = inject('everything');
  const found = await violations(page, ACCESSIBLE, everything ? [] : [PALE]);
  if (everything) {
    await page.emulateMedia({ colorScheme: 'dark' });
    found.push(...(await violations(page, [PALE])));
    await page.emulateMedia({ colorScheme: 'light' });
  }
  expect(
    found.map(
      ({ id, help, nodes }) => `${id}: ${help} (${nodes.map(({ target }) => target).join(' | ')})`,
    ),
  ).toEqual([]);
}
