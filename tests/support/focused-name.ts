import type { Page } from 'playwright-core';

/** The label or text of the focused element. */
export function focusedName(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    const label =
      element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
        ? element.labels?.[0]?.textContent
        : null;
    return element?.ariaLabel ?? label ?? element?.textContent ?? '';
  });
}
