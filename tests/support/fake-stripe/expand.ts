import { intentOf } from './billing.ts';
import { refused } from './errors.ts';
import { page } from './listing.ts';
import { find, type Kind, type World } from './world.ts';

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

type Edge =
  | { how: 'reference'; to: Kind }
  /** Expandable at Stripe; always null or absent here. */
  | { how: 'never' }
  /** Not in the answer at all unless asked for. */
  | { how: 'include'; to: string; make: (world: World, id: string) => unknown }
  /** Part of the object already; only a way to what lies below. */
  | { how: 'within'; to: string }
  /** Part of the object already, and a whole object by itself. */
  | { how: 'embedded'; to: string };

const reference = (to: Kind): Edge => ({ how: 'reference', to });
const within = (to: string): Edge => ({ how: 'within', to });
const never: Edge = { how: 'never' };

const graph: Record<string, Record<string, Edge>> = {
  customer: {
    subscriptions: {
      how: 'include',
      to: 'list of subscription',
      make: (world, id) =>
        page(
          `/v1/customers/${id}/subscriptions`,
          [...world.tables.subscription.values()].filter(
            (row) => row.customer === id && row.status !== 'canceled',
          ),
          {},
        ),
    },
    invoice_settings: within('customer settings'),
    default_source: never,
  },
  'customer settings': { default_payment_method: reference('payment_method') },
  product: { default_price: reference('price'), tax_code: never },
  price: { product: reference('product') },
  subscription: {
    customer: reference('customer'),
    default_payment_method: reference('payment_method'),
    discounts: never,
    items: within('list of subscription_item'),
    latest_invoice: reference('invoice'),
    pending_setup_intent: never,
    schedule: never,
  },
  subscription_item: { price: { how: 'embedded', to: 'price' } },
  invoice: {
    confirmation_secret: {
      how: 'include',
      to: 'confirmation secret',
      make: (world, id) => {
        const intent = intentOf(world, id);
        return intent === undefined
          ? null
          : { client_secret: intent.client_secret, type: 'payment_intent' };
      },
    },
    customer: reference('customer'),
    default_payment_method: never,
    discounts: never,
    lines: within('list of line_item'),
    parent: within('invoice parent'),
    payments: {
      how: 'include',
      to: 'list of invoice_payment',
      make: (world, id) =>
        page(
          `/v1/invoices/${id}/payments`,
          [...world.tables.invoice_payment.values()].filter((row) => row.invoice === id),
          {},
        ),
    },
  },
  'invoice parent': { subscription_details: within('invoice subscription') },
  'invoice subscription': { subscription: reference('subscription') },
  line_item: { pricing: within('line pricing'), subscription: reference('subscription') },
  'line pricing': { price_details: within('line price') },
  'line price': { price: reference('price') },
  invoice_payment: { invoice: reference('invoice'), payment: within('invoice payment target') },
  'invoice payment target': { payment_intent: reference('payment_intent') },
  payment_intent: {
    customer: reference('customer'),
    latest_charge: reference('charge'),
    payment_method: reference('payment_method'),
    review: never,
  },
  payment_method: { customer: reference('customer') },
  charge: {
    customer: reference('customer'),
    payment_intent: reference('payment_intent'),
    refunds: {
      how: 'include',
      to: 'list of refund',
      make: (world, id) =>
        page(
          `/v1/charges/${id}/refunds`,
          [...world.tables.refund.values()].filter((row) => row.charge === id),
          {},
        ),
    },
    review: never,
  },
  refund: {
    charge: reference('charge'),
    payment_intent: reference('payment_intent'),
    payment_method: reference('payment_method'),
  },
  dispute: { charge: reference('charge'), payment_intent: reference('payment_intent') },
};

const edgeOf = (type: string, segment: string): Edge | undefined => {
  if (type.startsWith('list of '))
    return segment === 'data' ? within(type.slice('list of '.length)) : undefined;
  const edges = graph[type];
  return edges !== undefined && Object.hasOwn(edges, segment) ? edges[segment] : undefined;
};

const targetOf = (edge: Edge): string => (edge.how === 'never' ? '' : edge.to);

/** Refuses, before anything is executed, a path that Stripe could not follow. */
export const checkExpand = (type: string, paths: readonly string[]): void => {
  for (const path of paths) {
    const segments = path.split('.');
    if (segments.length > 4) {
      throw refused(
        `You cannot expand more than 4 levels of a property. Property: ${path}`,
        'expand',
        'property_expansion_max_depth',
      );
    }
    let at = type;
    let last: Edge | undefined;
    for (const segment of segments) {
      last = edgeOf(at, segment);
      if (last === undefined) break;
      at = targetOf(last);
    }
    if (last === undefined || last.how === 'within') {
      const inData = type.startsWith('list of ') && segments[0] !== 'data';
      const hint = inData ? ` You may want to try expanding 'data.${path}' instead.` : '';
      throw refused(`This property cannot be expanded (${path}).${hint}`, 'expand');
    }
  }
};

const copy = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;

const follow = (world: World, type: string, value: Json, segments: readonly string[]): void => {
  const [segment, ...rest] = segments;
  if (segment === undefined || value === null || typeof value !== 'object') return;
  if (Array.isArray(value)) {
    for (const entry of value) follow(world, type, entry, segments);
    return;
  }
  const edge = edgeOf(type, segment);
  if (edge === undefined || edge.how === 'never') return;
  const present = value[segment];
  if (edge.how === 'reference' && typeof present === 'string') {
    value[segment] = copy(find(world, edge.to, present) ?? present);
  }
  if (edge.how === 'include' && present === undefined)
    value[segment] = copy(edge.make(world, String(value.id)));
  follow(world, edge.to, value[segment] ?? null, rest);
};

/** A copy as it goes over the wire, with the asked-for references in full. */
export const render = (
  world: World,
  type: string,
  answer: object,
  paths: readonly string[],
): JsonObject => {
  const rendered = copy(answer);
  for (const path of paths) follow(world, type, rendered, path.split('.'));
  return rendered as JsonObject;
};
