/** Presses a control twice, as a double click, two taps, or Enter or Space twice. */
import type { ElementHandle, Locator, Page } from 'playwright-core';

export interface Twice {
  way: 'mouse' | 'touch' | 'Enter' | 'Space';
  /** Between the two, in milliseconds. */
  pause: number;
}

/** The events carry their times, so that a slow machine presses no slower. */
export async function pressTwice(
  page: Page,
  control: Locator | ElementHandle,
  { way, pause }: Twice,
) {
  await control.scrollIntoViewIfNeeded();
  const box = await control.boundingBox();
  if (!box) throw new Error('it has no place');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await control.focus();
  const session = await page.context().newCDPSession(page);
  const now = Date.now() / 1000;
  const press = (timestamp: number, clickCount = 1) => {
    if (way === 'mouse')
      return (['mousePressed', 'mouseReleased'] as const).map((type) => {
        const button = { button: 'left', clickCount } as const;
        return session.send('Input.dispatchMouseEvent', { type, x, y, timestamp, ...button });
      });
    if (way === 'touch')
      return (['touchStart', 'touchEnd'] as const).map((type) => {
        const touchPoints = type === 'touchStart' ? [{ x, y }] : [];
        return session.send('Input.dispatchTouchEvent', { type, touchPoints, timestamp });
      });
    const key = { key: way === 'Space' ? ' ' : way, code: way, timestamp };
    const text = way === 'Space' ? ' ' : '\r';
    const windowsVirtualKeyCode = way === 'Space' ? 32 : 13;
    return [
      session.send('Input.dispatchKeyEvent', {
        type: 'keyDown',
        text,
        windowsVirtualKeyCode,
        ...key,
      }),
      session.send('Input.dispatchKeyEvent', { type: 'keyUp', windowsVirtualKeyCode, ...key }),
    ];
  };
  // The page that is left may never answer the second one.
  const left = page.waitForEvent('framenavigated', { timeout: 0 }).catch(() => undefined);
  const first = press(now);
  if (pause > 0) await page.waitForTimeout(pause);
  await Promise.race([Promise.all([...first, ...press(now + pause / 1000, 2)]), left]);
}
