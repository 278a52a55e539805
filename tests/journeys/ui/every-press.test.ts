/** Every button of every screen, pressed twice: one call of a kind, one row and one mail each. */
import { sql } from 'kysely';
import type { ElementHandle, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCREENS, sharedBrowser } from '../../support/browser.ts';
import { newEmail } from '../../support/checkout-steps.ts';
import { Mailbox } from '../../support/mailbox.ts';
import { nextFrame } from '../../support/next-frame.ts';
import { customer } from '../../support/own-page.ts';
import { QUOTE } from '../../support/quote-site.ts';
import { quoteByStaff } from '../../support/staff-quote.ts';
import { DEMO, insertChatMessage, insertSubmission, threadOf } from '../../support/staff-steps.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';
import { TIMEOUT_MS } from '../../support/test-plan.ts';
import { pressTwice, type Twice } from './press-twice.ts';

interface Place {
  /** Makes what the screen shows, anew for each press. */
  path(app: TestApp): Promise<string>;
  staff?: true;
  /** With its header, footer and chat, which other screens have, too. */
  whole?: true;
}

const at = (path: string): Place => ({ path: async () => path });
const staff = (path: Place['path']): Place => ({ path, staff: true });

const PLACES: Record<string, Place> = {
  'the home page': at('/'),
  'the news': { ...at('/news'), whole: true },
  'the resources': at('/resources/'),
  'the self-check': at('/safeguards-check'),
  'the checkout': at('/checkout?plan=2&microsoft365=business_premium&ms365_users=20'),
  'a quote': {
    path: async (app) =>
      (await app.visitor().post('/api/quotes', { ...QUOTE, email: newEmail('dana') })).json.url,
  },
  'a quote that is paid by invoice': {
    path: async (app) => `/quote/${(await quoteByStaff(await app.staff(), { dueDays: 20 })).token}`,
  },
  'the customer’s page': { path: async (app) => (await customer(app)).link },
  'the page for customers without a link': at('/checkout/order'),
  'the sign-in': at('/admin-login'),
  'a message': {
    ...staff(async (app) => `/admin?open=${await insertSubmission(app)}`),
    whole: true,
  },
  'a chat': staff(async (app) => {
    const conversation = newEmail('olga');
    return `/admin?open=${await threadOf(app, await insertChatMessage(app, { conversation }))}`;
  }),
  'an order': staff(async (app) => `/admin/orders?open=${(await customer(app)).orderId}`),
  'staff’s quotes': staff(
    async (app) => `/admin/quotes?open=${(await quoteByStaff(await app.staff())).id}`,
  ),
  prices: staff(async () => '/admin/prices'),
  'personal data': staff(async (app) => {
    const email = newEmail('dana');
    await insertSubmission(app, { email });
    return `/admin/people?find=${email}`;
  }),
  'the access logs': staff(async () => '/admin/logs'),
  'a member of staff’s account': staff(async () => '/admin/account'),
};

const WAYS: Record<string, readonly Twice['way'][]> = {
  desk: ['mouse', 'Enter', 'Space'],
  phone: ['touch'],
};
/** Of one way, a button and the next one: within a frame, and later. */
const PAUSES = [0, 120] as const;
/** The gate presses what sends a form; the full run everything, as slowly as a cheap phone. */
const isGate = process.env.TEST_PLAN === 'gate';
const SLOWER = isGate ? 1 : 6;
/** Calls that change nothing, though they are a POST. */
const READS =
  /^POST \/api\/(order-page|quote|update-plans|page-failures|web-vitals|chat\/seen|.*\/preview|test-payments\/retrieve)$/;
/** Tables that get more than one row from one call, by what each row stands for. */
const ROWS: Record<string, string> = {
  outbox: `channel || kind || "subjectId" || coalesce("eventId", 0)`,
  // An email has a link for each order of its address.
  orderAccessLinks: '"orderId"',
  // A payment has an order pass through statuses.
  orderEvents: `"orderId" || kind || case kind when 'status' then cast(data as text) else '' end`,
};
/** Not of a press, or more than one from one press: a quote's link on the screen and by mail. */
const BESIDE =
  /^(accessLog|accessLogHours|webVitals|applied_migrations|mailRecipients|quoteLinks)$/;
/** How many presses open what is pressed then. */
const DEPTH = 2;

