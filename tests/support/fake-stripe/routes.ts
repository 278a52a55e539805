/** The endpoints of Stripe's API that the site uses. */
import { waiveInvoice } from './billing.ts';
import { methodOf } from './cards.ts';
import { previewInvoice, previewItems } from './cycles.ts';
import { invalid, notModelled } from './errors.ts';
import { page, paging } from './listing.ts';
import { makeCustomer, makeProduct, makeSetupIntent } from './objects.ts';
import { payInvoice } from './payments.ts';
import { chargeOf, refund } from './reversals.ts';
import { type Route, route } from './router.ts';
import {
  address,
  bool,
  currency,
  email,
  int,
  itemChanges,
  list,
  metadata,
  object,
  oneOf,
  priceData,
  text,
  wanted,
} from './schema.ts';
import { cancel, create, update } from './subscriptions.ts';
import { filter, type Kind, retrieve, retrieveParam, save } from './world.ts';

/** An endpoint that returns one object. */
const reading = (on: string, kind: Kind, param = 'id'): Route =>
  route({
    on: `GET ${on}/:id`,
    params: {},
    returns: kind,
    run: (world, _params, id) => retrieve(world, kind, id, param),
  });

const sold = [
  route({
    on: 'POST /v1/customers',
    params: {
      address: address.optional(),
      email: email.optional(),
      name: text(256).optional(),
      phone: text(20).optional(),
    },
    returns: 'customer',
    run: (world, params) => save(world, 'customer', Object.assign(makeCustomer(world), params)),
  }),
  route({
    on: 'POST /v1/products',
    params: { id: wanted(text()), name: text() },
    returns: 'product',
    run(world, { id, name }) {
      if (world.tables.product.has(id))
        throw invalid('Product already exists.', 'id', 'resource_already_exists');
      return save(world, 'product', makeProduct(world, id, name));
    },
  }),
  route({
    on: 'GET /v1/products',
    params: { ...paging, ids: wanted(list(text())) },
    returns: 'list of product',
    run: (world, { ids, ...paged }) =>
      page(
        filter(world, 'product', ({ id }) => ids.includes(id)),
        paged,
      ),
  }),
];

const subscriptions = [
  route({
    on: 'POST /v1/subscriptions',
    params: {
      automatic_tax: object({ enabled: bool }).optional(),
      customer: text(),
      items: list(object({ price_data: wanted(priceData), quantity: int(0).optional() }), 20),
      metadata: metadata.optional(),
      payment_behavior: wanted(oneOf(['default_incomplete'])),
      payment_settings: wanted(object({ save_default_payment_method: oneOf(['on_subscription']) })),
    },
    returns: 'subscription',
    run: create,
  }),
  route({
    on: 'GET /v1/subscriptions',
    params: { ...paging, customer: wanted(text()), status: wanted(oneOf(['all'])) },
    returns: 'list of subscription',
    run(world, { customer, status: _, ...paged }) {
      retrieveParam(world, 'customer', customer, 'customer');
      return page(
        filter(world, 'subscription', (row) => row.customer === customer),
        paged,
      );
    },
  }),
  reading('/v1/subscriptions', 'subscription'),
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

const invoices = [
  route({
    on: 'GET /v1/invoices',
    params: { ...paging, status: oneOf(['open', 'paid']).optional(), subscription: wanted(text()) },
    returns: 'list of invoice',
    run: (world, { status, subscription, ...paged }) =>
      page(
        filter(
          world,
          'invoice',
          (row) =>
            row.parent.subscription_details.subscription === subscription &&
            (status === undefined || row.status === status),
        ),
        paged,
      ),
  }),
  route({
    on: 'POST /v1/invoices/create_preview',
    params: {
      automatic_tax: object({ enabled: bool }).optional(),
      currency: currency.optional(),
      customer_details: object({ address }).optional(),
      invoice_items: list(
        object({ amount: int(0), currency, tax_behavior: oneOf(['exclusive']) }),
      ).optional(),
      subscription: text().optional(),
      subscription_details: object({
        items: itemChanges,
        proration_behavior: oneOf(['create_prorations']).optional(),
        proration_date: int(0).optional(),
      }).optional(),
    },
    returns: 'invoice preview',
    run(world, { subscription, subscription_details: details, ...alone }) {
      if (subscription) return previewInvoice(world, subscription, details);
      return previewItems(alone);
    },
  }),
  reading('/v1/invoices', 'invoice', 'invoice'),
  route({
    on: 'GET /v1/invoices/:id/lines',
    params: { limit: wanted(int(100, 100)) },
    returns: 'list of line_item',
    run(world, _params, id) {
      const { lines } = retrieve(world, 'invoice', id, 'invoice');
      const data = filter(world, 'invoice_line', (row) => row.invoice === id);
      return { ...lines, data, has_more: false };
    },
  }),
  route({
    on: 'POST /v1/invoices/:id/void',
    params: {},
    returns: 'invoice',
    run(world, _params, id) {
      const invoice = retrieve(world, 'invoice', id, 'invoice');
      if (invoice.status !== 'open')
        throw invalid('You can only pass in open invoices. This invoice isn’t open.');
      waiveInvoice(world, invoice, 'void');
      return invoice;
    },
  }),
  route({
    on: 'POST /v1/invoices/:id/pay',
    params: { payment_method: wanted(text()) },
    returns: 'invoice',
    run(world, { payment_method: method }, id) {
      const invoice = retrieve(world, 'invoice', id, 'invoice');
      if (invoice.status !== 'open' && invoice.status !== 'paid')
        throw notModelled(`To pay an invoice that is ${invoice.status}`);
      return payInvoice(
        world,
        invoice,
        methodOf(world, method, invoice.customer, 'payment_method'),
      );
    },
  }),
];

const payments = [
  reading('/v1/payment_intents', 'payment_intent', 'intent'),
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
        filter(world, 'dispute', (row) => row.charge === charge),
        paged,
      ),
  }),
  route({
    on: 'GET /v1/charges',
    params: { ...paging, customer: wanted(text()) },
    returns: 'list of charge',
    run: (world, { customer, ...paged }) =>
      page(
        filter(world, 'charge', (row) => row.customer === customer),
        paged,
      ),
  }),
  reading('/v1/charges', 'charge', 'charge'),
  route({
    on: 'POST /v1/setup_intents',
    params: {
      allowed_payment_method_types: wanted(list(oneOf(['card']))),
      customer: wanted(text()),
      metadata: metadata.optional(),
      usage: wanted(oneOf(['off_session'])),
    },
    returns: 'setup_intent',
    run(world, params) {
      retrieveParam(world, 'customer', params.customer, 'customer');
      return save(world, 'setup_intent', makeSetupIntent(world, params));
    },
  }),
  reading('/v1/setup_intents', 'setup_intent', 'intent'),
];

const events = route({
  on: 'GET /v1/events',
  params: {
    ...paging,
    created: wanted(object({ gte: int(0) })),
    types: wanted(list(text(), 20)),
  },
  returns: 'list of event',
  run(world, { created, types, ...paged }) {
    const found = world.log.events.filter(
      (row) => types.includes(row.type) && row.created >= created.gte,
    );
    const { data, ...rest } = page(found, paged);
    return { ...rest, data: data.map(({ body }) => JSON.parse(body)) };
  },
});

export const routes: readonly Route[] = [
  ...sold,
  ...subscriptions,
  ...invoices,
  ...payments,
  events,
];
