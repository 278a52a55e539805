/** What the calls of a customer's own page owe: nobody of the scene has a link, so each is told that it isn't valid. */
import * as shapes from './answer-shapes.ts';
import { type CallRow, everybody } from './call-row.ts';
import * as orders from './order-answer-shapes.ts';

const TOKEN = { token: '1.guessed' };
const SEATS = { users: 3, backup: true };

/** A body beside the link, none of whose values makes a guessed link a valid one. */
function linked(body: Record<string, unknown>, answer: CallRow['answer']): CallRow {
  return {
    gives: everybody(404),
    body: () => ({ ...TOKEN, ...body }),
    answer,
    judges: { token: 404 },
    also: [404, 409],
  };
}

export const ORDER_PAGE_ROWS: Record<string, CallRow> = {
  'POST /api/order-page': {
    gives: everybody(404),
    body: () => ({ token: '1.guessed' }),
    answer: orders.order,
    judges: { token: 404 },
    also: [404],
  },
  'POST /api/order-page/billing': {
    gives: everybody(404),
    body: () => ({ token: '1.guessed' }),
    answer: shapes.anything,
    judges: { token: 404 },
    also: [404],
  },

  'POST /api/order-page/open': linked({ access: 'guessed' }, orders.account),
  'POST /api/order-page/account': linked({}, orders.account),
  'POST /api/order-page/preview': linked({ ...SEATS, from: SEATS }, orders.preview),
  'POST /api/order-page/change': linked(
    {
      ...SEATS,
      from: SEATS,
      at: '2026-11-21T10:00:00.000Z',
      next: 575,
    },
    orders.account,
  ),
  'POST /api/order-page/cancel': linked({}, orders.account),
  'POST /api/order-page/keep': linked({}, orders.account),
  'POST /api/order-page/card': linked({}, shapes.anything),
  'POST /api/order-page/card/use': linked({ clientSecret: 'guessed' }, orders.account),
  // Without mail.
  'POST /api/order-page/links': {
    gives: everybody(409),
    body: () => ({ email: 'jane@dealer.example' }),
    answer: shapes.anything,
    also: [409],
  },
  'POST /api/order-page/address': linked({ address: '1 Main Street' }, orders.account),
};
