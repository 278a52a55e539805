/** The ways through the site that matter most, in the browsers that are not Chromium. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import slides from '../../content/slides.json' with { type: 'json' };
import { CARDS } from '../support/checkout-steps.ts';
import { captureLog } from '../support/logged.ts';
import { DEMO, insertSubmission } from '../support/staff-steps.ts';
import { sharedTestApp } from '../support/test-app.ts';
import { type BrowserPage, OTHER_BROWSERS } from './browsers.ts';

describe.each(OTHER_BROWSERS)('a visitor with $name', ({ start }) => {
  const app = sharedTestApp();
  let page: BrowserPage;
  let log: ReturnType<typeof captureLog>;
  beforeEach(async () => {
    log = captureLog();
    page = await start();
  });
  afterEach(async () => {
    await page.close();
    // What a browser reports of a part of the page that failed in it.
    expect(log.lines.filter(({ event }) => event === 'part-failed')).toEqual([]);
  });

  const open = (path: string) => page.open(app.address + path);
  const expectAddress = (path: string) =>
    expect.poll(() => page.address()).toBe(app.address + path);

  test('opens the menu and goes where it leads', async () => {
    await page.resize(390, 800);
    await open('/news');
    await page.click('button', 'Open menu');
    await page.click('button', 'Close menu');
    await page.click('button', 'Open menu');
    await page.click('link', 'Pricing');
    await expectAddress('/#pricing');
    await page.reads('Professional');
  });

  test('turns the slides', async () => {
    await open('/');
    for (const { label } of slides.slice(1)) {
      await page.click('button', 'Next slide');
      await page.reads(label);
    }
    await page.click('button', 'Previous slide');
    await page.reads(slides.at(-2)?.label ?? '');
  });

  test('writes to us', async () => {
    await open('/');
    await page.type('Name', 'Ann Moore');
    await page.type('Email', 'ann@lakeside.example');
    await page.type('Message', 'Our phones drop calls every afternoon.');
    await page.click('button', 'Send Message');
    await page.reads('Message Sent Successfully!');
    await page.reads('Message received.');
  });

  test('asks in the chat, typing as soon as it is there', async () => {
    await open('/news');
    await page.click('button', 'Chat with us');
    await page.reads('Hello!');
    await page.keys('Do you support Reynolds?\n');
    await page.reads('How can we reach you?');
    await page.type('Name', 'Ann Moore');
    await page.type('Email', 'ann@lakeside.example');
    await page.click('button', 'Send Message');
    await page.reads('Thank you, Ann.');
  });

  test('plans for 43 people, chooses another plan after all, and pays', async () => {
    await open('/');
    await page.type('How many people?', '43');
    await page.click('field', 'Microsoft 365 Business Standard');
    await page.reads('$2,487.50');
    await page.click('button', 'Continue with this plan');
    await page.reads('Almost There!');
    await page.reads('$2,487.50');
    await page.click('field', 'Essential');
    await page.click('button', 'Proceed to Checkout');
    await page.type('Name on Card', 'Ann Lee');
    await page.type('Billing Email', 'ann@example.com');
    await page.type('Card Number', CARDS.good);
    await page.type('Expiry Date', '1230');
    await page.type('CVV', '123');
    await page.click('field', 'I accept the terms');
    await page.click('button', 'Pay $');
    await page.reads('Payment successful!');
    await page.reads('You’re all set');
  });

  test('reads an article and goes back to the list', async () => {
    await open('/news');
    await page.click('link', 'Read More');
    await page.reads('Back to News');
    await page.back();
    await page.reads('News & Updates');
    await expectAddress('/news');
  });

  test('signs in as staff, reads a message and the log, and signs out', async () => {
    // What the other tests have sent has waited longer, and would be above.
    await app.database.db.deleteFrom('threads').execute();
    await insertSubmission(app, { name: 'Dana Whitfield' });
    await open('/admin');
    await page.type('Username', DEMO.username);
    await page.type('Password', DEMO.password);
    await page.click('button', 'Sign in');
    await page.reads('Dana Whitfield');
    await page.click('button', 'View');
    await page.reads('Our service-lane tablets lose Wi-Fi every afternoon.');
    await open('/admin/logs');
    await page.reads('Total Requests');
    await page.click('tab', 'Raw Logs');
    await page.reads('GET /admin HTTP/1.1');
    await page.click('button', 'Logout');
    await expectAddress('/');
  });
});
