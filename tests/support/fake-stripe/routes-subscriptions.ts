import { notModelled } from './errors.ts';
import { page, paging } from './listing.ts';
import type { Subscription } from './objects-subscription.ts';
import { type Route, route } from './router.ts';
import { bool, maybe, oneOf, text } from './schema.ts';
import { commonExtras, createExtras, updateExtras } from './subscription-params.ts';
import {
  cancel,
  cancellation,
  create,
  createFields,
  update,
  updateFields,
} from './subscriptions.ts';
import { refer, retrieve } from './world.ts';

const statuses = oneOf(
  'active',
  'all',
  'canceled',
  'ended',
  'incomplete',
  'incomplete_expired',
  'past_due',
  'paused',
  'trialing',
  'unpaid',
);

const hasStatus = (subscription: Subscription, wanted: string | undefined): boolean => {
  if (wanted === 'all') return true;
  if (wanted === undefined) return subscription.status !== 'canceled';
  if (wanted === 'ended') return ['canceled', 'incomplete_expired'].includes(subscription.status);
  return subscription.status === wanted;
};

export const subscriptionRoutes: Route[] = [
  route({
    on: 'POST /v1/subscriptions',
    params: createFields,
    unmodelled: [...commonExtras, ...createExtras],
    returns: 'subscription',
    run: create,
  }),
  route({
    on: 'GET /v1/subscriptions',
    params: { ...paging, customer: maybe(text()), price: maybe(text()), status: maybe(statuses) },
    unmodelled: [
      'automatic_tax',
      'collection_method',
      'created',
      'current_period_end',
      'current_period_start',
      'customer_account',
      'plan',
      'test_clock',
    ],
    returns: 'list of subscription',
    run: (world, { customer, price, status, ...paged }) => {
      if (customer !== undefined) refer(world, 'customer', customer, 'customer');
      return page(
        '/v1/subscriptions',
        [...world.tables.subscription.values()].filter(
          (row) =>
            (customer === undefined || row.customer === customer) &&
            (price === undefined || row.items.data.some((item) => item.price.id === price)) &&
            hasStatus(row, status),
        ),
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
    params: updateFields,
    unmodelled: [...commonExtras, ...updateExtras],
    returns: 'subscription',
    run: update,
  }),
  route({
    on: 'DELETE /v1/subscriptions/:id',
    params: {
      cancellation_details: maybe(cancellation),
      invoice_now: maybe(bool),
      prorate: maybe(bool),
    },
    returns: 'subscription',
    run(world, params, id) {
      if (params.invoice_now === true || params.prorate === true)
        throw notModelled('invoice_now or prorate at cancellation', 'invoice_now');
      return cancel(world, id, params.cancellation_details);
    },
  }),
];
