/** The public pages, their menu, contact form and chat. */
import type { Page, Route } from 'playwright-core';
import { dialogOf, openChat, sendChat, sendFirst } from '../support/chat-window.ts';
import { press, refused, type ScreenState, see } from './screen-state.ts';

/** The form and its toasts. */
const CONTACT = '#contact, [role=region][aria-label^=Notifications]';
const CHAT = '[role=dialog]';

export const PUBLIC_SCREENS: readonly ScreenState[] = [
  {
    name: 'home',
    path: '/',
    dark: true,
    controls: ['Get Started', 'Explore Services', 'Contact Us', 'Learn more', 'Read More'],
  },
  {
    name: 'home-menu',
    path: '/',
    act: press('Open menu'),
    concerns: 'header',
    inFront: true,
    widths: [390, 768],
  },
  {
    name: 'home-failed',
    variant: true,
    path: '/',
    before: (page) => refused(page),
    act: seeListsFail,
    allowErrors: /status of 500/,
  },
  {
    name: 'contact-faults',
    path: '/#contact',
    act: press('Send Message', 'Message must be at least 10 characters'),
    concerns: CONTACT,
    inFront: true,
  },
  {
    name: 'contact-sent',
    variant: true,
    path: '/#contact',
    act: sendMessage,
    concerns: CONTACT,
    inFront: true,
  },
  {
    name: 'contact-failed',
    variant: true,
    path: '/#contact',
    before: (page) => page.route('**/api/contact', away),
    act: sendInVain,
    concerns: CONTACT,
    inFront: true,
    allowErrors: /status of 503/,
  },
  { name: 'chat', path: '/', act: openChat, concerns: CHAT, inFront: true, controls: ['Send'] },
  {
    name: 'chat-details',
    variant: true,
    path: '/',
    act: askInChat,
    concerns: CHAT,
    inFront: true,
    controls: ['Send Message'],
  },
  {
    name: 'chat-failed',
    variant: true,
    path: '/',
    before: (page) => page.route('**/api/teams-chat', away),
    act: askInVain,
    concerns: CHAT,
    inFront: true,
    allowErrors: /status of 503/,
  },
  { name: 'news', path: '/news', controls: ['Read More'] },
  {
    name: 'news-data-fencing',
    path: '/news/data-fencing',
    controls: ['Back to News', 'Contact Us'],
  },
  { name: 'resources', path: '/resources/' },
  // A phone shows one question at a time, a wider screen all of them.
  { name: 'safeguards-check', path: '/safeguards-check', controls: ['Next'], widths: [390] },
  {
    name: 'safeguards-check',
    variant: true,
    path: '/safeguards-check',
    controls: ['See the result'],
    widths: [768, 1280, 1920],
  },
  {
    name: 'safeguards-result',
    path: '/safeguards-check',
    act: answerCheck,
    controls: ['Print', 'Change my answers', 'Talk to us about it'],
  },
  { name: 'trust', path: '/trust', controls: ['Print'] },
  { name: 'ten-questions', variant: true, path: '/ten-questions', controls: ['Print'] },
  { name: 'sample-report', variant: true, path: '/sample-report', controls: ['Print'] },
  { name: 'sample-evidence', variant: true, path: '/sample-evidence', controls: ['Print'] },
  { name: 'privacy-policy', path: '/privacy-policy' },
  { name: 'terms-of-service', variant: true, path: '/terms-of-service' },
  { name: 'security-policy', variant: true, path: '/security-policy' },
  { name: 'safeguards-addendum', variant: true, path: '/safeguards-addendum' },
  {
    name: 'not-found',
    path: '/no-such-page',
    act: press('Stay here'),
    allowErrors: /404/,
    controls: ['Return to Home', 'Contact Us'],
  },
];

/** Answers so that the result has every state, at a fixed time, because it shows its date. */
async function answerCheck(page: Page): Promise<void> {
  await page.clock.setFixedTime('2026-03-02T15:00:00Z');
  await page.evaluate(() => {
    const given = ['yes', 'partly', 'no', 'unsure', 'yes'];
    const names = new Set<string>();
    for (const { name } of document.querySelectorAll<HTMLInputElement>('input[type=radio]'))
      names.add(name);
    for (const [place, name] of [...names].entries()) {
      const value = name === 'consumers' ? 'no' : given[place % given.length];
      document.querySelector<HTMLInputElement>(`input[name="${name}"][value="${value}"]`)?.click();
    }
    window.location.hash = 'finish';
  });
  await press('See the result', 'What to do first')(page);
}

async function seeListsFail(page: Page): Promise<void> {
  for (const list of ['services', 'solutions', 'pricing plans'])
    await see(`Error loading ${list}. Please try again later.`)(page);
}

async function fillContact(page: Page): Promise<void> {
  await page.getByLabel('Name').fill('Dana Whitfield');
  await page.getByLabel('Email').fill('dana@example.com');
  await page.getByLabel('Message').fill('Our service-lane tablets lose Wi-Fi every afternoon.');
  await page.getByRole('button', { name: 'Send Message' }).click();
}

/** Answers with a fixed reference, so that pictures can be compared. */
async function sendMessage(page: Page): Promise<void> {
  await page.route('**/api/contact', (route) =>
    route.fulfill({ json: { contact: { name: 'Dana Whitfield' }, reference: 'C-1042' } }),
  );
  await fillContact(page);
  await see('Message Sent Successfully!')(page);
}

async function sendInVain(page: Page): Promise<void> {
  await fillContact(page);
  await see('Form Submission Error')(page);
}

async function askInChat(page: Page): Promise<void> {
  await openChat(page);
  await sendChat(page, QUESTION);
  await dialogOf(page).waitFor();
}

async function askInVain(page: Page): Promise<void> {
  await openChat(page);
  await sendFirst(page, QUESTION);
  await see('Failed to send message. Please try again.')(page);
  await page.getByText('Message Error', { exact: true }).waitFor();
}

const QUESTION = 'Can you look after two dealerships?';

function away(route: Route): Promise<void> {
  return route.fulfill({ status: 503, json: { message: 'Please try again in a few seconds.' } });
}
