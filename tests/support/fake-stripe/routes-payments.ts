import { emit } from './billing.ts';
import { refused } from './errors.ts';
import { createdRange, inRange, page, paging } from './listing.ts';
import { makePaymentIntent } from './objects-payment.ts';
import { refund } from './reversals.ts';
import { type Route, route } from './router.ts';
import {
  bool,
  currency,
  email,
  emptyable,
  int,
  maybe,
  metadata,
  need,
  object,
  oneOf,
  type Schema,
  text,
} from './schema.ts';
import { patchMetadata, refer, retrieve, save } from './world.ts';

const gone: Schema<never> = {
  parse(_value, path) {
    throw refused(
      'The `payment_method_types` parameter is no longer supported. Use `allowed_payment_method_types` or `excluded_payment_method_types` instead.',
      path,
      'payment_method_types_no_longer_supported',
    );
  },
};

const intentFields = {
  description: maybe(text(1000)),
  metadata: maybe(emptyable(metadata)),
  payment_method_types: maybe(gone),
  receipt_email: maybe(emptyable(email)),
};

const intentExtras = [
  'allowed_payment_method_types',
  'amount_details',
  'application_fee_amount',
  'capture_method',
  'confirm',
  'confirmation_method',
  'confirmation_token',
  'customer_account',
  'error_on_requires_action',
  'excluded_payment_method_types',
  'hooks',
  'mandate',
  'mandate_data',
  'off_session',
  'on_behalf_of',
  'payment_details',
  'payment_method',
  'payment_method_configuration',
  'payment_method_data',
  'payment_method_options',
  'radar_options',
  'return_url',
  'shipping',
  'statement_descriptor',
  'statement_descriptor_suffix',
  'transfer_data',
  'transfer_group',
  'use_stripe_sdk',
];

export const paymentRoutes: Route[] = [
  route({
    on: 'POST /v1/payment_intents',
    params: {
      ...intentFields,
      amount: need(int(1, 99_999_999)),
      currency: need(currency),
      customer: maybe(text()),
      automatic_payment_methods: maybe(
        object({ enabled: need(bool), allow_redirects: maybe(oneOf('always', 'never')) }),
      ),
      setup_future_usage: maybe(oneOf('off_session')),
    },
    unmodelled: intentExtras,
    returns: 'payment_intent',
    run(world, params) {
      const customer =
        params.customer === undefined
          ? null
          : refer(world, 'customer', params.customer, 'customer').id;
      const intent = makePaymentIntent(world, {
        amount: params.amount,
        currency: params.currency,
        customer,
        description: params.description ?? null,
        setup: params.setup_future_usage ?? null,
      });
      const automatic = params.automatic_payment_methods ?? { enabled: true };
      intent.automatic_payment_methods = {
        allow_redirects: automatic.allow_redirects ?? 'always',
        enabled: automatic.enabled,
      };
      intent.metadata = patchMetadata({}, params.metadata);
      intent.receipt_email = params.receipt_email ?? null;
      save(world, 'payment_intent', intent);
      emit(world, 'payment_intent.created', intent);
      return intent;
    },
  }),
  route({
    on: 'GET /v1/payment_intents',
    params: { ...paging, created: maybe(createdRange), customer: maybe(text()) },
    unmodelled: ['customer_account'],
    returns: 'list of payment_intent',
    run: (world, { created, customer, ...paged }) =>
      page(
        '/v1/payment_intents',
        [...world.tables.payment_intent.values()].filter(
          (row) =>
            (customer === undefined || row.customer === customer) && inRange(row.created, created),
        ),
        paged,
      ),
  }),
  route({
    on: 'GET /v1/payment_intents/:id',
    params: { client_secret: maybe(text()) },
    returns: 'payment_intent',
    run: (world, _params, id) => retrieve(world, 'payment_intent', id, 'intent'),
  }),
  route({
    on: 'POST /v1/payment_intents/:id',
    params: intentFields,
    unmodelled: [...intentExtras, 'amount', 'currency', 'customer', 'setup_future_usage'],
    returns: 'payment_intent',
    run(world, params, id) {
      const intent = retrieve(world, 'payment_intent', id, 'intent');
      intent.description = params.description ?? intent.description;
      intent.metadata = patchMetadata(intent.metadata, params.metadata);
      if (params.receipt_email !== undefined) intent.receipt_email = params.receipt_email;
      return intent;
    },
  }),
  route({
    on: 'GET /v1/charges',
    params: {
      ...paging,
      created: maybe(createdRange),
      customer: maybe(text()),
      payment_intent: maybe(text()),
    },
    unmodelled: ['transfer_group'],
    returns: 'list of charge',
    run: (world, { created, customer, payment_intent: intent, ...paged }) =>
      page(
        '/v1/charges',
        [...world.tables.charge.values()].filter(
          (row) =>
            (customer === undefined || row.customer === customer) &&
            (intent === undefined || row.payment_intent === intent) &&
            inRange(row.created, created),
        ),
        paged,
      ),
  }),
  route({
    on: 'GET /v1/charges/:id',
    params: {},
    returns: 'charge',
    run: (world, _params, id) => retrieve(world, 'charge', id),
  }),
  route({
    on: 'POST /v1/refunds',
    params: {
      amount: maybe(int(1)),
      charge: maybe(text()),
      metadata: maybe(emptyable(metadata)),
      payment_intent: maybe(text()),
      reason: maybe(oneOf('duplicate', 'fraudulent', 'requested_by_customer')),
    },
    unmodelled: [
      'currency',
      'customer',
      'instructions_email',
      'origin',
      'refund_application_fee',
      'reverse_transfer',
    ],
    returns: 'refund',
    run(world, params) {
      const { charge, payment_intent: intent } = params;
      if (charge === undefined && intent === undefined) {
        throw refused(
          'One of the following params should be provided for this request: payment_intent or charge.',
          undefined,
          'parameter_missing',
        );
      }
      if (charge !== undefined && intent !== undefined) {
        const named = refer(world, 'charge', charge, 'charge');
        if (named.payment_intent !== intent)
          throw refused(`Charge ${charge} does not belong to PaymentIntent ${intent}.`, 'charge');
      }
      return refund(world, { ...params, metadata: patchMetadata({}, params.metadata) });
    },
  }),
  route({
    on: 'GET /v1/refunds',
    params: {
      ...paging,
      charge: maybe(text()),
      created: maybe(createdRange),
      payment_intent: maybe(text()),
    },
    returns: 'list of refund',
    run: (world, { charge, created, payment_intent: intent, ...paged }) =>
      page(
        '/v1/refunds',
        [...world.tables.refund.values()].filter(
          (row) =>
            (charge === undefined || row.charge === charge) &&
            (intent === undefined || row.payment_intent === intent) &&
            inRange(row.created, created),
        ),
        paged,
      ),
  }),
  route({
    on: 'GET /v1/refunds/:id',
    params: {},
    returns: 'refund',
    run: (world, _params, id) => retrieve(world, 'refund', id),
  }),
  route({
    on: 'GET /v1/disputes/:id',
    params: {},
    returns: 'dispute',
    run: (world, _params, id) => retrieve(world, 'dispute', id),
  }),
];
