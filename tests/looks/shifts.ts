import type { Page } from 'playwright-core';

interface LayoutShift extends PerformanceEntry {
  value: number;
  sources: readonly {
    node: Node | null;
    previousRect: DOMRectReadOnly;
    currentRect: DOMRectReadOnly;
  }[];
}

/** Notes from now on what moves in a page by itself, until somebody does something there: then it may. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    /** Below it is what letters take that come late: a line more or less. */
    const SEEN = 0.03;
    const shifts: string[] = [];
    let doneAt = Number.POSITIVE_INFINITY;
    const done = ({ isTrusted, timeStamp }: Event) => {
      if (isTrusted) doneAt = Math.min(doneAt, timeStamp);
    };
    for (const kind of ['pointerdown', 'keydown']) addEventListener(kind, done, true);
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const { value, startTime, sources } of list.getEntries() as LayoutShift[]) {
        const moved = sources.map(({ node, previousRect, currentRect }) => {
          const words = node?.textContent?.trim().slice(0, 40);
          return `"${words}" from ${previousRect.top} to ${currentRect.top} px`;
        });
        if (startTime < doneAt && value >= SEEN)
          shifts.push(`moved by ${value.toFixed(3)}: ${moved.join(', ')}`);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** What has moved since the page was opened. */
export function shiftsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => Reflect.get(window, 'shifts') as string[]);
}
