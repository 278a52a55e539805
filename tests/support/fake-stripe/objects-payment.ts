import type { CardBehaviour } from './cards.ts';
import type { ErrorBody } from './errors.ts';
import { type Address, absent } from './objects-catalogue.ts';
import { newId, randomText, type World } from './world.ts';

/** What a page may tell of who pays. */
export interface Billing {
  name?: string | null;
  email?: string | null;
  phone?: string | null;
  address?: Address | null;
}

export const makePaymentMethod = (world: World, card: CardBehaviour, billing: Billing) => ({
  id: newId('pm'),
  object: 'payment_method' as const,
  billing_details: {
    address: billing.address ?? null,
    email: billing.email ?? null,
    name: billing.name ?? null,
    phone: billing.phone ?? null,
  },
  card: {
    brand: card.brand,
    checks: null,
    country: 'US',
    display_brand: card.brand,
    exp_month: 12,
    exp_year: 2034,
    funding: 'credit',
    generated_from: null,
    last4: card.last4,
    networks: null,
    regulated_status: null,
    three_d_secure_usage: null,
    wallet: null,
  },
  created: world.now(),
  customer: absent<string>(),
  customer_account: null,
  livemode: false,
  metadata: {},
  type: 'card' as const,
});

export type PaymentMethod = ReturnType<typeof makePaymentMethod>;

export interface NextAction {
  type: 'use_stripe_sdk';
}

type PaymentIntentStatus =
  | 'requires_payment_method'
  | 'requires_action'
  | 'processing'
  | 'succeeded'
  | 'canceled';

export const makePaymentIntent = (
  world: World,
  input: { amount: number; currency: string; customer: string },
) => {
  const id = newId('pi');
  return {
    id,
    object: 'payment_intent' as const,
    allowed_payment_method_types: null,
    amount: input.amount,
    amount_capturable: 0,
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: absent<number>(),
    cancellation_reason: absent<string>(),
    capture_method: 'automatic',
    client_secret: `${id}_secret_${randomText(25)}`,
    confirmation_method: 'automatic',
    created: world.now(),
    currency: input.currency,
    customer: input.customer,
    customer_account: null,
    description: null,
    excluded_payment_method_types: null,
    last_payment_error: absent<ErrorBody>(),
    latest_charge: absent<string>(),
    livemode: false,
    managed_payments: null,
    metadata: {},
    next_action: absent<NextAction>(),
    on_behalf_of: null,
    payment_method: absent<string>(),
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: 'off_session',
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'requires_payment_method' as PaymentIntentStatus,
    transfer_group: null,
  };
};

export type PaymentIntent = ReturnType<typeof makePaymentIntent>;

/** As much of the card as a charge tells. */
const cardOf = ({ card: { brand, exp_month, exp_year, last4 } }: PaymentMethod) => ({
  brand,
  exp_month,
  exp_year,
  last4,
});

/** `card` when it refuses; the charge succeeds without. */
export const makeCharge = (
  world: World,
  intent: PaymentIntent,
  method: PaymentMethod,
  card?: CardBehaviour,
) => ({
  id: newId('ch'),
  object: 'charge' as const,
  amount: intent.amount,
  amount_captured: card ? 0 : intent.amount,
  amount_refunded: 0,
  application: null,
  application_fee: null,
  application_fee_amount: null,
  balance_transaction: card ? null : newId('txn'),
  billing_details: method.billing_details,
  calculated_statement_descriptor: 'STAND-IN',
  captured: !card,
  created: world.now(),
  currency: intent.currency,
  customer: intent.customer,
  description: null,
  disputed: false,
  failure_balance_transaction: null,
  failure_code: card?.code ?? null,
  failure_message: card?.message ?? null,
  fraud_details: null,
  livemode: false,
  metadata: {},
  on_behalf_of: null,
  outcome: null,
  paid: !card,
  payment_intent: intent.id,
  payment_method: method.id,
  payment_method_details: { card: cardOf(method), type: 'card' as const },
  receipt_email: null,
  receipt_number: null,
  receipt_url: null,
  refunded: false,
  review: null,
  shipping: null,
  source: null,
  source_transfer: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  status: card ? ('failed' as const) : ('succeeded' as const),
  transfer_data: null,
  transfer_group: null,
});

export type Charge = ReturnType<typeof makeCharge>;