describe.each(SCREENS)('pressed twice on a $name', (screen) => {
  const browser = sharedBrowser();
  const site = {} as { app: TestApp; mailbox: Mailbox };
  beforeAll(async () => {
    site.mailbox = await Mailbox.start();
    site.app = await startTestApp(site.mailbox.variables);
  });
  afterAll(async () => {
    await site.app.stop();
    await site.mailbox.stop();
  });

  const ways = WAYS[screen.name] ?? [];
  const cases = Object.keys(PLACES).flatMap((name, place) => {
    const way = ways[place % ways.length];
    return way ? [{ name, way }] : [];
  });

  test.each(cases)(
    'every button of $name does it once, by $way',
    async ({ name, way }) => {
      const place = PLACES[name];
      if (!place) throw new Error(name);
      const tried = new Set<string>();
      const faults: string[] = [];
      const paths: string[][] = [[]];
      for (const path of paths) {
        let page: Page | null = await arrive(place, path);
        for (const button of await page.evaluate((few) => window.pressing.names(few), isGate)) {
          if (tried.has(button)) continue;
          tried.add(button);
          page ??= await arrive(place, path);
          const pause = PAUSES[(tried.size + ways.indexOf(way)) % 2] ?? 0;
          const { found, changed, opened } = await pressAndCount(page, button, { way, pause });
          const steps = [...path, button];
          faults.push(...found.map((fault) => `${steps.join(' > ')} after ${pause} ms: ${fault}`));
          if (opened && path.length < DEPTH && !isGate) paths.push(steps);
          if (!changed) continue;
          await page.close();
          page = null;
        }
        await page?.close();
      }
      faults.push(
        ...repeated(site.mailbox.mails.map(({ messageId }) => `mailed twice: ${messageId}`)),
      );
      expect(faults).toEqual([]);
    },
    TIMEOUT_MS * 10,
  );

  /** Opens the screen as somebody new, and presses these buttons once. */
  async function arrive(
    { path, staff: isStaff, whole }: Place,
    presses: readonly string[],
  ): Promise<Page> {
    const { app } = site;
    const page = await browser.open(screen, {
      ...(isStaff ? { as: await app.staff() } : { baseURL: app.address }),
      allowErrors: /status of 4\d\d/,
    });
    await page.context().setExtraHTTPHeaders({ 'X-Forwarded-For': app.visitor().address });
    countUnderWay(page);
    await page.addInitScript(inPage);
    await page.goto(await path(app));
    await settled(page);
    if (whole) await page.evaluate(() => document.body.setAttribute('data-whole', ''));
    for (const name of presses) {
      await (await find(page, name)).click();
      await settled(page);
    }
    await page.evaluate((typed) => window.pressing.fill(typed), {
      ...DEMO,
      email: newEmail('ann'),
    });
    await settled(page);
    return page;
  }

  async function pressAndCount(page: Page, name: string, twice: Twice) {
    const sent: string[] = [];
    let isLeft = false;
    page.on('request', (request) => {
      // The second press ends the first one's navigation, and its own may begin late.
      isLeft ||= request.isNavigationRequest();
      const call = `${request.method()} ${new URL(request.url()).pathname}`;
      if (request.method() !== 'GET' && !READS.test(call)) sent.push(call);
    });
    const before = await rows();
    await page.evaluate(() => window.pressing.take());
    const url = page.url();
    const layers = await layersOf(page);
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    const control = await find(page, name);
    await pressTwice(page, control, twice);
    await settled(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    const after = await rows();
    const toggles = await page.evaluate(() => window.pressing.take()).catch(() => []);
    const found: string[] = [];
    for (const call of repeated(sent)) found.push(`sent twice: ${call}`);
    for (const [what, count] of after)
      if (count - (before.get(what) ?? 0) > 1)
        found.push(`${count - (before.get(what) ?? 0)} rows: ${what}`);
    if (url === page.url())
      for (const what of repeated(toggles)) found.push(`opened and shut: ${what}`);
    return {
      found,
      changed: sent.length > 0 || isLeft || url !== page.url() || layers !== (await layersOf(page)),
      opened: url === page.url() && layers !== (await layersOf(page)),
    };
  }

  /** How many rows there are of each kind. */
  async function rows(): Promise<Map<string, number>> {
    const { db } = site.app.database;
    const counts = new Map<string, number>();
    for (const { name } of await db.introspection.getTables()) {
      if (BESIDE.test(name)) continue;
      const kind = sql.raw(ROWS[name] ?? `''`);
      const found = await sql<{
        kind: string;
        count: number;
      }>`select ${kind} as kind, count(*) as count from ${sql.table(name)} group by 1`.execute(db);
      for (const { kind, count } of found.rows) counts.set(`${name} ${kind}`, Number(count));
    }
    return counts;
  }
});

const repeated = (all: readonly string[]) =>
  new Set(all.filter((each, place) => all.indexOf(each) !== place));

/** A page's requests without an answer. */
const underWay = new WeakMap<Page, number>();

function countUnderWay(page: Page): void {
  const add = (by: number) => (request: Request) => {
    if (request.resourceType() !== 'eventsource')
      underWay.set(page, (underWay.get(page) ?? 0) + by);
  };
  underWay.set(page, 0);
  page.on('request', add(1));
  page.on('requestfinished', add(-1));
  page.on('requestfailed', add(-1));
}

/** Until no request is under way, and what it brought is drawn. */
async function settled(page: Page): Promise<void> {
  await expect.poll(() => underWay.get(page)).toBe(0);
  // A press may lead to another page.
  await page.evaluate(nextFrame).catch(() => page.waitForLoadState());
  await expect.poll(() => underWay.get(page)).toBe(0);
}

const layersOf = (page: Page) => page.evaluate(() => window.pressing.layers());

async function find(page: Page, name: string): Promise<ElementHandle<HTMLElement>> {
  const found = await page.evaluateHandle((wanted) => window.pressing.buttons().get(wanted), name);
  const element = found.asElement();
  if (!element) throw new Error(`no button ${name} in sight`);
  return element;
}

declare global {
  interface Window {
    pressing: ReturnType<typeof inPage>;
  }
}

/** Runs in the page, before its scripts. */
function inPage() {
  const opened: string[] = [];
  const known: Element[] = [];
  const note = (element: Element, what: string) => {
    if (!known.includes(element)) known.push(element);
    opened.push(`${element.tagName} ${element.id} ${known.indexOf(element)} ${what}`);
  };
  document.addEventListener(
    'beforetoggle',
    ({ target }) => target instanceof Element && !target.matches('.tooltip') && note(target, ''),
    true,
  );
  new MutationObserver((changes) => {
    for (const { target, attributeName, oldValue } of changes)
      if (target instanceof Element && attributeName) {
        // What is set anew to what it was has not changed.
        if (target.getAttribute(attributeName) !== oldValue) note(target, attributeName);
      }
  }).observe(document, {
    subtree: true,
    attributeOldValue: true,
    attributeFilter: ['aria-expanded', 'aria-pressed', 'aria-checked'],
  });
  /** What covers the rest, if anything does. */
  const layers = () => [
    ...document.querySelectorAll('dialog[open], [popover]:popover-open:not(.tooltip)'),
  ];
  const layer = () =>
    layers().at(-1) ?? document.querySelector('[data-whole], main') ?? document.body;

  function buttons(): Map<string, HTMLElement> {
    const found = new Map<string, HTMLElement>();
    for (const button of layer().querySelectorAll<HTMLElement>('button, [role=button]')) {
      const name = (button.ariaLabel ?? button.textContent ?? '').trim().replaceAll(/\d+/g, '0');
      if (button.matches(':disabled') || !button.checkVisibility({ visibilityProperty: true }))
        continue;
      if (!found.has(name)) found.set(name, button);
    }
    return found;
  }

  /** `few`: what sends a form, or one button where there is none. */
  function names(few: boolean): string[] {
    const all = [...buttons()];
    const sending = all.filter(([, button]) => button.matches('form [type=submit]'));
    const chosen = !few ? all : sending.length > 0 ? sending : all.slice(0, 1);
    return chosen.map(([name]) => name);
  }

  /** Fills in what is empty. */
  function fill(typed: Record<string, string>) {
    const fields = layer().querySelectorAll<
      HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement
    >('form :is(input, textarea, select)');
    for (const field of fields) {
      if (field.type === 'search' || field.disabled || !field.checkVisibility()) continue;
      if (field instanceof HTMLInputElement && /^(checkbox|radio)$/.test(field.type)) {
        const isChosen = document.querySelector(`input[name="${field.name}"]:checked`);
        if (!field.checked && !isChosen) field.click();
        continue;
      }
      if (field.value) continue;
      const text = valueFor(field, typed);
      const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value') ?? {};
      set?.call(field, text);
      const event = field instanceof HTMLSelectElement ? 'change' : 'input';
      field.dispatchEvent(new Event(event, { bubbles: true }));
    }
  }

  function valueFor(
    field: Element & { type: string; name: string; autocomplete: string },
    typed: Record<string, string>,
  ) {
    if (field instanceof HTMLSelectElement) return field.options[1]?.value ?? '';
    const known: Record<string, string> = {
      'cc-number': '4242 4242 4242 4242',
      'cc-exp': '12/40',
      'cc-csc': '123',
      email: typed.email ?? '',
      tel: '770 555 0134',
      number: '3',
      textarea: 'Our phones drop calls every afternoon.',
      'postal-code': '30301',
      username: typed.username ?? '',
      'current-password': typed.password ?? '',
    };
    return known[field.autocomplete] ?? known[field.name] ?? known[field.type] ?? 'Ann Moore';
  }

  const pressing = {
    layers: () =>
      layers()
        .map(({ id, textContent }) => id || textContent?.slice(0, 30))
        .join(),
    buttons,
    names,
    fill,
    take: () => opened.splice(0),
  };
  window.pressing = pressing;
  return pressing;
}
