/** Every route in every main state, and how a visitor gets it onto the screen. */
import type { Page } from 'playwright-core';
import {
  CARDS,
  choosePlan,
  fillCard,
  fillPayment,
  openPayment,
  pay,
} from '../support/checkout-steps.ts';

/** The screens at which everything is looked at. */
export const WIDTHS = [390, 768, 1280, 1920] as const;

export interface ScreenState {
  name: string;
  path: string;
  /** Before the page is asked for, such as a call that shall fail. */
  before?: (page: Page) => Promise<unknown>;
  /** What the visitor does once the page is there. */
  act?: (page: Page) => Promise<unknown>;
  /** What the console says about a state that is a failure. */
  complaints?: RegExp;
  /** A state that exists on these widths only. */
  widths?: readonly number[];
}

const ARTICLES = [
  'data-fencing',
  'small-businesses-beware',
  'outsourcing-it',
  'mobile-device-management',
  'active-directory',
  'stay-ahead-phishers',
  'windows-defender-update',
  'ftc-safeguards-rule',
  'teams-phone-system',
];
const LISTS = /\/api\/(services|solutions|plans)$/;
const CHOSEN = '/checkout?plan=2&microsoft365=business_premium&ms365_users=20&cloud_backup=true';

export const PUBLIC_SCREENS: readonly ScreenState[] = [
  { name: 'home', path: '/' },
  { name: 'home-menu', path: '/', act: openMenu, widths: [390, 768] },
  {
    name: 'home-awaited',
    path: '/no-such-page',
    before: neverAnswered,
    act: moveHome,
    complaints: /404/,
  },
  {
    name: 'home-failed',
    path: '/',
    before: refused,
    act: seeListsFail,
    complaints: /status of 500/,
  },
  { name: 'news', path: '/news' },
  ...ARTICLES.map((slug) => ({ name: `news-${slug}`, path: `/news/${slug}` })),
  { name: 'resources', path: '/resources/' },
  { name: 'privacy-policy', path: '/privacy-policy' },
  { name: 'terms-of-service', path: '/terms-of-service' },
  { name: 'security-policy', path: '/security-policy' },
  { name: 'not-found', path: '/no-such-page', act: stay, complaints: /404/ },
];

export const CHECKOUT_SCREENS: readonly ScreenState[] = [
  { name: 'checkout', path: '/checkout' },
  { name: 'checkout-chosen', path: CHOSEN },
  {
    name: 'checkout-awaited',
    path: '/checkout',
    before: refusedThenNeverAnswered,
    act: again,
    complaints: /status of 500/,
  },
  {
    name: 'checkout-failed',
    path: '/checkout',
    before: refused,
    act: seePlansFail,
    complaints: /status of 500/,
  },
  { name: 'payment', path: CHOSEN, act: openPayment },
  { name: 'payment-faults', path: CHOSEN, act: payWithNothing },
  { name: 'payment-declined', path: CHOSEN, act: payByBadCard },
  { name: 'payment-confirm', path: CHOSEN, act: payByAskingCard },
  { name: 'paid', path: '/checkout', act: payByGoodCard },
];

/** Brings a state onto the screen of a new visitor, and waits until nothing moves. */
export async function show(
  { path, before, act }: ScreenState,
  page: Page,
  address: string,
): Promise<void> {
  await before?.(page);
  await page.goto(address + path);
  await act?.(page);
  await page.evaluate(() =>
    Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => undefined))),
  );
}

async function openMenu(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Open menu' }).click();
}

function neverAnswered(page: Page): Promise<unknown> {
  return page.route(LISTS, () => new Promise(() => undefined));
}

function refused(page: Page): Promise<unknown> {
  return page.route(LISTS, (route) => route.fulfill({ status: 500, body: '' }));
}

async function refusedThenNeverAnswered(page: Page): Promise<void> {
  await neverAnswered(page);
  await page.route(LISTS, (route) => route.fulfill({ status: 500, body: '' }), { times: 1 });
}

async function moveHome(page: Page): Promise<void> {
  await stay(page);
  await page.getByRole('link', { name: 'Return to Home' }).click();
  await page.getByRole('status').filter({ hasText: 'Loading services' }).waitFor();
}

function seeListsFail(page: Page): Promise<void> {
  return page.getByText('Error loading services. Please try again later.').waitFor();
}

function seePlansFail(page: Page): Promise<void> {
  return page.getByText('Error loading pricing plans. Please try again later.').waitFor();
}

async function again(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.locator('[data-placeholder="plan"]').first().waitFor();
}

async function stay(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Stay here' }).click();
}

async function payWithNothing(page: Page): Promise<void> {
  await openPayment(page);
  await pay(page);
  await page.getByText('Please accept the terms and conditions').waitFor();
}

async function payByBadCard(page: Page): Promise<void> {
  await openPayment(page);
  await fillPayment(page, CARDS.declined);
  await pay(page);
  await page.getByRole('alert').first().waitFor();
}

async function payByAskingCard(page: Page): Promise<void> {
  await openPayment(page);
  await fillPayment(page, CARDS.asks);
  await pay(page);
  await page.getByRole('button', { name: 'Approve' }).waitFor();
}

async function payByGoodCard(page: Page): Promise<void> {
  await choosePlan(page, 'Professional');
  await openPayment(page);
  await fillPayment(page, CARDS.unknown);
  await fillCard(page, CARDS.good);
  await pay(page);
  await page.getByText('Payment successful!').waitFor();
}
