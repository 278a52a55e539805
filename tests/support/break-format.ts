import type { Page } from 'playwright-core';

/**
 * What draws money, or times, fails from now on, as an error in a part of the screen does. What this gives
 * mends it.
 */
export async function breakFormat(
  page: Page,
  which: 'NumberFormat' | 'DateTimeFormat',
): Promise<() => Promise<void>> {
  const whole = await page.evaluateHandle((name) => {
    const { prototype } = Intl[name];
    const found = Object.getOwnPropertyDescriptor(prototype, 'format') ?? {};
    const get = () => () => {
      throw new Error('broken on purpose');
    };
    Object.defineProperty(prototype, 'format', { get });
    return found;
  }, which);
  return () =>
    whole.evaluate((found, name) => {
      Object.defineProperty(Intl[name].prototype, 'format', found);
    }, which);
}
