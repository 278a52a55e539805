import type { BrowserContext, Page, Request, Route } from 'playwright-core';
import { browserPrefix } from './browser.ts';
import { fieldHtml, fieldPath } from './stand-in-field.ts';
import { releaseTrain, stripeJsStandIn } from './stripe-js-stand-in.ts';

type Fulfilment = Parameters<Route['fulfill']>[0] & object;

interface StripeTraffic {
  /** The URLs at Stripe that the browser requested, in order. */
  readonly requested: readonly string[];
}

const shared = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*',
  'access-control-allow-methods': 'POST, OPTIONS',
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'no-store',
};

const page = (type: string, body: string): Fulfilment => ({
  status: 200,
  headers: shared,
  contentType: `${type}; charset=utf-8`,
  body,
});

const notFound: Fulfilment = {
  ...page('text/plain', 'The stand-in for Stripe serves nothing here'),
  status: 404,
};

const fixed: Record<string, Fulfilment> = {
  [`https://js.stripe.com/${releaseTrain}/stripe.js`]: page('text/javascript', stripeJsStandIn),
  [`https://js.stripe.com${fieldPath}`]: page('text/html', fieldHtml),
};

const forward = async (request: Request, target: string): Promise<Fulfilment> => {
  const method = request.method();
  if (method === 'OPTIONS') return { status: 204, headers: shared };
  const response = await fetch(target, {
    method,
    ...(method === 'POST' ? { body: request.postData() ?? '' } : {}),
  });
  return {
    status: response.status,
    headers: shared,
    contentType: 'application/json',
    body: await response.text(),
  };
};

/**
 * Answers all requests of the browser to Stripe's hosts, so that none leaves the machine. Frames
 * that are not `framed` are asked of the network.
 */
export const routeStripe = async (
  context: BrowserContext,
  fake: { url: string },
  { framed = true } = {},
): Promise<StripeTraffic> => {
  const requested: string[] = [];
  await context.route(/^https:\/\/([a-z0-9-]+\.)*stripe\.(com|network)\//i, async (route) => {
    const request = route.request();
    const { origin, hostname, pathname } = new URL(request.url());
    requested.push(request.url());
    const known = fixed[`${origin}${pathname}`];
    if (!framed && pathname === fieldPath) await route.continue();
    else if (known !== undefined) await route.fulfill(known);
    else if (hostname === 'api.stripe.com' && pathname.startsWith(browserPrefix)) {
      await route.fulfill(await forward(request, `${fake.url}${pathname}`));
    } else await route.fulfill(notFound);
  });
  return { requested };
};

/** The titles of Stripe's card fields, each an iframe, and what to type into them. */
export const cardFields = (number: string, expiry = '1234', cvc = '737'): [string, string][] => [
  ['Secure card number input frame', number],
  ['Secure expiration date input frame', expiry],
  ['Secure CVC input frame', cvc],
];

export async function typeCard(page: Page, ...card: Parameters<typeof cardFields>): Promise<void> {
  for (const [title, value] of cardFields(...card)) {
    await page.frameLocator(`iframe[title="${title}"]`).locator('input').fill(value);
  }
  // The frames report by messages: pressed before the last one, Pay finds a field missing.
  await page.locator('.StripeElement--complete').nth(2).waitFor();
}
