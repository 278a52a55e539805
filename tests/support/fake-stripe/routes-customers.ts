import { emit } from './billing.ts';
import { makeCustomer } from './objects-catalogue.ts';
import { type Route, route } from './router.ts';
import { email, object, text, url, wanted } from './schema.ts';
import { newId, refer, retrieve, save } from './world.ts';

const address = object({ country: text().optional(), postal_code: text().optional() });

export const customerRoutes: Route[] = [
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
    params: { address: wanted(address) },
    returns: 'customer',
    run(world, params, id) {
      const customer = Object.assign(retrieve(world, 'customer', id), params);
      emit(world, 'customer.updated', customer);
      return customer;
    },
  }),
  route({
    on: 'POST /v1/billing_portal/sessions',
    params: { customer: text(), return_url: wanted(url) },
    returns: 'portal session',
    run(world, params) {
      refer(world, 'customer', params.customer, 'customer');
      const id = newId('bps');
      return save(world, 'portal_session', {
        ...params,
        id,
        object: 'billing_portal.session',
        url: `https://billing.stripe.com/p/session/test_${id.slice(4)}`,
      });
    },
  }),
];
