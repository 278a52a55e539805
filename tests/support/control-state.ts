/** Whether a control is disabled, focused, or in view. */
import type { Locator, Page } from 'playwright-core';

/** Disabled for the browser, and not only by `aria-disabled`. */
export function isReallyDisabled(button: Locator): Promise<boolean> {
  return button.evaluate((each) => each.matches(':disabled'));
}

export function hasFocus(control: Locator): Promise<boolean> {
  return control.evaluate((each) => each === document.activeElement);
}

/** Fully inside the viewport, and not covered. */
export function isInView(thing: Locator): Promise<boolean> {
  return thing.evaluate((each) => {
    const { left, top, right, bottom } = each.getBoundingClientRect();
    const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    const whole = top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
    return whole && each.contains(seen);
  });
}

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
