import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCREENS, useBrowser } from '../support/browser.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { feed } from './feed.ts';
import { enterAsStaff, HOME, ORDER_PAGE, STAFF_SCREENS } from './screens.ts';

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

  test('the home page stands whatever its calls answer', async () => {
    const page = await browser.open(DESK, { expectComplaints });
    await page.goto(app.address);
    expect(await feed(page, HOME, '/news')).toEqual([]);
  });

  test('the page of an order stands whatever its call answers', async () => {
    const page = await browser.open(DESK, { expectComplaints });
    await page.goto(`${app.address}/checkout/order#none`);
    expect(await feed(page, ORDER_PAGE)).toEqual([]);
  });

  test.each(STAFF_SCREENS)(
    '$name: the staff area stands whatever its calls answer',
    async (screen) => {
      const page = await browser.open(DESK, { expectComplaints });
      await enterAsStaff(page);
      await page.goto(app.address + screen.path);
      const away = screen.path.startsWith('/admin/account') ? '/admin/logs' : '/admin/account';
      expect(await feed(page, screen, away)).toEqual([]);
    },
  );
});
