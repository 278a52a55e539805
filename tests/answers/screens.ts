/** Visitors' screens that depend on calls, and the texts that they must show with any answer. */
import { readFileSync } from 'node:fs';
import { ACCOUNT, ORDER, ORDERS } from '../support/order-answers.ts';
import { QUOTE } from '../support/quote-answers.ts';
import type { Screen } from './feed.ts';

const catalogue = (name: string) =>
  JSON.parse(readFileSync(`content/catalogue/${name}.json`, 'utf8'));
const [services, solutions, plans] = ['services', 'solutions', 'plans'].map(catalogue);
const PLANS = { call: 'plans', answer: plans, shows: plans[1].description };

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
    { call: 'services', answer: services, shows: services[1].description },
    { call: 'solutions', answer: solutions, shows: solutions[1].description },
    PLANS,
    { call: 'update-plans', answer: { success: true, updated: 0 } },
  ],
};

const OF_ORDER = {
  answer: { ...ORDERS.orders[0], refunded: 5, endsAt: ORDER.createdAt },
  shows: 'Microsoft 365 Business Premium',
  essential: /^id /,
};
const CHECKOUT = {
  path: '/checkout?plan=2',
  always: ['Almost There!', 'Available Plans', 'Order Summary', 'Need a custom solution?'],
} as const;
/** The return address after a payment. Its content depends on the payment; only the footer is always there. */
const RETURN = {
  path: `${CHECKOUT.path}&payment_intent_client_secret=secret`,
  always: ['Secure Transactions'],
  within: '#root',
} as const;
const MOVED_ON = {
  ...OF_ORDER,
  call: 'orders/1042/update-status',
  failure: 'Failed to update order status',
};
const PAYMENT = {
  call: 'test-payments/retrieve',
  answer: { status: 'succeeded', message: 'Done' },
  essential: /^status /,
  failure: 'Failed to fetch order status',
};
const OF_ACCOUNT = {
  call: 'order-page',
  answer: { ...ACCOUNT, order: OF_ORDER.answer },
  shows: 'Microsoft 365 Business Premium',
  // Without lines the plan is named by its order alone.
  skip: /^order\.lines /,
  essential: /^order(\.id)? /,
  failure: 'Failed to fetch order status',
};
const OF_QUOTE = {
  call: 'quote',
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
    calls: [PLANS, { ...OF_ORDER, call: 'orders/1042' }],
  },
  { ...RETURN, name: 'the return from paying', calls: [PAYMENT], otherCalls: [MOVED_ON, PLANS] },
  { ...RETURN, name: 'an order that moves on', calls: [MOVED_ON], otherCalls: [PAYMENT, PLANS] },
  {
    name: 'the customer’s own page',
    path: '/checkout/order#token',
    always: ['Your order'],
    calls: [OF_ACCOUNT],
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
    // A quote with days until it is due is paid by invoice, on its own page.
    calls: [{ ...OF_QUOTE, skip: /^dueDays = 7$/ }],
  },
];
