import { expect, test } from 'vitest';
import { SCREENS, sharedBrowser } from '../../support/browser.ts';
import { sharedTestApp } from '../../support/test-app.ts';

const [DESKTOP] = SCREENS;

const browser = sharedBrowser();
const app = sharedTestApp();

test('a stream that dies without a word is opened again', async () => {
  const page = await browser.open(DESKTOP, { as: await app.staff() });
  await page.clock.install();
  await page.addInitScript(() => {
    class Dying extends EventTarget {
      static opened = 0;
      onopen = () => {};
      constructor() {
        super();
        Dying.opened += 1;
        document.documentElement.dataset.opened = String(Dying.opened);
        setTimeout(() => this.dispatchEvent(new Event('beat')));
      }
      close() {}
    }
    Object.assign(window, { EventSource: Dying });
  });
  await page.goto('/admin');
  await page.getByText('No submissions found.').waitFor();
  const opened = () => page.evaluate(() => document.documentElement.dataset.opened);
  await page.clock.runFor(20_000);
  expect(await opened()).toBe('1');
  await page.clock.runFor(6_000);
  expect(await opened()).toBe('2');
});

test('what an open page asks by itself is no use of the session; what a colleague presses is', async () => {
  const page = await browser.open(DESKTOP, { as: await app.staff() });
  await page.goto('/admin');
  await page.getByText('No submissions found.').waitFor();
  const unattended = async (path: RegExp, act: () => Promise<unknown>) => {
    const asked = page.waitForRequest(path);
    await act();
    return (await asked).headers()['x-unattended'] ?? 'false';
  };
  await page.waitForFunction(() => performance.now() > 5_000 && !navigator.userActivation.isActive);
  const message = { name: 'Ann', email: 'ann@lakeside.example', message: 'The printer is down.' };
  expect(await unattended(/inbox\/counts/, () => app.visitor().post('/api/contact', message))).toBe(
    'true',
  );
  const show = page.getByRole('button', { name: 'Show 1 new' });
  await show.waitFor();
  expect(await unattended(/admin\/contacts/, () => show.click())).toBe('false');
  const orders = page.getByRole('link', { name: 'Orders', exact: true });
  expect(await unattended(/admin\/orders/, () => orders.click())).toBe('false');
});
