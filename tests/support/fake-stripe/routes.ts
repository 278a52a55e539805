/** The endpoints of Stripe's API that the site uses. */
import type * as z from 'zod';
import { editCustomer, voidInvoice } from './billing.ts';
import {
  type List,
  listOf,
  type PendingItem,
  type Subscription,
  shownInvoice,
} from './billing-objects.ts';
import { methodOf } from './cards.ts';
import { previewInvoice } from './cycles.ts';
import { invalid, noSuch } from './errors.ts';
import { checkTax } from './item-changes.ts';
import { type Charge, type Customer, isLocated, makeCustomer, makeSetupIntent } from './objects.ts';
import { payInvoice } from './payments.ts';
import { refund } from './reversals.ts';
import {
  address,
  bool,
  currency,
  email,
  expand,
  int,
  itemChanges,
  list,
  metadata,
  newItems,
  object,
  onceItems,
  oneOf,
  type Params,
  parse,
  text,
} from './schema.ts';
import { finalize, payOutside, send } from './sent-invoices.ts';
import { cancel, create, release, update } from './subscriptions.ts';
import { filter, newId, retrieve, save, type World } from './world.ts';

interface Route {
  method: string;
  pattern: RegExp;
  execute(world: World, params: Params, id: string): object;
}

/** `on` is method and path, for example `POST /v1/customers/:id`. */
const route = <Shape extends z.ZodRawShape>(
  on: string,
  params: Shape,
  run: (world: World, params: z.output<z.ZodObject<Shape, z.core.$strict>>, id: string) => object,
): Route => {
  const [method = '', path = ''] = on.split(' ');
  const schema = object(params);
  return {
    method,
    pattern: new RegExp(`^${path.replace(':id', '([^/]+)')}$`),
    execute: (world, given, id) => run(world, parse(schema, given), id),
  };
};

export const findRoute = (method: string, path: string) => {
  for (const candidate of routes) {
    const match = candidate.method === method ? candidate.pattern.exec(path) : null;
    if (match !== null) return { route: candidate, id: decodeURIComponent(match[1] ?? '') };
  }
  const message = `Unrecognized request URL (${method}: ${path}). The stand-in supports only what the site uses.`;
  throw invalid(message, { status: 404 });
};

const paging = { limit: int(1, 100).default(10), starting_after: text().optional() };

interface Page {
  limit: number;
  starting_after?: string;
}

/** `rows` are oldest first; Stripe lists newest first. */
const page = <Row extends { id: string }>(
  rows: readonly Row[],
  { limit, starting_after: after }: Page,
): List<Row> => {
  const all = rows.toReversed();
  const before = all.findIndex((row) => row.id === after);
  if (after !== undefined && before < 0) throw noSuch('object', after);
  const end = before + 1 + limit;
  return listOf(all.slice(before + 1, end), all.length > end);
};

/** A page of the rows that match. */
const listed = <Row extends { id: string }>(
  table: Map<string, Row>,
  matches: (row: Row) => boolean,
  paged: Page,
): List<Row> => page(filter(table, matches), paged);

const CUSTOMERS_METHOD = 'customer.invoice_settings.default_payment_method';
const SECRET = 'latest_invoice.confirmation_secret';
const SETUP = 'pending_setup_intent';
const COUPON = 'total_discount_amounts.discount.source.coupon';

/** A subscription with its latest invoice, and the secret of that or of its setup. */
const withSecret = (world: World, subscription: Subscription) => {
  const invoice = world.invoice.get(subscription.latest_invoice ?? '');
  if (!invoice) return subscription;
  const { confirmation_secret } = invoice;
  const setup = world.setup_intent.get(subscription.pending_setup_intent ?? '') ?? null;
  return {
    ...subscription,
    [SETUP]: setup,
    latest_invoice: { ...shownInvoice(invoice), confirmation_secret },
  };
};

/** One that staff deleted leaves its id. */
const shownCustomer = (
  world: World,
  id: string,
  expanded: (settings: Customer['invoice_settings']) => object,
) => {
  const customer = world.customer.get(id);
  return customer
    ? { ...customer, invoice_settings: expanded(customer.invoice_settings) }
    : { id, object: 'customer', deleted: true };
};

