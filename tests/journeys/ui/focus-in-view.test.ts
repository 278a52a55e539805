/** On a short screen, the focus is in view and uncovered, and no page scrolls sideways. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { type Screen, sharedBrowser } from '../../support/browser.ts';
import { openPayment } from '../../support/checkout-steps.ts';
import { customer } from '../../support/own-page.ts';
import { QUOTE } from '../../support/quote-site.ts';
import { insertSubmission } from '../../support/staff-steps.ts';
import { sharedTestApp, type TestApp } from '../../support/test-app.ts';

const SHORT: Screen[] = [
  { name: 'a desktop zoomed to 400 %', width: 320, height: 256 },
  { name: 'a phone on its side', width: 667, height: 375 },
];

const CHOSEN = '/checkout?plan=2&microsoft365=business_premium&ms365_users=26&cloud_backup=true';

interface Walk {
  path(app: TestApp): Promise<string>;
  staff?: boolean;
  /** What is done before the walk. */
  act?(page: Page): Promise<unknown>;
}

const at = (path: string): Walk => ({ path: async () => path });
const staff = (path: string): Walk => ({ ...at(path), staff: true });

const WALKS: Record<string, Walk> = {
  'the home page': at('/'),
  'an article': at('/news/ftc-safeguards-rule'),
  'a legal page': at('/privacy-policy'),
  'the resources': at('/resources/'),
  'the trust page': at('/trust'),
  'the self-check': at('/safeguards-check'),
  'a page that is not found': {
    ...at('/nowhere'),
    // Otherwise it leads to the home page after five seconds.
    act: (page) => page.getByRole('button', { name: 'Stay here' }).click(),
  },
  'the open chat': { ...at('/news'), act: openChat },
  'a page with the chat open over it': { ...at('/news'), act: reloadWithChat },
  'the checkout': at(CHOSEN),
  'the payment form': {
    ...at(CHOSEN),
    async act(page) {
      await openPayment(page);
      await page.getByLabel('CVV').waitFor();
    },
  },
  'the quote form': {
    ...at(CHOSEN),
    async act(page) {
      await page.getByRole('button', { name: 'Save as a quote' }).click();
      await page.getByLabel('Email').waitFor();
    },
  },
  'a quote': { path: async (app) => (await app.visitor().post('/api/quotes', QUOTE)).json.url },
  'the customer’s page': { path: async (app) => (await customer(app)).link },
  'the page for customers without a link': at('/checkout/order'),
  'the sign-in': at('/admin-login'),
  'the inbox': {
    path: async (app) => `/admin?open=${await insertSubmission(app)}`,
    staff: true,
  },
  'staff’s orders': staff('/admin/orders'),
  'staff’s quotes': staff('/admin/quotes'),
  'personal data': staff('/admin/people?find=dana@example.com'),
  'the access logs': staff('/admin/logs'),
  'a member of staff’s account': staff('/admin/account'),
};

async function reloadWithChat(page: Page): Promise<void> {
  await openChat(page);
  await page.reload();
  await page.getByLabel('Write to support').waitFor();
}

async function openChat(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Chat with us' }).press('Enter');
  await page.getByLabel('Write to support').fill('A line\n'.repeat(40));
}

describe.each(SHORT)('with the keyboard on $name', (screen) => {
  const browser = sharedBrowser();
  const app = sharedTestApp();

  /** Each walk on one of the screens. */
  const walks = Object.keys(WALKS).filter((_, place) => SHORT[place % SHORT.length] === screen);
  test.each(walks)(
    'a person fills in and passes %s and always sees where they are',
    async (name) => {
      const walk = WALKS[name];
      if (!walk) throw new Error(name);
      const path = await walk.path(app);
      const page = await (walk.staff ? browser.visitAsStaff : browser.visit)(screen, app, path, {
        allowErrors: /status of 404/,
      });
      await walk.act?.(page);
      await page.waitForLoadState('networkidle');
      expect(await faultsOnTheWay(page)).toEqual([]);
    },
  );
});

const MAX_STOPS = 400;

/** Tabs through the page once, fills in fields, and describes each stop that cannot be seen. */
async function faultsOnTheWay(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (let stop = 0; stop < MAX_STOPS; stop += 1) {
    await page.keyboard.press('Tab');
    const found = await page.evaluate(lookAtFocus);
    if (found === null) return faults;
    const { text, fault } = found;
    if (fault) faults.push(fault);
    if (text === null) continue;
    await page.keyboard.insertText(text);
    const after = (await page.evaluate(lookAtFocus))?.fault;
    if (after) faults.push(`${after}, filled in`);
  }
  return [...faults, `more than ${MAX_STOPS} stops`];
}

/** Runs in the page. Null at the end of a round; `text` is what to type into the focused field. */
function lookAtFocus(): { text: string | null; fault: string | null } | null {
  /** Of a long text, the line that is being typed. */
  const LINE = 44;
  const marked = '__seen';
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  const field = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
  if (element.hasAttribute(marked) && !element.matches(':focus[data-typing]')) return null;
  const typed =
    field && !element.readOnly && /^(text|email|tel|password|textarea)$/.test(element.type);
  const first = !element.hasAttribute(marked);
  element.setAttribute(marked, '');
  element.toggleAttribute('data-typing', typed && first);
  const label = `${element.tagName} ${(element.ariaLabel ?? element.textContent ?? '').trim().slice(0, 40)}${field ? (element.labels?.[0]?.textContent ?? element.name) : ''}`;
  const rects = [...element.getClientRects()].filter(
    ({ width, height }) => width > 0 && height > 0,
  );
  const seen = (rect: DOMRect): string | null => {
    const top = Math.max(rect.top, 0);
    const bottom = Math.min(rect.bottom, innerHeight);
    if (bottom - top < Math.min(rect.height, LINE) - 1) return 'out of view';
    if (rect.left < -1 || rect.right > innerWidth + 1) return 'beside the screen';
    const y = (top + bottom) / 2;
    for (const x of [rect.left + 4, (rect.left + rect.right) / 2, rect.right - 4]) {
      const hit = document.elementFromPoint(x, y);
      if (hit && !element.contains(hit) && !hit.contains(element))
        return `covered by ${hit.tagName} ${hit.className.toString().slice(0, 60)}`;
    }
    return null;
  };
  const sideways = document.documentElement.scrollWidth > innerWidth ? 'scrolls sideways' : null;
  const fault =
    sideways ?? (rects.length === 0 ? 'not shown' : (rects.map(seen).find(Boolean) ?? null));
  const text =
    typed && first ? (element.type === 'email' ? 'ann@example.com' : 'Ann Lee 12') : null;
  return { text, fault: fault && `${label}: ${fault}` };
}
