/** Nothing personal is left on a staff page after the session. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { SCREENS, sharedBrowser } from '../../support/browser.ts';
import { insertSubmission, signIn } from '../../support/staff-steps.ts';
import { sharedTestApp } from '../../support/test-app.ts';
import { variant } from '../../support/variant.ts';

const [DESKTOP] = SCREENS;

const app = sharedTestApp({ ADMIN_USERNAME: 'margaret', ADMIN_PASSWORD: 'showroom-demo' });
beforeAll(async () => {
  await insertSubmission(app, { name: 'Dana Whitfield' });
});

describe('in a browser with a back/forward cache', () => {
  const browser = sharedBrowser({ keepsPages: true });

  async function openInbox(): Promise<Page> {
    const page = await browser.visit(DESKTOP, app, '/admin', { allowErrors: /status of 401/ });
    await signIn(page, { username: 'margaret', password: 'showroom-demo' });
    await page.getByText('Dana Whitfield').waitFor();
    // What the browser would show on the way back, before any script runs.
    await page.evaluate(() =>
      addEventListener('pagehide', () =>
        sessionStorage.setItem('left', document.body.textContent ?? ''),
      ),
    );
    return page;
  }

  test('going back after signing out shows no name and no message', async () => {
    const page = await openInbox();
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL(`${app.address}/`);
    await page.goBack();
    await page.getByRole('heading', { name: 'Staff sign-in' }).waitFor();
    const left = await page.evaluate(() => sessionStorage.getItem('left') ?? '');
    expect(left).toContain('Loading…');
    for (const text of [left, await page.content()]) expect(text).not.toMatch(/margaret|Dana/);
  });

  variant('going back after the session was ended leads to the sign-in page', async () => {
    const page = await openInbox();
    await page.goto(`${app.address}/`);
    await app.database.db.deleteFrom('sessions').execute();
    await page.goBack();
    await page.getByRole('heading', { name: 'Staff sign-in' }).waitFor();
    expect(await page.locator('body').textContent()).not.toMatch(/margaret|Dana/);
  });
});
