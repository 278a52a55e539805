import { describe, expect, test } from 'vitest';
import { SCREENS, sharedBrowser } from '../support/browser.ts';
import { enterAsStaff } from '../support/staff-answers.ts';
import { sharedTestApp } from '../support/test-app.ts';
import { EVERY_VARIANT, feed, reopen } from './feed.ts';
import { VISITOR_SCREENS } from './screens.ts';
import { STAFF_SCREENS } from './staff-screens.ts';

const [DESKTOP] = SCREENS;
/** Malformed answers have broken picture URLs, too. */
const allowErrors = /Failed to load resource/;

describe('with malformed answers', EVERY_VARIANT, () => {
  const browser = sharedBrowser();
  const app = sharedTestApp();

  test.each(VISITOR_SCREENS)('$name stays usable for visitors', async (screen) => {
    const page = await browser.open(DESKTOP, { allowErrors });
    await page.addInitScript(() => sessionStorage.setItem('order', '1042'));
    const begin = () => reopen(page, app.address, screen.path);
    expect(await feed(page, screen, begin)).toEqual([]);
  });

  test.each(STAFF_SCREENS)('$name stays usable for staff', async (screen) => {
    const page = await browser.open(DESKTOP, { allowErrors });
    await enterAsStaff(page);
    // A message that is not in the list.
    await page.route('**/api/admin/threads/41', (route) =>
      route.fulfill({ status: 404, json: {} }),
    );
    const begin = () => reopen(page, app.address, screen.path);
    expect(await feed(page, screen, begin)).toEqual([]);
  });
});
