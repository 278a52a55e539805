import { noSuch } from './errors.ts';
import { apiVersion, type EventData } from './event-log.ts';
import { createdRange, inRange, page, paging } from './listing.ts';
import { type Route, route } from './router.ts';
import { list, maybe, need, object, oneOf, text } from './schema.ts';
import { retrieve, type World } from './world.ts';

const paymentFilter = object(
  { type: need(oneOf('payment_intent', 'payment_record')), payment_intent: maybe(text()) },
  ['payment_record'],
);

const account = (world: World): object => ({
  id: world.accountId,
  object: 'account',
  business_profile: { name: 'Stand-in account', support_email: null, url: null },
  business_type: 'company',
  capabilities: { card_payments: 'active', transfers: 'active' },
  charges_enabled: true,
  country: 'US',
  default_currency: 'usd',
  details_submitted: true,
  email: 'owner@example.com',
  metadata: {},
  payouts_enabled: true,
  settings: { dashboard: { display_name: 'Stand-in account', timezone: 'Etc/UTC' } },
  type: 'standard',
});

const webhookEndpoints = (world: World) =>
  world.webhookEndpoints.map((setting, place) => ({
    id: `we_standIn${place + 1}`,
    object: 'webhook_endpoint' as const,
    api_version: setting.apiVersion === undefined ? apiVersion : setting.apiVersion,
    application: null,
    created: world.now(),
    description: null,
    enabled_events: setting.enabledEvents ?? ['*'],
    livemode: false,
    metadata: {},
    status: setting.status ?? 'enabled',
    url: setting.url,
  }));

/** Before 2025 an invoice named its subscription itself and had no parent. */
const rendered = (world: World, event: EventData): EventData => {
  if (world.accountVersion === apiVersion) return event;
  const { object, ...rest } = event.data;
  const { parent, ...older } = object;
  return {
    ...event,
    api_version: world.accountVersion,
    data: { ...rest, object: object.object === 'invoice' ? older : object },
  };
};

export const recordRoutes: Route[] = [
  route({
    on: 'GET /v1/invoices',
    params: {
      ...paging,
      collection_method: maybe(oneOf('charge_automatically', 'send_invoice')),
      created: maybe(createdRange),
      customer: maybe(text()),
      status: maybe(oneOf('draft', 'open', 'paid', 'uncollectible', 'void')),
      subscription: maybe(text()),
    },
    unmodelled: ['customer_account', 'due_date'],
    returns: 'list of invoice',
    run: (
      world,
      { collection_method: method, created, customer, status, subscription, ...paged },
    ) =>
      page(
        '/v1/invoices',
        [...world.tables.invoice.values()].filter(
          (row) =>
            (method === undefined || row.collection_method === method) &&
            (customer === undefined || row.customer === customer) &&
            (status === undefined || row.status === status) &&
            (subscription === undefined ||
              row.parent.subscription_details.subscription === subscription) &&
            inRange(row.created, created),
        ),
        paged,
      ),
  }),
  route({
    on: 'GET /v1/invoices/:id',
    params: {},
    returns: 'invoice',
    run: (world, _params, id) => retrieve(world, 'invoice', id, 'invoice'),
  }),
  route({
    on: 'GET /v1/invoice_payments',
    params: {
      ...paging,
      created: maybe(createdRange),
      invoice: maybe(text()),
      payment: maybe(paymentFilter),
      status: maybe(oneOf('canceled', 'open', 'paid')),
    },
    returns: 'list of invoice_payment',
    run: (world, { created, invoice, payment, status, ...paged }) =>
      page(
        '/v1/invoice_payments',
        [...world.tables.invoice_payment.values()].filter(
          (row) =>
            (invoice === undefined || row.invoice === invoice) &&
            (payment === undefined || row.payment.payment_intent === payment.payment_intent) &&
            (status === undefined || row.status === status) &&
            inRange(row.created, created),
        ),
        paged,
      ),
  }),
  route({
    on: 'GET /v1/invoice_payments/:id',
    params: {},
    returns: 'invoice_payment',
    run: (world, _params, id) => retrieve(world, 'invoice_payment', id),
  }),
  route({
    on: 'GET /v1/disputes',
    params: {
      ...paging,
      charge: maybe(text()),
      created: maybe(createdRange),
      payment_intent: maybe(text()),
    },
    returns: 'list of dispute',
    run: (world, { charge, created, payment_intent: intent, ...paged }) =>
      page(
        '/v1/disputes',
        [...world.tables.dispute.values()].filter(
          (row) =>
            (charge === undefined || row.charge === charge) &&
            (intent === undefined || row.payment_intent === intent) &&
            inRange(row.created, created),
        ),
        paged,
      ),
  }),
  route({ on: 'GET /v1/account', params: {}, returns: 'account', run: account }),
  route({
    on: 'GET /v1/webhook_endpoints',
    params: paging,
    returns: 'list of webhook_endpoint',
    run: (world, params) => page('/v1/webhook_endpoints', webhookEndpoints(world), params),
  }),
  route({
    on: 'GET /v1/events',
    params: {
      ...paging,
      created: maybe(createdRange),
      type: maybe(text()),
      types: maybe(list(text(), 20)),
    },
    unmodelled: ['delivery_success'],
    returns: 'list of event',
    run: (world, { created, type, types, ...paged }) =>
      page(
        '/v1/events',
        world.log.data
          .filter(
            (row) =>
              (type === undefined ||
                row.type === type ||
                (type.endsWith('.*') && row.type.startsWith(type.slice(0, -1)))) &&
              (types === undefined || types.includes(row.type)) &&
              inRange(row.created, created),
          )
          .map((event) => rendered(world, event)),
        paged,
      ),
  }),
  route({
    on: 'GET /v1/events/:id',
    params: {},
    returns: 'event',
    run(world, _params, id) {
      const event = world.log.data.find((row) => row.id === id);
      if (event === undefined) throw noSuch('event', id, 'id');
      return rendered(world, event);
    },
  }),
];
