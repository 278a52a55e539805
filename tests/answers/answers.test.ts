import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCREENS, useBrowser } from '../support/browser.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { feed, openAnew } from './feed.ts';
import { HOME, SHOP_SCREENS } from './screens.ts';

const [DESK] = SCREENS;
/** A picture's address was bent, too. */
const expectComplaints = /Failed to load resource/;

describe('whatever a call answers', () => {
  const browser = useBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.stop());

  test.each([HOME, ...SHOP_SCREENS])('$name stands', async (screen) => {
    const page = await browser.open(DESK, { expectComplaints });
    await page.addInitScript(() => sessionStorage.setItem('order', '1042'));
    const begin = () => openAnew(page, app.address, screen.path);
    expect(await feed(page, screen, begin)).toEqual([]);
  });
});
