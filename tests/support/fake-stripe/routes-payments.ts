import { page, paging } from './listing.ts';
import { chargeOf, refund } from './reversals.ts';
import { type Route, route } from './router.ts';
import { int, object, oneOf, text, wanted } from './schema.ts';
import { retrieve, rowsOf } from './world.ts';

export const paymentRoutes: Route[] = [
  route({
    on: 'GET /v1/payment_intents/:id',
    params: {},
    returns: 'payment_intent',
    run: (world, _params, id) => retrieve(world, 'payment_intent', id, 'intent'),
  }),
  route({
    on: 'POST /v1/refunds',
    params: { amount: int(1).optional(), payment_intent: wanted(text()) },
    returns: 'refund',
    run: (world, { amount, payment_intent: intent }) =>
      refund(world, chargeOf(world, intent), amount),
  }),
  route({
    on: 'GET /v1/disputes',
    params: { ...paging, charge: wanted(text()) },
    returns: 'list of dispute',
    run: (world, { charge, ...paged }) =>
      page(
        '/v1/disputes',
        rowsOf(world, 'dispute', (row) => row.charge === charge),
        paged,
      ),
  }),
  route({
    on: 'GET /v1/charges',
    params: { ...paging, customer: wanted(text()) },
    returns: 'list of charge',
    run: (world, { customer, ...paged }) =>
      page(
        '/v1/charges',
        rowsOf(world, 'charge', (row) => row.customer === customer),
        paged,
      ),
  }),
  route({
    on: 'GET /v1/invoice_payments',
    params: {
      ...paging,
      payment: wanted(object({ type: oneOf(['payment_intent']), payment_intent: text() })),
    },
    returns: 'list of invoice_payment',
    run: (world, { payment, ...paged }) =>
      page(
        '/v1/invoice_payments',
        rowsOf(
          world,
          'invoice_payment',
          (row) => row.payment.payment_intent === payment.payment_intent,
        ),
        paged,
      ),
  }),
];
