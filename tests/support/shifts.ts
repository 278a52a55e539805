import type { Page } from 'playwright-core';

interface LayoutShift extends PerformanceEntry {
  value: number;
  sources: readonly {
    node: Node | null;
    previousRect: DOMRectReadOnly;
    currentRect: DOMRectReadOnly;
  }[];
}

/** Records layout shifts until the first pointer or key event; after that, movement is expected. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    /** Smaller shifts come from late fonts, which can change a line break. */
    const SEEN = 0.03;
    const shifts: string[] = [];
    let firstInput = Number.POSITIVE_INFINITY;
    const onInput = ({ isTrusted, timeStamp }: Event) => {
      if (isTrusted) firstInput = Math.min(firstInput, timeStamp);
    };
    for (const type of ['pointerdown', 'keydown']) addEventListener(type, onInput, true);
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const { value, startTime, sources } of list.getEntries() as LayoutShift[]) {
        const moved = sources.map(({ node, previousRect, currentRect }) => {
          const words = node?.textContent?.trim().slice(0, 40);
          return `"${words}" from ${previousRect.top} to ${currentRect.top} px`;
        });
        if (startTime < firstInput && value >= SEEN)
          shifts.push(`moved by ${value.toFixed(3)}: ${moved.join(', ')}`);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** Layout shifts since the page was opened. */
export function shiftsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => Reflect.get(window, 'shifts') as string[]);
}
