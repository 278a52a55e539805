/** Quotes as the server answers them. */
import type * as z from 'zod/mini';
import type { LIST_QUOTES, QuoteJson, QuoteRowJson } from '../../src/quotes/quote-api.ts';
import { sold } from './order-answers.ts';

export const QUOTE: QuoteJson = {
  reference: 'Q-217 464 190',
  state: 'open',
  name: 'Dana Fox',
  company: 'Fox Motors of Macon',
  byVisitor: false,
  note: 'For the store in Macon',
  planId: 2,
  planName: 'Professional',
  features: [
    'Everything in Essential',
    'Endpoint detection and response',
    'Email filtering and phishing simulations',
    'Multi-factor sign-in, set up and managed',
    'Firewall, switch, and Wi-Fi management',
    'We call your vendors',
    'Quarterly technology review (instead of annual)',
  ],
  ms365Option: 'business_standard',
  ms365Users: 26,
  includeCloudBackup: true,
  price: {
    lines: [
      { ...sold('plan', 'Professional', 765), off: { label: '10% off the plan', amount: 85 } },
      sold('microsoft365', 'Microsoft 365 Business Standard', 12.5, 26),
      sold('backup', 'Cloud backup', 4.95, 26),
    ],
    discount: { label: '10% off the plan: Two stores', amount: 85 },
    once: [],
    startsOn: null,
    tax: 0,
    total: 1218.7,
  },
  amount: 1218.7,
  discount: { amount: 85, percent: 10, reason: 'Two stores' },
  createdAt: '2026-03-10T15:00:00.000Z',
  expiresAt: '2026-04-09T15:00:00.000Z',
  acceptedAt: null,
  reminders: true,
  payment: { collection: 'card', state: null, dueDay: null },
  dueDays: null,
  termsOfService: null,
  addendum: null,
  changedAt: 1_773_154_800_000,
  preparedBy: 'Elena Ruiz',
};

export const QUOTE_ROW: QuoteRowJson = {
  ...QUOTE,
  id: 217464190,
  email: 'dana@fox.example',
  madeBy: 'admin',
  withdrawnAt: null,
  lastOpenedAt: '2026-03-12T15:00:00.000Z',
  opened: 3,
  orderId: 1042,
  acceptedBy: null,
};

export const QUOTES: z.input<typeof LIST_QUOTES.answer> = {
  quotes: [
    QUOTE_ROW,
    {
      ...QUOTE_ROW,
      id: 217460000,
      reference: 'Q-217 460 000',
      state: 'accepted',
      name: 'Lou Lane',
      company: null,
      discount: null,
      acceptedAt: '2026-03-13T15:00:00.000Z',
    },
  ],
  total: 2,
  counts: { open: 1, accepted: 1 },
};
