/** Chromium for the journeys: the run's one browser, one clean context per test. */
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import { FLAGS } from './browser-flags.ts';
import { bodyFaults } from './call-bodies.ts';
import { findTestBrowser } from './find-browser.ts';
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
  /** A new visitor's page; what its console or content policy complains about, or a call carries unasked, fails the test. */
  open(screen: Screen, options?: { expectComplaints?: RegExp }): Promise<Page>;
}

interface BrowserKind {
  /** Of a browser of the file's own. */
  flags?: readonly string[];
  /** Pictures are fetched and drawn. */
  pictures?: boolean;
}

/** Call it once per test file; it opens and closes the browser around the file's tests. */
export function useBrowser({ flags = [], pictures = false }: BrowserKind = {}): BrowserForTests {
  let browser: Browser;
  let open: { context: BrowserContext; complaints: string[] }[] = [];

  beforeAll(async () => {
    const executablePath = findTestBrowser();
    browser =
      flags.length === 0
        ? await chromium.connect(inject('browserUrls')[pictures ? 'pictures' : 'plain'])
        : await chromium.launch({
            args: [...FLAGS, ...flags],
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
    async open({ width, height }, { expectComplaints } = {}) {
      const context = await browser.newContext({
        viewport: { width, height },
        hasTouch: width < 700,
        isMobile: width < 700,
        reducedMotion: 'reduce',
      });
      // Actions and requests only: a picture of each step would cost time in every test.
      await context.tracing.start();
      context.on('page', waitForScript);
      const page = await context.newPage();
      const complaints: string[] = [];
      const complain = (text: string) => {
        if (!expectComplaints?.test(text)) complaints.push(text);
      };
      page.on('console', (message) => {
        if (message.type() === 'error') complain(message.text());
      });
      context.on('request', (request) => complaints.push(...bodyFaults(request)));
      page.on('pageerror', (error) => complain(String(error)));
      page.setDefaultTimeout(30_000);
      open.push({ context, complaints });
      return page;
    },
  };
}

/** Leaves a picture and a trace of each page that a failed test had open, and says where. */
async function keepEvidence(
  { id, name }: { id: string; name: string },
  open: readonly { context: BrowserContext }[],
): Promise<void> {
  const folder = join('dist/failed', `${name.replaceAll(/\W+/g, '-').slice(0, 60)}-${id}`);
  for (const [place, { context }] of open.entries()) {
    await context.tracing.stop({ path: join(folder, `trace-${place}.zip`) });
    for (const page of context.pages())
      await page.screenshot({ path: join(folder, `page-${place}.png`) });
  }
  console.log(`Picture and trace of '${name}': ${folder} (npx playwright-core show-trace …)`);
}

/** WCAG 2.2 A and AA as far as axe can see. */
export async function expectAccessible(page: Page): Promise<void> {
  // In this page and not in a second one, and without a list of all that is right: a third of the time.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  expect(
    violations.map(
      ({ id, help, nodes }) => `${id}: ${help} (${nodes.map((node) => node.target).join(' | ')})`,
    ),
  ).toEqual([]);
}