/** Stripe keeps 2.9 % and 30 cents. */
const withBalance = (charge: Charge) => {
  const { balance_transaction: id, amount } = charge;
  const fee = Math.round(amount * 0.029) + 30;
  return id === null ? charge : { ...charge, balance_transaction: { id, fee } };
};

const withCoupons = (world: World, { total_discount_amounts: off, ...invoice }: Shown) => {
  const expanded = ({ amount, discount: id }: (typeof off)[number]) => {
    const duration = world.discount.get(id)?.once ? 'once' : 'forever';
    return { amount, discount: { id, source: { coupon: { duration } } } };
  };
  return { ...invoice, total_discount_amounts: off.map(expanded) };
};
type Shown = ReturnType<typeof shownInvoice>;

const prorations = {
  proration_behavior: oneOf(['create_prorations', 'none']).optional(),
  proration_date: int(0).optional(),
};

const customerFacts = {
  address: address.optional(),
  email: email.optional(),
  name: text(256).optional(),
  // An empty one unsets it.
  phone: oneOf([''])
    .transform(() => null)
    .or(text(20))
    .optional(),
};

const sold = [
  route('POST /v1/customers', customerFacts, (world, params) =>
    save(world.customer, { ...makeCustomer(), ...params }),
  ),
  route('POST /v1/customers/:id', customerFacts, (world, params, id) =>
    editCustomer(world, id, (customer) =>
      Object.assign(customer, params, params.phone === '' && { phone: null }),
    ),
  ),
  route(
    'POST /v1/customers/:id/balance_transactions',
    { amount: int(-1e9), currency },
    (world, { amount }, id) => {
      editCustomer(world, id, (customer) => {
        customer.balance += amount;
      });
      return { id: newId('cbtxn'), object: 'customer_balance_transaction', amount };
    },
  ),
  route('POST /v1/products', { id: text(), name: text() }, (world, { id, name }) => {
    if (world.product.has(id))
      throw invalid('Product already exists.', { code: 'resource_already_exists' });
    return save(world.product, { id, object: 'product', name });
  }),
  route('GET /v1/products', { ...paging, ids: list(text()) }, (world, { ids, ...paged }) =>
    listed(world.product, ({ id }) => ids.includes(id), paged),
  ),
];

const customFields = list(object({ name: text(40), value: text(140) }), 4);

