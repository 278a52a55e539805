import type { Page } from 'playwright-core';

interface LayoutShift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources: readonly { node: Node | null }[];
}

/** Notes from now on what moves in a page by itself while somebody looks at it. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    /** Below it a line moves by less than its letters' height. */
    const SEEN = 0.001;
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as LayoutShift[]) {
        const moved = sources.map(({ node }) => `"${node?.textContent?.trim().slice(0, 40)}"`);
        if (!hadRecentInput && value >= SEEN)
          shifts.push(`moved by ${value.toFixed(3)}: ${moved.join(', ')}`);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** What has moved since the page was opened. */
export function shiftsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => Reflect.get(window, 'shifts') as string[]);
}
