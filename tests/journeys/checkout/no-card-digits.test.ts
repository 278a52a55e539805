/** Card data goes to the payment provider only: never into a request to us, a table, a log or the browser's storage. */
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readEnv } from '../../../src/platform/config/env.server.ts';
import { openDatabase } from '../../../src/platform/database/database.server.ts';
import { type BrowserForTests, SCREENS, sharedBrowser } from '../../support/browser.ts';
import { cardTraces, type TypedCard, textsIn } from '../../support/card-traces.ts';
import { type FakeStripe, startFakeStripe } from '../../support/fake-stripe/fake-stripe.ts';
import { routeStripe, typeCard } from '../../support/fake-stripe/playwright-route.ts';
import { type RunningProcess, startServer } from '../../support/server-process.ts';
import { stripeVariables, WITH_MAIL } from '../../support/stripe-shop.ts';
import { type TestDatabase, testDatabase } from '../../support/test-app.ts';
import { Visitor } from '../../support/visitor.ts';

const PAYS = { number: '4242424242424242', expiry: '0839', cvc: '089' };
const DECLINED = { number: '4000000000000002', expiry: '0741', cvc: '064' };
const ASKS = { number: '4000002500003155', expiry: '0642', cvc: '071' };
const REAL = { number: '4539148803436467', expiry: '1043', cvc: '053' };
const REPLACES = { number: '5555555555554444', expiry: '1144', cvc: '046' };
const CARDS = [PAYS, DECLINED, ASKS, REAL, REPLACES];

let ground: TestDatabase;
let server: RunningProcess;
let variables: Record<string, string>;
/** URL, headers and body of every request from the browser to our server, and the contents of the browser's storage. */
let captured: string[];

async function start(more: Record<string, string>): Promise<void> {
  ground = await testDatabase();
  variables = { ...ground.variables, ...WITH_MAIL, ...more };
  server = await startServer(variables);
  captured = [];
}
afterEach(async () => {
  await server.stop('SIGKILL');
  await ground.drop();
});

async function openForm(browser: BrowserForTests, stripe?: FakeStripe): Promise<Page> {
  const page = await browser.open(SCREENS[0]);
  if (stripe) await routeStripe(page.context(), stripe);
  page.on('request', async (request) => {
    if (!request.url().startsWith(server.address)) return;
    captured.push(`${request.method()} ${request.url()} ${request.postData() ?? ''}`);
    captured.push(JSON.stringify(await request.allHeaders().catch(() => request.headers())));
  });
  await page.goto(`${server.address}/checkout?plan=2`);
  await page.getByRole('button', { name: 'Proceed to Checkout' }).click();
  await page.getByLabel('Name on Card').fill('Pat Buyer');
  await page.getByLabel('Billing Email').fill('pat@example.com');
  await page.getByLabel(/terms and conditions/).check();
  return page;
}

const pay = (page: Page) => page.getByRole('button', { name: /^Pay \$/ }).click();
const waitForText = (page: Page, words: string) =>
  page.getByText(words, { exact: true }).first().waitFor();

type TypeCard = (page: Page, card: TypedCard) => Promise<unknown>;

/** From the page that thanks for the payment. */
async function replaceCard(page: Page, type: TypeCard): Promise<void> {
  await page.getByRole('link', { name: 'View your order' }).click();
  await page.getByRole('button', { name: 'Replace card' }).click();
  await type(page, REPLACES);
  await page.getByRole('button', { name: 'Save card' }).click();
  await page.getByText('Mastercard ending in 4444').waitFor();
  await captureStorage(page);
}

async function captureStorage(page: Page): Promise<void> {
  const kept = () =>
    JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie, location.href]);
  captured.push(await page.evaluate(kept));
}

