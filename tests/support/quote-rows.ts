/** What each call about quotes owes to whom. */
import { type CallRow, everybody, SAMPLE_ORDER, staffOnly } from './call-row.ts';

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
  },
  'POST /api/quote': {
    gives: everybody(404),
    body: () => forged,
    judges: { token: 404 },
    also: [404],
  },
  'POST /api/quote/reminders': {
    gives: everybody(404),
    body: () => ({ ...forged, wanted: true }),
    judges: { token: 404 },
    also: [404],
  },
  'GET /api/admin/quotes': {
    gives: staffOnly,
  },
  'POST /api/admin/quotes': {
    gives: staffOnly,
    body: byHand,
    optional: ['company', 'note'],
  },
  'GET /api/admin/quotes/:id': {
    gives: missing,
    path: () => '/api/admin/quotes/999999',
    also: [404],
  },
  'POST /api/admin/quotes/:id': {
    gives: missing,
    path: () => '/api/admin/quotes/999999',
    body: byHand,
    optional: ['company', 'note'],
    also: [404, 409],
  },
  'POST /api/admin/quotes/:id/withdraw': {
    gives: missing,
    path: () => '/api/admin/quotes/999999/withdraw',
    also: [404, 409],
  },
  'POST /api/admin/quotes/:id/link': {
    gives: missing,
    path: () => '/api/admin/quotes/999999/link',
    also: [404],
  },
};
