import type { ErrorBody } from './errors.ts';
import { absent } from './objects-catalogue.ts';
import type { NextAction } from './objects-payment.ts';
import { newId, randomText, type World } from './world.ts';

type SetupIntentStatus = 'requires_payment_method' | 'requires_action' | 'succeeded';

interface SetupInput {
  allowed_payment_method_types: string[];
  customer: string;
  metadata?: Record<string, string> | undefined;
  usage: string;
}

export const makeSetupIntent = (world: World, input: SetupInput) => {
  const id = newId('seti');
  return {
    id,
    object: 'setup_intent' as const,
    allowed_payment_method_types: input.allowed_payment_method_types,
    application: null,
    automatic_payment_methods: null,
    cancellation_reason: null,
    client_secret: `${id}_secret_${randomText(25)}`,
    created: world.now(),
    customer: input.customer,
    description: null,
    excluded_payment_method_types: null,
    last_setup_error: absent<ErrorBody>(),
    latest_attempt: null,
    livemode: false,
    mandate: null,
    metadata: input.metadata ?? {},
    next_action: absent<NextAction>(),
    on_behalf_of: null,
    payment_method: absent<string>(),
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ['card'],
    single_use_mandate: null,
    status: 'requires_payment_method' as SetupIntentStatus,
    usage: input.usage,
  };
};

export type SetupIntent = ReturnType<typeof makeSetupIntent>;