/** Searches what our server received, stored and printed; then plants a card to prove that the search would find one. */
async function expectNoTrace(): Promise<void> {
  const message = `Card ${PAYS.number.replace(/(.{4})/g, '$1 ')}, 08/39, CVC 089`;
  const contact = { name: 'Pat', email: 'pat@example.com', message };
  expect(captured.length).toBeGreaterThan(20);
  const sent = await server.stop();
  const texts = await storedTexts();
  expect(texts.length).toBeGreaterThan(50);
  for (const card of CARDS) {
    const places = [...captured, sent.output, ...texts];
    expect(places.filter((place) => cardTraces(card, place).length > 0)).toEqual([]);
  }
  server = await startServer(variables);
  await new Visitor(server.address).post('/api/contact', contact);
  await server.stop();
  const found = (await storedTexts()).filter((text) => cardTraces(PAYS, text).length === 3);
  expect(found).toEqual([expect.stringContaining('contactSubmissions.message')]);
}

async function storedTexts(): Promise<string[]> {
  const database = await openDatabase(readEnv(variables));
  const texts = await textsIn(database.db);
  await database.close();
  return texts;
}

describe('with the test gateway', () => {
  const browser = sharedBrowser();
  beforeEach(() => start({}));

  async function type(page: Page, { number, expiry, cvc }: TypedCard) {
    await page.getByLabel('Card Number').fill(number);
    await page.getByLabel('Expiry Date').fill(expiry);
    await page.getByLabel('CVV').fill(cvc);
  }

  test('a real card is refused, and no digit of any card, or of its replacement, reaches our server or stays in the browser', async () => {
    const page = await openForm(browser);
    await type(page, REAL);
    await pay(page);
    await page.getByRole('alert').filter({ hasText: 'This is not a test card.' }).waitFor();
    await captureStorage(page);
    await type(page, DECLINED);
    await pay(page);
    await page.getByRole('alert').filter({ hasText: 'Your card was declined.' }).waitFor();
    await captureStorage(page);
    await type(page, PAYS);
    await pay(page);
    await waitForText(page, 'Payment successful!');
    await captureStorage(page);
    await replaceCard(page, type);
    const other = await openForm(browser);
    await type(other, ASKS);
    await pay(other);
    await other.getByRole('button', { name: 'Approve' }).click();
    await waitForText(other, 'Payment successful!');
    await captureStorage(other);
    await expectNoTrace();
  });
});

describe('with Stripe', () => {
  const browser = sharedBrowser();
  let fake: FakeStripe;
  beforeEach(async () => {
    fake = await startFakeStripe();
    await start(stripeVariables(fake));
    fake.autoDeliver(`${server.address}/api/stripe/webhook`);
  });
  afterEach(() => fake.close());

  const type = (page: Page, { number, expiry, cvc }: TypedCard) =>
    typeCard(page, number, expiry, cvc);

  test('no digit of a good, a declined, a 3-D Secure and a replacement card reaches our server or stays in the browser', async () => {
    const page = await openForm(browser, fake);
    await type(page, DECLINED);
    await pay(page);
    await waitForText(page, 'Payment Error');
    await captureStorage(page);
    await type(page, ASKS);
    await pay(page);
    await page.getByRole('button', { name: 'Fail authentication' }).click();
    await page.getByLabel('Payment', { exact: true }).getByText('did not confirm').waitFor();
    await pay(page);
    await page.getByRole('button', { name: 'Complete authentication' }).click();
    await waitForText(page, 'Payment successful!');
    await captureStorage(page);
    await replaceCard(page, type);
    const other = await openForm(browser, fake);
    await other.getByLabel('Billing Email').fill('other@example.com');
    await type(other, PAYS);
    await pay(other);
    await waitForText(other, 'Payment successful!');
    await captureStorage(other);
    await fake.settled();
    captured.push(...fake.requests.map(({ path, raw }) => `${path} ${decodeURIComponent(raw)}`));
    expect(fake.browserRequests.map(({ path }) => path)).toContain('/__stand_in/confirm');
    await expectNoTrace();
  });
});
