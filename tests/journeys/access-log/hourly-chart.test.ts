/** The chart of staff's analytics, which is drawn by itself: what the theme's styles give it must reach it. */
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCREENS, useBrowser } from '../../support/browser.ts';
import { openAsStaff } from '../../support/staff-steps.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

describe.each(SCREENS)('the chart by the hour on a $name', (screen) => {
  const browser = useBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.stop());

  test('stands within its frame, and has the colours of the theme', async () => {
    const page = await browser.open(screen);
    await openAsStaff(page, app, '/admin/logs');
    const chart = page.getByRole('img', { name: 'Requests and errors by hour' });
    await expect.poll(() => coloursOf(chart)).toContain('15,118,110');
    const frame = await chart.boundingBox();
    const canvas = await chart.locator('canvas').boundingBox();
    expect(Math.round((canvas?.y ?? 0) - (frame?.y ?? 0))).toBe(0);
    expect(Math.round((canvas?.height ?? 0) - (frame?.height ?? 0))).toBe(0);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(() => coloursOf(chart)).toContain('45,212,191');
  });
});

/** What the canvas is painted with. */
function coloursOf(chart: Locator): Promise<string[]> {
  return chart.locator('canvas').evaluate((element) => {
    const canvas = element as HTMLCanvasElement;
    const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data;
    const found = new Set<string>();
    for (let at = 0; at < (pixels?.length ?? 0); at += 4)
      found.add(`${pixels?.slice(at, at + 3).join(',')}`);
    return [...found];
  });
}
