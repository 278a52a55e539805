import { emit } from './billing.ts';
import { makeSetupIntent } from './objects-setup.ts';
import { type Route, route } from './router.ts';
import { list, metadata, oneOf, text, wanted } from './schema.ts';
import { refer, retrieve, save } from './world.ts';

export const setupRoutes: Route[] = [
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
  route({
    on: 'GET /v1/setup_intents/:id',
    params: {},
    returns: 'setup_intent',
    run: (world, _params, id) => retrieve(world, 'setup_intent', id, 'intent'),
  }),
  route({
    on: 'GET /v1/payment_methods/:id',
    params: {},
    returns: 'payment_method',
    run: (world, _params, id) => retrieve(world, 'payment_method', id, 'payment_method'),
  }),
];
