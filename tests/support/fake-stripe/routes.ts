/** Every address of Stripe's API that the site uses. */
import { emit, waiveInvoice } from './billing.ts';
import type { InvoiceLine } from './billing-objects.ts';
import { invalid, notModelled } from './errors.ts';
import { type List, page, paging } from './listing.ts';
import { makeCustomer, makeProduct, makeSetupIntent } from './objects.ts';
import { defaultMethodOf, methodOf } from './payment-methods.ts';
import { payInvoice } from './payments.ts';
import { previewInvoice, previewItems } from './preview.ts';
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
import { type Kind, type Rows, refer, retrieve, rowsOf, save, type World } from './world.ts';

/** An address at which one thing is read. */
const reading = (on: string, kind: Kind, param = 'id'): Route =>
  route({
    on: `GET ${on}/:id`,
    params: {},
    returns: kind,
    run: (world, _params, id) => retrieve(world, kind, id, param),
  });

/** Those of a kind of which this holds, newest first, a page of them. */
const listed = <K extends Kind>(
  world: World,
  [path, kind]: [path: string, kind: K],
  paged: Parameters<typeof page>[2],
  holds: (row: Rows[K]) => boolean,
) => page<Rows[K]>(path, rowsOf(world, kind, holds), paged);

const customers = [
  route({
    on: 'POST /v1/customers',
    params: {
      address: address.optional(),
      email: email.optional(),
      name: text(256).optional(),
      phone: text(20).optional(),
    },
    returns: 'customer',
    run(world, params) {
      const customer = save(world, 'customer', Object.assign(makeCustomer(world), params));
      emit(world, 'customer.created', customer);
      return customer;
    },
  }),
  route({
    on: 'POST /v1/customers/:id',
    params: {
      address: address.optional(),
      invoice_settings: object({ default_payment_method: text() }).optional(),
    },
    returns: 'customer',
    run(world, params, id) {
      const customer = retrieve(world, 'customer', id);
      const { address: place = customer.address, invoice_settings: settings } = params;
      if (settings) {
        const { default_payment_method: method } = settings;
        methodOf(world, method, id, 'invoice_settings[default_payment_method]');
        Object.assign(customer.invoice_settings, settings);
      }
      customer.address = place;
      emit(world, 'customer.updated', customer);
      return customer;
    },
  }),
];

const products = [
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
      listed(world, ['/v1/products', 'product'], paged, ({ id }) => ids.includes(id)),
  }),
];

const subscriptions = [
  route({
    on: 'POST /v1/subscriptions',
    params: {
      automatic_tax: object({ enabled: bool }).optional(),
      customer: text(),
      items: list(object({ price_data: wanted(priceData), quantity: int(0).optional() })),
      metadata: metadata.optional(),
      payment_behavior: wanted(oneOf(['default_incomplete'])),
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
      return listed(
        world,
        ['/v1/subscriptions', 'subscription'],
        paged,
        (row) => row.customer === customer,
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
      listed(
        world,
        ['/v1/invoices', 'invoice'],
        paged,
        (row) =>
          row.parent.subscription_details.subscription === subscription &&
          (status === undefined || row.status === status),
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
        items: itemChanges.optional(),
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
    run(world, _params, id): List<InvoiceLine> {
      const { lines } = retrieve(world, 'invoice', id, 'invoice');
      const data = rowsOf(world, 'invoice_line', (row) => row.invoice === id);
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
    params: { payment_method: text().optional() },
    returns: 'invoice',
    run(world, { payment_method: wantedMethod }, id) {
      const invoice = retrieve(world, 'invoice', id, 'invoice');
      if (invoice.status !== 'open' && invoice.status !== 'paid')
        throw notModelled(`To pay an invoice that is ${invoice.status}`);
      const { subscription } = invoice.parent.subscription_details;
      const method = wantedMethod
        ? methodOf(world, wantedMethod, invoice.customer, 'payment_method')
        : defaultMethodOf(world, retrieve(world, 'subscription', subscription));
      if (method === undefined) throw notModelled('To pay an invoice without a payment method');
      return payInvoice(world, invoice, method);
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
      listed(world, ['/v1/disputes', 'dispute'], paged, (row) => row.charge === charge),
  }),
  route({
    on: 'GET /v1/charges',
    params: { ...paging, customer: wanted(text()) },
    returns: 'list of charge',
    run: (world, { customer, ...paged }) =>
      listed(world, ['/v1/charges', 'charge'], paged, (row) => row.customer === customer),
  }),
  reading('/v1/charges', 'charge', 'charge'),
  route({
    on: 'POST /v1/setup_intents',
    params: {
      allowed_payment_method_types: wanted(list(oneOf(['card']))),
      customer: wanted(text()),
      metadata: metadata.optional(),
      usage: wanted(oneOf(['off_session', 'on_session'])),
    },
    returns: 'setup_intent',
    run(world, params) {
      refer(world, 'customer', params.customer, 'customer');
      const intent = save(world, 'setup_intent', makeSetupIntent(world, params));
      emit(world, 'setup_intent.created', intent);
      return intent;
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
  run: (world, { created, types, ...paged }) =>
    page(
      '/v1/events',
      world.log.data.filter((row) => types.includes(row.type) && row.created >= created.gte),
      paged,
    ),
});

export const routes: readonly Route[] = [
  ...customers,
  ...products,
  ...subscriptions,
  ...invoices,
  ...payments,
  events,
];
