/** Screens that draw themselves from their calls, and what stands on them whatever these answer. */
import { readFileSync } from 'node:fs';
import { ACCOUNT, ORDER, ORDERS } from '../looks/order-answers.ts';
import { QUOTE } from '../looks/quote-answers.ts';

export interface Screen {
  name: string;
  path: string;
  /** Where its document is had without its calls. */
  from?: string;
  /** What stands on it whatever comes. */
  stays: readonly [string, ...string[]];
  /** The part of the document in which it stands; `main` unless it says another. */
  where?: string;
  /** How often in one document: what was there before hears of the next one, and takes its time. */
  starts?: number;
  /** Every fault is fed, in the gate too. */
  whole?: boolean;
  /** What its address loses late, unless it says this: it is over then, and changes the address of no further start. */
  loses?: { parameter: string; unless: string };
  /** It draws by its width, so it must be laid out; what is hidden costs a fifth less. */
  seen?: boolean;
  calls: readonly {
    url: RegExp;
    answer: unknown;
    /** Of the answer: what stands there besides while no more than one field is wrong, such as in the second row. */
    rest?: string;
    /** The fields without which nothing can be made of it, by the names of their bent answers. */
    needs?: RegExp;
    /** What is said then. */
    failure?: string;
    /** Bent answers that are left out. */
    not?: RegExp;
  }[];
  /** Other calls that it may make then, answered as they should be. */
  besides?: readonly { url: RegExp; answer: unknown }[];
}

const catalogue = (name: string) =>
  JSON.parse(readFileSync(`content/catalogue/${name}.json`, 'utf8'));
const [services, solutions, plans] = ['services', 'solutions', 'plans'].map(catalogue);

export const HOME: Screen = {
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
/** As the tab is led back to it after a payment. */
const RETURN: Omit<Screen, 'name' | 'calls'> = {
  ...CHECKOUT,
  from: '/checkout',
  // Whether it was paid decides what stands in it: only the frame stands whatever comes.
  stays: ['Secure Transactions'],
  where: '#root',
  // Each leaves a toast.
  starts: 15,
  path: `${CHECKOUT.path}&payment_intent_client_secret=secret`,
  loses: { parameter: 'payment_intent_client_secret', unless: 'Failed to fetch order status' },
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

/** In a tab that has placed the order 1042. */
export const SHOP_SCREENS: readonly Screen[] = [
  {
    ...CHECKOUT,
    name: 'the checkout with an order',
    calls: [PLANS, { url: /\/api\/orders\/1042$/, ...OF_ORDER }],
  },
  { ...RETURN, name: 'the way back from paying', calls: [PAYMENT], besides: [MOVED_ON, PLANS] },
  { ...RETURN, name: 'an order that moves on', calls: [MOVED_ON], besides: [PAYMENT, PLANS] },
  {
    name: 'the customer’s own page',
    path: '/checkout/order#token',
    from: '/checkout/order',
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
