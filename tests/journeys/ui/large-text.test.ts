/** Who has set a phone's text twice as large reads every page without scrolling sideways. */
import { expect, test } from 'vitest';
import { SCREENS, sharedBrowser } from '../../support/browser.ts';
import { openPayment, pay } from '../../support/checkout-steps.ts';
import { sharedTestApp } from '../../support/test-app.ts';

const [, PHONE] = SCREENS;
const PAGES = [
  ...['/', '/resources/', '/news', '/safeguards-check', '/checkout?plan=2', '/trust'],
  ...['/sample-report', '/sample-evidence'],
];

const browser = sharedBrowser({ largeText: true });
const app = sharedTestApp();

test('text twice as large fits the width of each page', async () => {
  const page = await browser.visit(PHONE, app, '/');
  const rem = await page.evaluate(() => getComputedStyle(document.documentElement).fontSize);
  expect(rem).toBe('32px');
  for (const path of PAGES) {
    await page.goto(path);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect([path, width, await page.evaluate(brokenTexts)]).toEqual([path, PHONE.width, []]);
  }
});

test('staff read each word of the navigation and of the tabs', async () => {
  const page = await browser.visitAsStaff(PHONE, app, '/admin/logs');
  await page.getByRole('tab', { name: 'Raw Logs' }).waitFor();
  const cut = await page
    .locator('nav a, [role=tab]')
    .evaluateAll((words) =>
      words.filter((one) => one.scrollHeight > one.clientHeight).map((one) => one.textContent),
    );
  expect(cut).toEqual([]);
});

test('a field that the payment form refuses is seen with its label', async () => {
  const page = await browser.visit(PHONE, app, '/checkout?plan=2');
  await openPayment(page);
  await pay(page);
  await page.getByText('Please enter the name on your card').waitFor();
  const label = await page.getByText('Name on Card', { exact: true }).boundingBox();
  const dialog = await page.getByRole('dialog').boundingBox();
  expect(label?.y).toBeGreaterThan(dialog?.y ?? 0);
});

/** Runs in the page: texts in a column so narrow that their words are cut to pieces. */
function brokenTexts(): string[] {
  for (const details of document.querySelectorAll('details')) details.open = true;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const broken: string[] = [];
  while (texts.nextNode()) {
    const { currentNode: node } = texts;
    const words = (node.textContent ?? '').trim().split(/[\s@.-]+/);
    const isRead = node.parentElement?.checkVisibility() && !node.parentElement.closest('thead');
    const range = document.createRange();
    range.selectNode(node);
    const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
    if (isRead && lines.size > 2 && lines.size > words.length + 1) broken.push(words.join(' '));
  }
  return broken;
}
