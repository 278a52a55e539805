import { emit } from './billing.ts';
import { createdRange, inRange, page, paging } from './listing.ts';
import { addressOf, type Customer, makeCustomer } from './objects-catalogue.ts';
import { type Route, route } from './router.ts';
import {
  email,
  emptyable,
  list,
  maybe,
  metadata,
  need,
  object,
  oneOf,
  type Parsed,
  text,
  url,
} from './schema.ts';
import { newId, patchMetadata, refer, retrieve, save, type World } from './world.ts';

const part = maybe(emptyable(text()));

const address = object({
  city: part,
  country: part,
  line1: part,
  line2: part,
  postal_code: part,
  state: part,
});

const fields = {
  address: maybe(emptyable(address)),
  description: maybe(text()),
  email: maybe(email),
  metadata: maybe(emptyable(metadata)),
  name: maybe(text(256)),
  phone: maybe(text(20)),
  preferred_locales: maybe(list(text())),
  tax_exempt: maybe(emptyable(oneOf('exempt', 'none', 'reverse'))),
};

const shared = [
  'balance',
  'business_name',
  'cash_balance',
  'individual_name',
  'invoice_prefix',
  'invoice_settings',
  'next_invoice_sequence',
  'shipping',
  'source',
  'tax',
  'validate',
];

const apply = (customer: Customer, given: Parsed<typeof fields>): void => {
  if (given.address !== undefined)
    customer.address = given.address === null ? null : addressOf(given.address);
  customer.description = given.description ?? customer.description;
  customer.email = given.email ?? customer.email;
  customer.name = given.name ?? customer.name;
  customer.phone = given.phone ?? customer.phone;
  customer.preferred_locales = given.preferred_locales ?? customer.preferred_locales;
  if (given.tax_exempt !== undefined) customer.tax_exempt = given.tax_exempt ?? 'none';
  customer.metadata = patchMetadata(customer.metadata, given.metadata);
};

const portalSession = (
  world: World,
  params: { customer: string; locale?: string; return_url?: string },
): object => {
  const customer = refer(world, 'customer', params.customer, 'customer');
  const id = newId('bps');
  return save(world, 'portal_session', {
    id,
    object: 'billing_portal.session',
    configuration: 'bpc_standIn',
    created: world.now(),
    customer: customer.id,
    customer_account: null,
    flow: null,
    livemode: false,
    locale: params.locale ?? null,
    on_behalf_of: null,
    return_url: params.return_url ?? null,
    url: `https://billing.stripe.com/p/session/test_${id.slice(4)}`,
  });
};

export const customerRoutes: Route[] = [
  route({
    on: 'POST /v1/customers',
    params: fields,
    unmodelled: [...shared, 'payment_method', 'tax_id_data', 'test_clock'],
    returns: 'customer',
    run(world, params) {
      const customer = makeCustomer(world);
      apply(customer, params);
      save(world, 'customer', customer);
      emit(world, 'customer.created', customer);
      return customer;
    },
  }),
  route({
    on: 'GET /v1/customers',
    params: { ...paging, email: maybe(text(512)), created: maybe(createdRange) },
    unmodelled: ['test_clock'],
    returns: 'list of customer',
    run: (world, params) =>
      page(
        '/v1/customers',
        [...world.tables.customer.values()].filter(
          (row) =>
            (params.email === undefined || row.email === params.email) &&
            inRange(row.created, params.created),
        ),
        params,
      ),
  }),
  route({
    on: 'GET /v1/customers/:id',
    params: {},
    returns: 'customer',
    run: (world, _params, id) => retrieve(world, 'customer', id),
  }),
  route({
    on: 'POST /v1/customers/:id',
    params: fields,
    unmodelled: [...shared, 'default_source'],
    returns: 'customer',
    run(world, params, id) {
      const customer = retrieve(world, 'customer', id);
      apply(customer, params);
      emit(world, 'customer.updated', customer);
      return customer;
    },
  }),
  route({
    on: 'POST /v1/billing_portal/sessions',
    params: { customer: need(text()), locale: maybe(text()), return_url: maybe(url) },
    unmodelled: [
      'after_expiration',
      'configuration',
      'customer_account',
      'flow_data',
      'on_behalf_of',
    ],
    returns: 'portal session',
    run: portalSession,
  }),
];
