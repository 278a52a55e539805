import { invalid } from './errors.ts';
import { createdRange, inRange, page, paging } from './listing.ts';
import { makeProduct, type Product } from './objects-catalogue.ts';
import { type Route, route } from './router.ts';
import {
  bool,
  emptyable,
  list,
  maybe,
  metadata,
  need,
  oneOf,
  type Parsed,
  text,
  url,
} from './schema.ts';
import { newId, patchMetadata, refer, retrieve, save, type World } from './world.ts';

const productFields = {
  active: maybe(bool),
  description: maybe(emptyable(text())),
  images: maybe(emptyable(list(text(), 8))),
  metadata: maybe(emptyable(metadata)),
  statement_descriptor: maybe(text(22)),
  tax_code: maybe(emptyable(text())),
  unit_label: maybe(emptyable(text(12))),
  url: maybe(emptyable(url)),
};

const productExtras = ['marketing_features', 'package_dimensions', 'shippable', 'tax_details'];

export const applyProduct = (product: Product, given: Parsed<typeof productFields>): void => {
  product.active = given.active ?? product.active;
  if (given.description !== undefined) product.description = given.description;
  if (given.images !== undefined) product.images = given.images ?? [];
  if (given.tax_code !== undefined) product.tax_code = given.tax_code;
  if (given.unit_label !== undefined) product.unit_label = given.unit_label;
  if (given.url !== undefined) product.url = given.url;
  product.statement_descriptor = given.statement_descriptor ?? product.statement_descriptor;
  product.metadata = patchMetadata(product.metadata, given.metadata);
};

export const newProduct = (world: World, id: string | undefined, name: string): Product => {
  if (id !== undefined && world.tables.product.has(id)) {
    throw invalid('Product already exists.', 'id', 'resource_already_exists');
  }
  return save(world, 'product', makeProduct(world, id ?? newId('prod'), name));
};

export const productRoutes: Route[] = [
  route({
    on: 'POST /v1/products',
    params: {
      ...productFields,
      name: need(text()),
      id: maybe(text()),
      type: maybe(oneOf('good', 'service')),
    },
    unmodelled: [...productExtras, 'default_price_data'],
    returns: 'product',
    run(world, params) {
      const product = newProduct(world, params.id, params.name);
      applyProduct(product, params);
      return product;
    },
  }),
  route({
    on: 'GET /v1/products',
    params: {
      ...paging,
      active: maybe(bool),
      created: maybe(createdRange),
      ids: maybe(list(text())),
    },
    unmodelled: ['shippable', 'type', 'url'],
    returns: 'list of product',
    run: (world, { active, ids, created, ...paged }) =>
      page(
        '/v1/products',
        [...world.tables.product.values()].filter(
          (row) =>
            (active === undefined || row.active === active) &&
            (ids === undefined || ids.includes(row.id)) &&
            inRange(row.created, created),
        ),
        paged,
      ),
  }),
  route({
    on: 'GET /v1/products/:id',
    params: {},
    returns: 'product',
    run: (world, _params, id) => retrieve(world, 'product', id),
  }),
  route({
    on: 'POST /v1/products/:id',
    params: { ...productFields, name: maybe(text()), default_price: maybe(text()) },
    unmodelled: productExtras,
    returns: 'product',
    run(world, params, id) {
      const product = retrieve(world, 'product', id);
      const price =
        params.default_price === undefined
          ? undefined
          : refer(world, 'price', params.default_price, 'default_price');
      applyProduct(product, params);
      product.name = params.name ?? product.name;
      product.default_price = price?.id ?? product.default_price;
      product.updated = world.now();
      return product;
    },
  }),
];
