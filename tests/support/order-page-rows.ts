/** What the calls of a customer's own page owe: no caller of the scene has a link, so each reads that it isn't valid. */
import { type CallRow, everybody } from './call-row.ts';

const TOKEN = { token: '1.guessed' };
const SEATS = { users: 3, backup: true };

/** A body beside the link, none of whose values makes a guessed link a valid one. */
function linked(body: Record<string, unknown>): CallRow {
  return {
    gives: everybody(404),
    body: () => ({ ...TOKEN, ...body }),
    judges: { token: 404 },
    also: [404, 409],
  };
}

export const ORDER_PAGE_ROWS: Record<string, CallRow> = {
  'POST /api/order-page': linked({}),
  'POST /api/order-page/open': linked({ access: 'guessed' }),
  'POST /api/order-page/preview': linked({ ...SEATS, from: SEATS }),
  'POST /api/order-page/change': linked({
    ...SEATS,
    from: SEATS,
    at: '2026-11-21T10:00:00.000Z',
    next: 575,
  }),
  'POST /api/order-page/cancel': linked({}),
  'POST /api/order-page/keep': linked({}),
  'POST /api/order-page/card': linked({}),
  'POST /api/order-page/card/use': linked({ clientSecret: 'guessed' }),
  // Without mail.
  'POST /api/order-page/links': {
    gives: everybody(409),
    body: () => ({ email: 'jane@dealer.example' }),
    also: [409],
  },
  'POST /api/order-page/address': linked({ address: '1 Main Street' }),
};