const subscriptions = [
  route(
    'POST /v1/subscriptions',
    {
      automatic_tax: object({ enabled: bool }).optional(),
      customer: text(),
      add_invoice_items: onceItems.optional(),
      trial_end: int(0).optional(),
      items: newItems,
      metadata,
      collection_method: oneOf(['send_invoice']).optional(),
      days_until_due: int(1, 365).optional(),
      invoice_settings: object({
        custom_fields: customFields,
      }).optional(),
      payment_behavior: oneOf(['default_incomplete']).optional(),
      payment_settings: object({
        save_default_payment_method: oneOf(['on_subscription']).optional(),
        payment_method_types: list(oneOf(['us_bank_account', 'customer_balance'])).optional(),
        payment_method_options: object({
          customer_balance: object({
            funding_type: oneOf(['bank_transfer']),
            bank_transfer: object({ type: oneOf(['us_bank_transfer']) }),
          }),
        }).optional(),
      }),
      expand: expand([SECRET, SETUP]),
    },
    (world, { expand, payment_behavior: behavior, ...params }) => {
      if (Boolean(behavior) === Boolean(params.collection_method))
        throw invalid('Either a card is charged, or an invoice is sent.');
      const subscription = create(world, params);
      return expand.length > 0 ? withSecret(world, subscription) : subscription;
    },
  ),
  route(
    'GET /v1/subscriptions',
    {
      ...paging,
      customer: text(),
      status: oneOf(['all']),
      expand: expand([`data.${SECRET}`, `data.${SETUP}`]),
    },
    (world, { customer, expand, ...paged }) => {
      retrieve(world.customer, customer);
      const found = listed(world.subscription, (row) => row.customer === customer, paged);
      if (expand.length === 0) return found;
      return { ...found, data: found.data.map((row) => withSecret(world, row)) };
    },
  ),
  route(
    'GET /v1/subscriptions/:id',
    { expand: expand(['default_payment_method', CUSTOMERS_METHOD]) },
    (world, { expand }, id) => {
      const subscription = retrieve(world.subscription, id);
      const methodOf = ({
        default_payment_method: of,
      }: {
        default_payment_method: string | null;
      }) => ({
        default_payment_method: of && retrieve(world.payment_method, of),
      });
      return {
        ...subscription,
        ...(expand.includes('default_payment_method') && methodOf(subscription)),
        ...(expand.includes(CUSTOMERS_METHOD) && {
          customer: shownCustomer(world, subscription.customer, methodOf),
        }),
      };
    },
  ),
  route(
    'POST /v1/subscriptions/:id',
    {
      cancel_at: oneOf(['']).optional(),
      cancel_at_period_end: bool.optional(),
      default_payment_method: text().optional(),
      invoice_settings: object({
        custom_fields: oneOf(['']).or(customFields),
      }).optional(),
      items: itemChanges.optional(),
      metadata: metadata.optional(),
      automatic_tax: object({ enabled: bool }).optional(),
      ...prorations,
    },
    (world, params, id) => update(world, id, params),
  ),
  route(
    'DELETE /v1/subscriptions/:id',
    {
      cancellation_details: object({ comment: text().optional() }).optional(),
      invoice_now: bool.optional(),
    },
    (world, { cancellation_details: details, invoice_now: invoiceNow }, id) =>
      cancel(world, id, { comment: details?.comment, invoiceNow }),
  ),
  route(
    'GET /v1/invoiceitems',
    { ...paging, customer: text(), pending: bool },
    (world, { customer, pending, ...paged }) => {
      retrieve(world.customer, customer);
      const isTheirs = ({ subscription }: PendingItem) =>
        pending && retrieve(world.subscription, subscription).customer === customer;
      const found = listed(world.invoiceitem, isTheirs, paged);
      const shown = ({ id, amount, description, proration, subscription }: PendingItem) => ({
        ...{ id, amount, description: description ?? null, proration },
        parent: { subscription_details: { subscription } },
      });
      return { ...found, data: found.data.map(shown) };
    },
  ),
  route('POST /v1/subscription_schedules/:id/release', {}, (world, _params, id) =>
    release(world, id),
  ),
];

const invoices = [
  route(
    'GET /v1/invoices',
    {
      ...paging,
      status: oneOf(['draft', 'open', 'paid']).optional(),
      subscription: text(),
      expand: expand(['data.payments']),
    },
    (world, { status, subscription, expand, ...paged }) => {
      const { data, ...rest } = listed(
        world.invoice,
        (row) =>
          row.parent.subscription_details.subscription === subscription &&
          (status === undefined || row.status === status),
        paged,
      );
      const shown = data.map((row) => ({
        ...shownInvoice(row),
        ...(expand.length > 0 && { payments: row.payments }),
      }));
      return { ...rest, data: shown };
    },
  ),
  route(
    'POST /v1/invoices/create_preview',
    {
      automatic_tax: object({ enabled: bool }).optional(),
      currency: currency.optional(),
      customer_details: object({ address }).optional(),
      invoice_items: list(
        object({
          amount: int(-1e9),
          currency,
          discountable: bool.optional(),
          tax_behavior: oneOf(['exclusive']),
        }),
      ).optional(),
      subscription: text().optional(),
      subscription_details: object({ items: itemChanges, ...prorations }).optional(),
      expand: expand([COUPON]),
    },
    (world, { subscription, subscription_details: details, expand, ...alone }) => {
      if (subscription) {
        const { invoice_items: items, automatic_tax: tax } = alone;
        const preview = shownInvoice(previewInvoice(world, subscription, details, items, tax));
        return expand.length > 0 ? withCoupons(world, preview) : preview;
      }
      const { automatic_tax: tax, customer_details: customer, invoice_items: items } = alone;
      if (!items || !customer) throw invalid('Missing required param: customer_details.');
      // Without a subscription, the site only asks whether tax can be computed.
      const isPlace = isLocated(customer);
      if (tax?.enabled && !world.uncertain) checkTax(customer);
      const status = isPlace ? 'complete' : 'requires_location_inputs';
      return { object: 'invoice', automatic_tax: { enabled: true, status } };
    },
  ),
  route(
    'POST /v1/invoices/:id',
    {
      auto_advance: bool.optional(),
      custom_fields: oneOf(['']).or(customFields).optional(),
      metadata: metadata.optional(),
    },
    (world, { custom_fields: fields, metadata, ...params }, id) => {
      const invoice = retrieve(world.invoice, id);
      if (invoice.status !== 'draft' && !metadata)
        throw invalid(`Invoice ${id} is already finalized.`);
      Object.assign(invoice.metadata, metadata);
      if (fields !== undefined) invoice.custom_fields = fields || null;
      return shownInvoice(Object.assign(invoice, params));
    },
  ),
  route('GET /v1/invoices/:id', {}, (world, _params, id) =>
    shownInvoice(retrieve(world.invoice, id)),
  ),
  route('GET /v1/invoices/:id/lines', paging, (world, paged, id) =>
    page(retrieve(world.invoice, id).lines.data.toReversed(), paged),
  ),
  route('POST /v1/invoices/:id/void', {}, (world, _params, id) => {
    const invoice = retrieve(world.invoice, id);
    voidInvoice(world, invoice);
    return shownInvoice(invoice);
  }),
  route('POST /v1/invoices/:id/finalize', {}, (world, _params, id) =>
    shownInvoice(finalize(world, id)),
  ),
  route('POST /v1/invoices/:id/send', {}, (world, _params, id) => shownInvoice(send(world, id))),
  route(
    'POST /v1/invoices/:id/pay',
    { paid_out_of_band: oneOf(['true']).optional(), payment_method: text().optional() },
    (world, params, id) => {
      const invoice = retrieve(world.invoice, id);
      if (params.paid_out_of_band) return shownInvoice(payOutside(world, id));
      const given = params.payment_method ?? '';
      payInvoice(world, invoice, methodOf(world, given, invoice.customer));
      return shownInvoice(invoice);
    },
  ),
];

