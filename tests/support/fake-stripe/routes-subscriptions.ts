import { page, paging } from './listing.ts';
import { type Route, route } from './router.ts';
import { bool, int, itemChanges, list, metadata, object, oneOf, text, wanted } from './schema.ts';
import { cancel, create, update } from './subscriptions.ts';
import { refer, retrieve, rowsOf } from './world.ts';

export const subscriptionRoutes: Route[] = [
  route({
    on: 'POST /v1/subscriptions',
    params: {
      automatic_tax: object({ enabled: bool }).optional(),
      customer: text(),
      items: list(object({ price: text(), quantity: int(0).optional() })),
      metadata: metadata.optional(),
      payment_behavior: oneOf([
        'allow_incomplete',
        'default_incomplete',
        'error_if_incomplete',
        'pending_if_incomplete',
      ]).optional(),
      payment_settings: object({
        save_default_payment_method: oneOf(['off', 'on_subscription']),
      }).optional(),
    },
    returns: 'subscription',
    run: create,
  }),
  route({
    on: 'GET /v1/subscriptions',
    params: { ...paging, customer: wanted(text()), status: wanted(oneOf(['all'])) },
    returns: 'list of subscription',
    run(world, { customer, status: _, ...paged }) {
      refer(world, 'customer', customer, 'customer');
      return page(
        '/v1/subscriptions',
        rowsOf(world, 'subscription', (row) => row.customer === customer),
        paged,
      );
    },
  }),
  route({
    on: 'GET /v1/subscriptions/:id',
    params: {},
    returns: 'subscription',
    run: (world, _params, id) => retrieve(world, 'subscription', id),
  }),
  route({
    on: 'POST /v1/subscriptions/:id',
    params: {
      cancel_at: oneOf(['']).optional(),
      cancel_at_period_end: bool.optional(),
      default_payment_method: text().optional(),
      items: itemChanges.optional(),
      metadata: metadata.optional(),
      proration_behavior: oneOf(['create_prorations']).optional(),
      proration_date: int(0).optional(),
    },
    returns: 'subscription',
    run: (world, params, id) => update(world, id, params),
  }),
  route({
    on: 'DELETE /v1/subscriptions/:id',
    params: {},
    returns: 'subscription',
    run: (world, _params, id) => cancel(world, id),
  }),
];
