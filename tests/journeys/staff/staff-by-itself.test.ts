import { describe, expect, test } from 'vitest';
import { SCREENS, sharedBrowser } from '../../support/browser.ts';
import { sharedTestApp } from '../../support/test-app.ts';

const [DESKTOP] = SCREENS;
const PAGES = ['/admin', '/admin/orders', '/admin/logs', '/admin/logs?tab=raw', '/admin/account'];

const browser = sharedBrowser();
const app = sharedTestApp();

describe('a staff page that is left open', () => {
  test.each(PAGES)('makes no call by itself: %s', async (path) => {
    const page = await browser.open(DESKTOP, { as: await app.staff() });
    await page.clock.install();
    await page.addInitScript(connectAtOnce);
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).pathname));
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
    await page.clock.runFor(20_000);
    const calls = () => requested.filter((path) => path.startsWith('/api/'));
    await expect.poll(calls).not.toEqual([]);
    requested.length = 0;
    await page.clock.runFor(5 * 60_000);
    expect(calls()).toEqual([]);
    await page.evaluate(() => {
      document.dispatchEvent(new Event('visibilitychange'));
      for (const event of ['focus', 'online']) window.dispatchEvent(new Event(event));
    });
    await page.mouse.move(5, 5);
    await page.clock.runFor(60_000);
    // Whoever comes back sees what the inbox has got meanwhile.
    expect(calls().filter((path) => !/\/(inbox\/counts|contacts|sales\/news)$/.test(path))).toEqual(
      [],
    );
  });
});

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

/** Events whose stream is open and beats on the page's own clock. */
function connectAtOnce(): void {
  class Connected extends EventTarget {
    onopen = () => {};
    timer = setInterval(() => this.dispatchEvent(new Event('beat')), 10_000);
    constructor() {
      super();
      setTimeout(() => {
        this.onopen();
        this.dispatchEvent(new Event('beat'));
      });
    }
    close() {
      clearInterval(this.timer);
    }
  }
  Object.assign(window, { EventSource: Connected });
}
