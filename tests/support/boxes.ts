/** Where elements are on the screen. */
import type { Locator } from 'playwright-core';

export async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error(`${locator} is not visible`);
  return { top: box.y, bottom: box.y + box.height, left: box.x, right: box.x + box.width };
}

export async function overlap(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = await Promise.all([boxOf(one), boxOf(other)]);
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
