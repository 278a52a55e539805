/** No answer leaves a blank page: refused, empty or malformed, the screen keeps its frame. */
import { readFileSync } from 'node:fs';
import type { Request } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { SCREENS, sharedBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { nextFrame } from '../support/next-frame.ts';
import { ACCOUNT, ORDER } from '../support/order-answers.ts';
import { QUOTE } from '../support/quote-answers.ts';
import { enterAsStaff, type Fulfilled, PERSON } from '../support/staff-answers.ts';
import { sharedTestApp } from '../support/test-app.ts';

const [DESKTOP] = SCREENS;

const catalogue = (name: string) =>
  JSON.parse(readFileSync(`content/catalogue/${name}.json`, 'utf8'));

const VISITORS_ANSWERS = {
  services: catalogue('services'),
  solutions: catalogue('solutions'),
  plans: catalogue('plans'),
  'update-plans': { success: true, updated: 0 },
  'orders/1042': ORDER,
  'orders/1042/update-status': ORDER,
  'test-payments/retrieve': { status: 'succeeded', message: 'Done' },
  'order-page': ACCOUNT,
  quote: QUOTE,
};

/** Texts that the screen shows with any answer, by its path. In this tab, order 1042 was placed. */
const FRAMES: Record<string, readonly string[]> = {
  '/': ['Our Professional Services', 'Industry Solutions', 'Transparent Pricing'],
  '/checkout?plan=2': ['Almost There!', 'Order Summary', 'Need a custom solution?'],
  '/checkout?plan=2&payment_intent_client_secret=secret': ['Secure Transactions'],
  '/checkout/order#token': ['Manage your plan'],
  '/quote/token': ['Secure Transactions'],
  '/admin?open=12': ['Admin Dashboard', 'View Access Logs', 'All Submissions', 'Close'],
  '/admin/orders?open=1042': ['Export CSV', 'All Orders', 'Order O-1042'],
  '/admin/prices': ['Prices', 'Other price', 'All plans'],
  '/admin/logs': ['User access logs for the last 24 hours', 'Back to Admin'],
  [`/admin/people?find=${PERSON.email}`]: ['Everything a person has sent or bought', 'Find'],
};

const SHAPES: Record<string, (json: unknown) => Fulfilled> = {
  refused: () => ({ status: 500, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
  empty: () => ({ contentType: 'application/json', body: '' }),
  'without its fields': (json) => ({ json: Array.isArray(json) ? [{}, null] : {} }),
  'with values of other types': (json) => ({ json: malformed(json) }),
};

/** Ids stay, so that the rest of the answer reaches the screen. */
function malformed(json: unknown): unknown {
  return JSON.parse(JSON.stringify(json), (name, value) => {
    if (typeof value === 'object' && value !== null) return value;
    if (name === 'id') return value;
    return typeof value === 'string' ? { a: 'b' } : 'no such thing';
  });
}

/** A failed part, or an unchecked value in a text or a link. */
const BROKEN = /This part didn’t load|undefined|NaN|\[object|Invalid Date/;

describe.each(Object.entries(SHAPES))('with every answer %s', (_, shape) => {
  const browser = sharedBrowser();
  const app = sharedTestApp();

  test.each(Object.entries(FRAMES))('%s stays usable', async (path, texts) => {
    const page = await browser.open(DESKTOP, { allowErrors: /Failed to load resource/ });
    await page.addInitScript(() => sessionStorage.setItem('order', '1042'));
    const asked = new Set<Request>();
    let answered = 0;
    const end = (request: Request) => (answered += Number(asked.delete(request)));
    page.on('request', (request) => request.url().includes('/api/') && asked.add(request));
    page.on('requestfinished', end);
    // As when a part asks again, or is left.
    page.on('requestfailed', end);
    for (const [call, json] of Object.entries(VISITORS_ANSWERS))
      await page.route(`**/api/${call}`, (route) => route.fulfill(shape(json)));
    if (path.startsWith('/admin')) await enterAsStaff(page, shape);
    await page.goto(app.address + path);
    for (const text of texts) await page.getByText(text).first().waitFor();
    await eventually(() =>
      expect([answered > 0, [...asked].map((call) => call.url())]).toEqual([true, []]),
    );
    await page.evaluate(nextFrame);
    expect(await page.locator('header a').count()).toBeGreaterThan(0);
    expect(await page.locator('main').innerHTML()).not.toMatch(BROKEN);
  });
});
