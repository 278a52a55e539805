import { invalid, missing, notModelled, refused } from './errors.ts';
import { createdRange, inRange, page, paging } from './listing.ts';
import { makePrice, type Price } from './objects-catalogue.ts';
import { amountOf, recurring, taxBehavior } from './price-params.ts';
import { type Route, route } from './router.ts';
import { applyProduct, newProduct } from './routes-products.ts';
import {
  bool,
  currency,
  decimal,
  emptyable,
  int,
  list,
  maybe,
  metadata,
  need,
  object,
  oneOf,
  text,
} from './schema.ts';
import { patchMetadata, refer, retrieve, save, type World } from './world.ts';

/** A lookup key names one price: taking it from another must be said. */
const claimLookupKey = (world: World, key: string, transfer: boolean, owner?: Price): void => {
  const holder = [...world.tables.price.values()].find(
    (row) => row.lookup_key === key && row !== owner,
  );
  if (holder === undefined) return;
  if (!transfer)
    throw invalid(`A price (\`${holder.id}\`) already uses that lookup key.`, 'lookup_key');
  holder.lookup_key = null;
};

export const priceRoutes: Route[] = [
  route({
    on: 'POST /v1/prices',
    params: {
      currency: need(currency),
      active: maybe(bool),
      billing_scheme: maybe(oneOf('per_unit', 'tiered')),
      lookup_key: maybe(text(200)),
      metadata: maybe(metadata),
      nickname: maybe(text()),
      product: maybe(text()),
      product_data: maybe(
        object(
          {
            name: need(text()),
            id: maybe(text()),
            active: maybe(bool),
            metadata: maybe(metadata),
            statement_descriptor: maybe(text(22)),
            tax_code: maybe(text()),
            unit_label: maybe(text(12)),
          },
          ['tax_details'],
        ),
      ),
      recurring: maybe(recurring),
      tax_behavior: maybe(taxBehavior),
      transfer_lookup_key: maybe(bool),
      unit_amount: maybe(int(0, 99_999_999)),
      unit_amount_decimal: maybe(decimal),
    },
    unmodelled: [
      'currency_options',
      'custom_unit_amount',
      'tiers',
      'tiers_mode',
      'transform_quantity',
    ],
    returns: 'price',
    run(world, params) {
      if (params.billing_scheme === 'tiered')
        throw notModelled('The tiered billing scheme', 'billing_scheme');
      const { product: named, product_data: data } = params;
      if (named !== undefined && data !== undefined) {
        throw refused(
          'You may only specify one of these parameters: product, product_data.',
          'product',
          'parameters_exclusive',
        );
      }
      const unitAmountDecimal = amountOf(params, (name) => name);
      if (named === undefined && data === undefined) throw missing('product');
      if (named !== undefined) refer(world, 'product', named, 'product');
      if (params.lookup_key !== undefined)
        claimLookupKey(world, params.lookup_key, params.transfer_lookup_key ?? false);
      const made = data === undefined ? undefined : newProduct(world, data.id, data.name);
      if (made !== undefined && data !== undefined) applyProduct(made, data);
      const price = makePrice(world, {
        currency: params.currency,
        product: made?.id ?? named ?? '',
        unitAmountDecimal,
        recurring: params.recurring,
        taxBehavior: params.tax_behavior,
      });
      price.active = params.active ?? true;
      price.lookup_key = params.lookup_key ?? null;
      price.nickname = params.nickname ?? null;
      price.metadata = patchMetadata({}, params.metadata);
      return save(world, 'price', price);
    },
  }),
  route({
    on: 'GET /v1/prices',
    params: {
      ...paging,
      active: maybe(bool),
      created: maybe(createdRange),
      currency: maybe(currency),
      lookup_keys: maybe(list(text(200), 10)),
      product: maybe(text()),
      type: maybe(oneOf('one_time', 'recurring')),
    },
    unmodelled: ['recurring'],
    returns: 'list of price',
    run: (world, { active, created, currency: code, lookup_keys: keys, product, type, ...paged }) =>
      page(
        '/v1/prices',
        [...world.tables.price.values()].filter(
          (row) =>
            (active === undefined || row.active === active) &&
            (code === undefined || row.currency === code) &&
            (keys === undefined || (row.lookup_key !== null && keys.includes(row.lookup_key))) &&
            (product === undefined || row.product === product) &&
            (type === undefined || row.type === type) &&
            inRange(row.created, created),
        ),
        paged,
      ),
  }),
  route({
    on: 'GET /v1/prices/:id',
    params: {},
    returns: 'price',
    run: (world, _params, id) => retrieve(world, 'price', id, 'price'),
  }),
  route({
    on: 'POST /v1/prices/:id',
    params: {
      active: maybe(bool),
      lookup_key: maybe(text(200)),
      metadata: maybe(emptyable(metadata)),
      nickname: maybe(text()),
      tax_behavior: maybe(taxBehavior),
      transfer_lookup_key: maybe(bool),
    },
    unmodelled: ['currency_options'],
    returns: 'price',
    run(world, params, id) {
      const price = retrieve(world, 'price', id, 'price');
      if (params.tax_behavior !== undefined && price.tax_behavior !== 'unspecified') {
        throw invalid(
          'You cannot change the tax_behavior of a price once it is set to exclusive or inclusive.',
          'tax_behavior',
        );
      }
      if (params.lookup_key !== undefined) {
        claimLookupKey(world, params.lookup_key, params.transfer_lookup_key ?? false, price);
        price.lookup_key = params.lookup_key;
      }
      price.active = params.active ?? price.active;
      price.nickname = params.nickname ?? price.nickname;
      price.tax_behavior = params.tax_behavior ?? price.tax_behavior;
      price.metadata = patchMetadata(price.metadata, params.metadata);
      return price;
    },
  }),
];
