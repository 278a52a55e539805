/** Card data reaches the payment provider alone: no request to us, table, log or storage. */
import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type BrowserForTests, SCREENS, sharedBrowser } from '../../support/browser.ts';
import { fillBilling, fillCard, newEmail, openPayment, pay } from '../../support/checkout-steps.ts';
import { type FakeStripe, startFakeStripe } from '../../support/fake-stripe/fake-stripe.ts';
import { routeStripe, typeCard } from '../../support/fake-stripe/playwright-route.ts';
import { captureLog } from '../../support/logged.ts';
import { stripeVariables, WITH_MAIL } from '../../support/stripe-shop.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';
import { variant } from '../../support/variant.ts';

/** All digits; the expiry as MMYY. The CVC begins with 0, as no JSON number does. */
interface TypedCard {
  number: string;
  expiry: string;
  cvc: string;
}

const PLANTED = { number: '4242424242424242', expiry: '0839', cvc: '089' };
const DECLINED = { number: '4000000000000002', expiry: '0741', cvc: '064' };
const ASKS = { number: '4000002500003155', expiry: '0642', cvc: '071' };
const REAL = { number: '4539148803436467', expiry: '1043', cvc: '053' };
const REPLACES = { number: '5555555555554444', expiry: '1144', cvc: '046' };
const CARDS = [PLANTED, DECLINED, ASKS, REAL, REPLACES];

let app: TestApp;
let log: ReturnType<typeof captureLog>;
/** All requests from the browser to our server, and the contents of the browser's storage. */
let captured: string[];

async function start(more: Record<string, string>): Promise<void> {
  log = captureLog();
  app = await startTestApp({ ...WITH_MAIL, ...more });
  captured = [];
}
afterEach(() => app.stop());

async function openForm(browser: BrowserForTests, stripe?: FakeStripe): Promise<Page> {
  const page = await browser.open(SCREENS[0]);
  if (stripe) await routeStripe(page.context(), stripe);
  page.on('request', async (request) => {
    if (!request.url().startsWith(app.address)) return;
    captured.push(`${request.method()} ${request.url()} ${request.postData() ?? ''}`);
    captured.push(JSON.stringify(await request.allHeaders().catch(() => request.headers())));
  });
  await page.goto(`${app.address}/checkout?plan=2`);
  await openPayment(page);
  await fillBilling(page, newEmail('pat'));
  return page;
}

/** How the gateway's card form is filled in. */
type TypeCard = typeof fillCard | typeof typeCard;

/** Presses Pay, answers the bank if it asks, and waits for these words. */
async function payWith(
  page: Page,
  type: TypeCard,
  { number, expiry, cvc }: TypedCard,
  words: string,
  atBank?: string,
): Promise<void> {
  await type(page, number, expiry, cvc);
  await pay(page);
  if (atBank) await page.getByRole('button', { name: atBank }).click();
  await page.getByText(words).filter({ visible: true }).first().waitFor();
  await captureStorage(page);
}

/** From the page that thanks for the payment. */
async function replaceCard(page: Page, type: TypeCard): Promise<void> {
  await page.getByRole('link', { name: 'Manage your plan' }).click();
  await page.getByRole('button', { name: 'Replace card' }).click();
  await type(page, REPLACES.number, REPLACES.expiry, REPLACES.cvc);
  await page.getByRole('button', { name: 'Save card' }).click();
  await page.getByText(/Mastercard (test card )?•• 4444/).waitFor();
  await captureStorage(page);
}

async function captureStorage(page: Page): Promise<void> {
  const kept = () =>
    JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie, location.href]);
  captured.push(await page.evaluate(kept));
}

/** Searches all that our server has; then plants a card, which the search must find. */
async function expectNoTrace(): Promise<void> {
  expect(captured.length).toBeGreaterThan(20);
  // A stop writes the rest of the access log.
  app = await app.restart();
  const texts = await storedTexts();
  expect(texts.length).toBeGreaterThan(50);
  for (const card of CARDS) {
    const places = [...captured, JSON.stringify(log.lines), ...texts];
    expect(places.filter((place) => cardTraces(card, place).length > 0)).toEqual([]);
  }
  const message = `Card ${PLANTED.number.replace(/(.{4})/g, '$1 ')}, 08/39, CVC 089`;
  await app.visitor().post('/api/contact', { name: 'Pat', email: 'pat@example.com', message });
  const found = (await storedTexts()).filter((text) => cardTraces(PLANTED, text).length === 3);
  expect(found).toEqual([expect.stringContaining('entries.text')]);
}

/** Every text in the database, prefixed with its table and column. */
async function storedTexts(): Promise<string[]> {
  const { db } = app.database;
  const texts: string[] = [];
  for (const { name } of await db.introspection.getTables()) {
    const { rows } = await sql<object>`select * from ${sql.table(name)}`.execute(db);
    for (const [column, value] of rows.flatMap(Object.entries))
      if (typeof value === 'string') texts.push(`${name}.${column}: ${value}`);
  }
  return texts;
}

/** Returns every piece of the card's data that the text contains, as written there. */
function cardTraces({ number, expiry, cvc }: TypedCard, text: string): string[] {
  const [month, year] = [String(Number(expiry.slice(0, 2))), expiry.slice(2)];
  const patterns = [
    [...number.slice(0, 12)].join('(?:[\\s+.-]|%20)?'),
    alone(cvc),
    alone(`20${year}`),
    alone(`0?${month}(?:\\s|%20)?(?:/|%2F|-|)(?:\\s|%20)?(?:20)?${year}`),
    alone(`20${year}-?0?${month}`),
  ];
  return patterns.flatMap((pattern) => text.match(new RegExp(pattern, 'gi')) ?? []);
}

/** Matches the pattern only where it is not part of an id, an amount or a time of day. */
function alone(pattern: string): string {
  return `(?<![\\w.-]|\\d:)(?:${pattern})(?![\\w-]|[.:]\\d)`;
}

describe('with the test gateway', () => {
  const browser = sharedBrowser();
  beforeEach(() => start({}));

  test('a real card is refused, and no digit of any card, or of its replacement, reaches our server or stays in the browser', async () => {
    const page = await openForm(browser);
    await payWith(page, fillCard, REAL, 'This is not a test card.');
    await payWith(page, fillCard, DECLINED, 'Your card was declined.');
    await payWith(page, fillCard, ASKS, 'Payment successful!', 'Approve');
    await replaceCard(page, fillCard);
    await expectNoTrace();
  });
});

describe('with Stripe', () => {
  const browser = sharedBrowser();
  let fake: FakeStripe;
  beforeEach(async () => {
    fake = await startFakeStripe();
    await start(stripeVariables(fake));
    fake.autoDeliver(`${app.address}/api/stripe/webhook`);
  });
  afterEach(() => fake.close());

  variant(
    'no digit of a declined, a 3-D Secure and a replacement card reaches our server or stays in the browser',
    async () => {
      const page = await openForm(browser, fake);
      await payWith(page, typeCard, DECLINED, 'Payment Error');
      await payWith(page, typeCard, ASKS, 'did not confirm', 'Fail authentication');
      await payWith(page, typeCard, ASKS, 'Payment successful!', 'Complete authentication');
      await replaceCard(page, typeCard);
      await fake.settled();
      captured.push(...fake.requests.map(({ path, raw }) => `${path} ${decodeURIComponent(raw)}`));
      await expectNoTrace();
    },
  );
});
