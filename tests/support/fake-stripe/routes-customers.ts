import { emit } from './billing.ts';
import { makeCustomer } from './objects-catalogue.ts';
import { methodOf } from './payment-methods.ts';
import { type Route, route } from './router.ts';
import { address, email, object, text, url, wanted } from './schema.ts';
import { newId, refer, retrieve, save } from './world.ts';

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
