/** One order as customers and staff see it, with a fixed number and fixed times. */
import type * as z from 'zod/mini';
import type { SOLD_KINDS } from '../../src/catalogue/pricing.ts';
import type { GET_ORDER } from '../../src/orders/order-api.ts';

/** A price line, in dollars. */
export function sold(
  kind: (typeof SOLD_KINDS)[number],
  label: string,
  unitPrice: number,
  quantity = 1,
) {
  const amount = Math.round(unitPrice * quantity * 100) / 100;
  return { kind, label, unitPrice, quantity, amount };
}

const LINES = [
  sold('plan', 'Professional', 850),
  sold('microsoft365', 'Microsoft 365 Business Premium', 22, 20),
  sold('backup', 'Cloud backup', 4.95, 20),
];

export const ORDER: Required<z.input<typeof GET_ORDER.answer>> = {
  id: 1042,
  version: 3,
  name: 'Dana Whitfield',
  email: 'dana@example.com',
  phone: '(770) 555-0134',
  company: 'Lantern Row Motors',
  quote: null,
  poNumber: null,
  accepted: null,
  page: null,
  planId: 2,
  paymentMethod: 'credit_card',
  payment: { collection: 'card', state: null, dueDay: null },
  ms365Option: 'business_premium',
  ms365Users: 20,
  includeCloudBackup: true,
  status: 'paid',
  amount: 1389,
  paymentId: 'test_1042',
  createdAt: '2026-05-13T14:05:00.000Z',
  planName: 'Professional',
  price: {
    lines: LINES,
    discount: null,
    once: [],
    startsOn: null,
    tax: 0,
    total: 1389,
  },
  refunded: 0,
  credit: 0,
  byAgreement: false,
  endsAt: null,
  startsOn: null,
  paused: false,
  history: [
    { status: 'pending', at: '2026-05-13T14:04:00.000Z', cause: 'order placed' },
    { status: 'paid', at: '2026-05-13T14:05:00.000Z', cause: 'payment succeeded' },
  ],
  changes: [
    { status: 'pending', at: '2026-05-13T14:04:00.000Z', text: 'order placed' },
    { status: 'paid', at: '2026-05-13T14:05:00.000Z', text: 'payment succeeded' },
  ],
  dispute: null,
  owed: [],
  source: null,
  endReason: null,
  endWords: null,
  providerCustomer: null,
  billable: true,
  inTestMode: true,
};

const {
  inTestMode: _mode,
  owed: _owed,
  history: _history,
  changes: _changes,
  providerCustomer: _customer,
  ...ROW
} = ORDER;

export const ORDERS = {
  orders: [
    ROW,
    { ...ROW, id: 1041, name: 'Hank Ortega', status: 'past_due' },
    { ...ROW, id: 1040, name: 'Priya Raman', status: 'failed', planName: 'Essential', amount: 450 },
    { ...ROW, id: 1039, name: 'Lucia Marin', status: 'paid', dispute: 'open' },
  ],
  total: 4,
  counts: { paid: 2, past_due: 1, failed: 1 },
};

/** What the customer's own page shows. */
export const ACCOUNT = {
  order: ROW,
  running: {
    periodEnd: '2026-06-13T14:05:00.000Z',
    next: { total: 1389, tax: 0 },
    card: { brand: 'Visa', last4: '4242', expiryMonth: 12, expiryYear: 2029 },
  },
  billingUnavailable: false,
  mayChange: true,
  offers: {
    plans: [
      { id: 1, name: 'Essential', price: 450 },
      { id: 2, name: 'Professional', price: 850 },
    ],
    licenses: [
      { id: 'none', name: 'No license', price: 0 },
      { id: 'business_premium', name: 'Microsoft 365 Business Premium', price: 22 },
    ],
    backup: 4.95,
  },
  features: ['Everything in Essential', 'Endpoint detection and response'],
  billingAddress: '240 Lantern Row\nMarietta, GA 30060',
  payments: [
    {
      id: 'test_invoice_1042_1',
      number: 'R-1042-0001',
      at: '2026-05-13T14:05:00.000Z',
      periodStart: '2026-05-13T14:05:00.000Z',
      periodEnd: '2026-06-13T14:05:00.000Z',
      amount: 1389,
      tax: 0,
      lines: LINES,
      state: 'paid',
      brand: 'Visa',
      last4: '4242',
    },
  ],
};
