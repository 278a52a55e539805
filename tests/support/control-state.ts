/** Whether a control is disabled, focused, or in view. */
import type { Locator } from 'playwright-core';

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
