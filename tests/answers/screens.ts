/** Visitors' screens that depend on calls, and the texts that they must show with any answer. */
import { readFileSync } from 'node:fs';
import { ACCOUNT, ORDER, ORDERS } from '../looks/order-answers.ts';
import { QUOTE } from '../looks/quote-answers.ts';
import type { Screen } from './feed.ts';

const catalogue = (name: string) =>
  JSON.parse(readFileSync(`content/catalogue/${name}.json`, 'utf8'));
const [services, solutions, plans] = ['services', 'solutions', 'plans'].map(catalogue);

const HOME: Screen = {
  name: 'the home page',
  path: '/',
  stays: [
    'Modern Technology Solutions for Your Business',
    '24/7 Monitoring',
    'Our Professional Services',
    'Industry Solutions',
    'Flexible Payment Options',
    'Transparent Pricing',
    'Latest News & Updates',
    'Our Mission',
    'Send us a Message',
  ],
  calls: [
    { url: /\/api\/services$/, answer: services, rest: services[1].description },
    { url: /\/api\/solutions$/, answer: solutions, rest: solutions[1].description },
    { url: /\/api\/plans$/, answer: plans, rest: plans[1].description },
    { url: /\/api\/update-plans$/, answer: { success: true, updated: 0 } },
  ],
};

const OF_ORDER = {
  answer: { ...ORDERS.orders[0], refunded: 5, endsAt: ORDER.createdAt },
  rest: 'Microsoft 365 Business Premium',
  needs: /^id /,
};
const OF_ACCOUNT = {
  url: /\/api\/order-page$/,
  answer: { ...ACCOUNT, order: OF_ORDER.answer },
  rest: 'Microsoft 365 Business Premium',
  // Without lines the plan is named by its order alone.
  not: /^order\.lines /,
  needs: /^order(\.id)? /,
};
const PLANS = { url: /\/api\/plans$/, answer: plans, rest: plans[1].description };
const CHECKOUT = {
  path: '/checkout?plan=2',
  stays: ['Almost There!', 'Available Plans', 'Order Summary', 'Need a custom solution?'],
} as const;
/** The return address after a payment. */
const RETURN: Omit<Screen, 'name' | 'calls'> = {
  ...CHECKOUT,
  // The content depends on the payment; only the footer is always there.
  stays: ['Secure Transactions'],
  where: '#root',
  path: `${CHECKOUT.path}&payment_intent_client_secret=secret`,
};
const MOVED_ON = {
  url: /\/api\/orders\/1042\/update-status$/,
  ...OF_ORDER,
  failure: 'Failed to update order status',
};
const PAYMENT = {
  url: /\/api\/test-payments\/retrieve$/,
  answer: { status: 'succeeded', message: 'Done' },
  needs: /^status /,
  failure: 'Failed to fetch order status',
};

const OF_QUOTE = {
  url: /\/api\/quote$/,
  answer: QUOTE,
  rest: 'Microsoft 365 Business Standard',
  needs: /^(planId|ms365Option|amount) /,
  failure: 'Your quote could not be loaded.',
};

/** In a tab that has placed order 1042. */
export const VISITOR_SCREENS: readonly Screen[] = [
  HOME,
  {
    ...CHECKOUT,
    name: 'the checkout with an order',
    calls: [PLANS, { url: /\/api\/orders\/1042$/, ...OF_ORDER }],
  },
  { ...RETURN, name: 'the return from paying', calls: [PAYMENT], besides: [MOVED_ON, PLANS] },
  { ...RETURN, name: 'an order that moves on', calls: [MOVED_ON], besides: [PAYMENT, PLANS] },
  {
    name: 'the customer’s own page',
    path: '/checkout/order#token',
    stays: ['Your order'],
    calls: [{ ...OF_ACCOUNT, failure: 'Failed to fetch order status' }],
  },
  {
    name: 'the page of a quote',
    path: '/quote/token',
    stays: ['Secure Transactions'],
    where: '#root',
    calls: [OF_QUOTE],
  },
  {
    name: 'the checkout of a quote',
    path: '/checkout?quote=token',
    stays: ['Almost There!', 'Choose another plan'],
    calls: [OF_QUOTE],
  },
];
