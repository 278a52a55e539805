import { invalid } from './errors.ts';
import { page, paging } from './listing.ts';
import { makePrice, makeProduct } from './objects-catalogue.ts';
import { type Route, route } from './router.ts';
import { bool, currency, int, list, object, oneOf, text, wanted } from './schema.ts';
import { refer, retrieve, rowsOf, save, type World } from './world.ts';

/** A lookup key names one price: taking it from another must be said. */
const claimLookupKey = (world: World, key: string | undefined, transfer: boolean): void => {
  const [holder] = rowsOf(world, 'price', ({ lookup_key }) => lookup_key === key);
  if (key === undefined || holder === undefined) return;
  if (!transfer)
    throw invalid(`A price (\`${holder.id}\`) already uses that lookup key.`, 'lookup_key');
  holder.lookup_key = null;
};

export const catalogueRoutes: Route[] = [
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
    on: 'POST /v1/prices',
    params: {
      currency,
      lookup_key: text(200).optional(),
      product: wanted(text()),
      recurring: wanted(
        object({
          interval: oneOf(['month', 'year']),
          interval_count: int(1, 156).optional(),
        }),
      ),
      tax_behavior: oneOf(['exclusive', 'inclusive', 'unspecified']).optional(),
      transfer_lookup_key: bool.optional(),
      unit_amount: wanted(int(0, 99_999_999)),
    },
    returns: 'price',
    run(world, { transfer_lookup_key: transfer = false, ...params }) {
      refer(world, 'product', params.product, 'product');
      claimLookupKey(world, params.lookup_key, transfer);
      return save(world, 'price', makePrice(world, params));
    },
  }),
  route({
    on: 'GET /v1/prices',
    params: { ...paging, lookup_keys: wanted(list(text(200), 10)) },
    returns: 'list of price',
    run: (world, { lookup_keys: keys, ...paged }) =>
      page(
        '/v1/prices',
        rowsOf(world, 'price', (row) => keys.includes(row.lookup_key ?? '')),
        paged,
      ),
  }),
  route({
    on: 'POST /v1/prices/:id',
    params: { active: bool },
    returns: 'price',
    run: (world, params, id) => Object.assign(retrieve(world, 'price', id, 'price'), params),
  }),
];
