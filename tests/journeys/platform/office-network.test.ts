/** The site tried from another machine in the office: plain http, a host name, no PUBLIC_URL. */
import { beforeAll, describe, expect, test } from 'vitest';
import { SCREENS, sharedBrowser } from '../../support/browser.ts';
import { fillIn } from '../../support/contact-steps.ts';
import { signIn } from '../../support/staff-steps.ts';
import { sharedTestApp } from '../../support/test-app.ts';
import { expectToast, readToast } from '../../support/toast.ts';

describe('over plain http, under a host name', () => {
  const browser = sharedBrowser();
  const app = sharedTestApp();
  let address: string;
  beforeAll(async () => {
    address = app.address.replace('127.0.0.1', 'office-pc');
  });

  test('a visitor sends a message, and staff sign in and out', async () => {
    const page = await browser.open(SCREENS[0], {
      // Chromium's warnings about any page over plain http.
      allowErrors: /Cross-Origin-Opener-Policy|Origin-Agent-Cluster/,
    });
    await page.goto(address);
    expect(await page.evaluate(() => window.isSecureContext)).toBe(false);
    await fillIn(page);
    await page.getByRole('button', { name: 'Send Message' }).click();
    await expectToast(page, 'Message Sent Successfully!', 'Thank you for your message.');

    await page.goto(`${address}/admin-login`);
    await signIn(page);
    await readToast(page, 'Successfully logged in', 'Welcome to the admin dashboard');
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL(`${address}/`);
  });
});
