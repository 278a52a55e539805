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
  always: [
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
    { url: /\/api\/services$/, answer: services, shows: services[1].description },
    { url: /\/api\/solutions$/, answer: solutions, shows: solutions[1].description },
    { url: /\/api\/plans$/, answer: plans, shows: plans[1].description },
    { url: /\/api\/update-plans$/, answer: { success: true, updated: 0 } },
  ],
};

const OF_ORDER = {
  answer: { ...ORDERS.orders[0], refunded: 5, endsAt: ORDER.createdAt },
  shows: 'Microsoft 365 Business Premium',
  essential: /^id /,
};
const OF_ACCOUNT = {
  url: /\/api\/order-page$/,
  answer: { ...ACCOUNT, order: OF_ORDER.answer },
  shows: 'Microsoft 365 Business Premium',
  // Without lines the plan is named by its order alone.
  skip: /^order\.lines /,
  essential: /^order(\.id)? /,
};
const PLANS = { url: /\/api\/plans$/, answer: plans, shows: plans[1].description };
const CHECKOUT = {
  path: '/checkout?plan=2',
  always: ['Almost There!', 'Available Plans', 'Order Summary', 'Need a custom solution?'],
} as const;
/** The return address after a payment. */
const RETURN: Omit<Screen, 'name' | 'calls'> = {
  ...CHECKOUT,
  // The content depends on the payment; only the footer is always there.
  always: ['Secure Transactions'],
  within: '#root',
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
  essential: /^status /,
  failure: 'Failed to fetch order status',
};

const OF_QUOTE = {
  url: /\/api\/quote$/,
  answer: QUOTE,
  shows: 'Microsoft 365 Business Standard',
  essential: /^(planId|ms365Option|amount) /,
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
  { ...RETURN, name: 'the return from paying', calls: [PAYMENT], otherCalls: [MOVED_ON, PLANS] },
  { ...RETURN, name: 'an order that moves on', calls: [MOVED_ON], otherCalls: [PAYMENT, PLANS] },
  {
    name: 'the customer’s own page',
    path: '/checkout/order#token',
    always: ['Your order'],
    calls: [{ ...OF_ACCOUNT, failure: 'Failed to fetch order status' }],
  },
  {
    name: 'the page of a quote',
    path: '/quote/token',
    always: ['Secure Transactions'],
    within: '#root',
    calls: [OF_QUOTE],
  },
  {
    name: 'the checkout of a quote',
    path: '/checkout?quote=token',
    always: ['Almost There!', 'Choose another plan'],
    calls: [OF_QUOTE],
  },
];