const payments = [
  route('GET /v1/payment_intents/:id', {}, (world, _params, id) =>
    retrieve(world.payment_intent, id),
  ),
  route(
    'POST /v1/refunds',
    {
      amount: int(1).optional(),
      metadata: metadata.optional(),
      charge: text(),
    },
    (world, { amount, metadata, charge }) =>
      refund(world, retrieve(world.charge, charge), amount, metadata),
  ),
  route('GET /v1/refunds', { ...paging, charge: text() }, (world, { charge: id, ...paged }) =>
    page(
      filter(world.refund, ({ charge }) => charge === id),
      paged,
    ),
  ),
  route('GET /v1/disputes', { ...paging, charge: text() }, (world, { charge, ...paged }) =>
    listed(world.dispute, (row) => row.charge === charge, paged),
  ),
  route(
    'GET /v1/charges',
    { ...paging, customer: text(), expand: expand(['data.balance_transaction']) },
    (world, { customer, expand, ...paged }) => {
      retrieve(world.customer, customer);
      const found = listed(world.charge, (row) => row.customer === customer, paged);
      if (expand.length === 0) return found;
      return { ...found, data: found.data.map(withBalance) };
    },
  ),
  route('GET /v1/charges/:id', {}, (world, _params, id) => retrieve(world.charge, id)),
  route(
    'POST /v1/setup_intents',
    {
      allowed_payment_method_types: list(oneOf(['card'])),
      customer: text(),
      metadata: metadata.optional(),
      usage: oneOf(['off_session']),
    },
    (world, { customer }) => {
      retrieve(world.customer, customer);
      return save(world.setup_intent, makeSetupIntent(customer));
    },
  ),
  route('GET /v1/setup_intents/:id', {}, (world, _params, id) => retrieve(world.setup_intent, id)),
];

const event = route('GET /v1/events/:id', {}, (world, _params, id) => {
  const found = world.events.find((row) => row.id === id);
  if (!found) throw noSuch('event', id);
  return JSON.parse(found.body);
});

const events = route(
  'GET /v1/events',
  { ...paging, created: object({ gte: int(0) }), types: list(text(), 20) },
  (world, { created, types, ...paged }) => {
    const { data, ...rest } = page(
      world.events.filter((row) => types.includes(row.type) && row.created >= created.gte),
      paged,
    );
    return { ...rest, data: data.map(({ body }) => JSON.parse(body)) };
  },
);

const routes: readonly Route[] = [
  ...sold,
  ...subscriptions,
  ...invoices,
  ...payments,
  event,
  events,
];
