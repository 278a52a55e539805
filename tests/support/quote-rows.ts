/** What each call about quotes owes to whom. */
import * as z from 'zod/mini';
import { count, dollars, id, time } from './answer-parts.ts';
import { type CallRow, everybody, SAMPLE_ORDER, staffOnly } from './call-row.ts';
import { orderFields } from './order-answer-shapes.ts';

const saved = z.strictObject({
  reference: z.string().check(z.regex(/^Q-\d+$/)),
  url: z.string().check(z.regex(/\/quote\/[\w-]{22}$/)),
  amount: dollars,
  expiresAt: time,
});
const state = z.enum(['open', 'accepted', 'expired', 'withdrawn']);
const quoteFields = {
  reference: z.string(),
  state,
  name: z.string(),
  company: z.nullable(z.string()),
  note: z.nullable(z.string()),
  planId: id,
  planName: z.string(),
  ms365Option: orderFields.ms365Option,
  ms365Users: count,
  includeCloudBackup: z.boolean(),
  lines: orderFields.lines,
  amount: dollars,
  discount: z.nullable(
    z.strictObject({ amount: dollars, percent: z.nullable(count), reason: z.string() }),
  ),
  createdAt: time,
  expiresAt: time,
  acceptedAt: z.nullable(time),
  reminders: z.boolean(),
  byVisitor: z.boolean(),
};
const row = z.strictObject({
  ...quoteFields,
  id,
  email: z.string(),
  madeBy: z.nullable(z.string()),
  changedAt: count,
  withdrawnAt: z.nullable(time),
  openedAt: z.nullable(time),
  lastOpenedAt: z.nullable(time),
  opened: count,
  orderId: z.nullable(id),
});
const made = z.strictObject({ quote: row, url: z.nullable(z.string()) });

let people = 0;

/** For an address of its own each time, for one gets five quotes a day. */
function asked() {
  people += 1;
  const { planId, name, ms365Option, ms365Users, includeCloudBackup } = SAMPLE_ORDER;
  const email = `quoted-${people}@dealer.example`;
  return { planId, name, email, ms365Option, ms365Users, includeCloudBackup };
}

const byHand = () => ({ ...asked(), discount: null, days: 30, send: false });
const forged = { token: 'A'.repeat(22) };
const missing = { ...staffOnly, staff: 404 };

export const QUOTE_ROWS: Record<string, CallRow> = {
  'POST /api/quotes': {
    gives: everybody(201),
    body: asked,
    optional: ['company', 'note'],
    answer: saved,
  },
  'POST /api/quote': {
    gives: everybody(404),
    body: () => forged,
    answer: z.strictObject(quoteFields),
    judges: { token: 404 },
    also: [404],
  },
  'POST /api/quote/reminders': {
    gives: everybody(404),
    body: () => ({ ...forged, wanted: true }),
    answer: z.strictObject(quoteFields),
    judges: { token: 404 },
    also: [404],
  },
  'GET /api/admin/quotes': {
    gives: staffOnly,
    answer: z.strictObject({
      quotes: z.array(row),
      total: count,
      counts: z.record(z.string(), count),
    }),
  },
  'POST /api/admin/quotes': {
    gives: staffOnly,
    body: byHand,
    optional: ['company', 'note'],
    answer: made,
  },
  'GET /api/admin/quotes/:id': {
    gives: missing,
    path: () => '/api/admin/quotes/999999',
    answer: row,
    also: [404],
  },
  'POST /api/admin/quotes/:id': {
    gives: missing,
    path: () => '/api/admin/quotes/999999',
    body: byHand,
    optional: ['company', 'note'],
    answer: made,
    also: [404, 409],
  },
  'POST /api/admin/quotes/:id/withdraw': {
    gives: missing,
    path: () => '/api/admin/quotes/999999/withdraw',
    answer: row,
    also: [404, 409],
  },
  'POST /api/admin/quotes/:id/link': {
    gives: missing,
    path: () => '/api/admin/quotes/999999/link',
    answer: z.strictObject({ url: z.string() }),
    also: [404],
  },
};
