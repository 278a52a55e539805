import type { Page } from 'playwright-core';

/** Makes number or date formatting throw, so that the parts of the screen that use it crash. Returns the undo. */
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
