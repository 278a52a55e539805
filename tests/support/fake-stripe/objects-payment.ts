import type { CardBehaviour } from './cards.ts';
import type { ErrorBody } from './errors.ts';
import { type Address, absent } from './objects-catalogue.ts';
import { newId, randomText, type World } from './world.ts';

export interface BillingDetails {
  address: Address | null;
  email: string | null;
  name: string | null;
  phone: string | null;
  tax_id: null;
}

export const makePaymentMethod = (world: World, card: CardBehaviour, billing: BillingDetails) => ({
  id: newId('pm'),
  object: 'payment_method' as const,
  allow_redisplay: 'unspecified',
  billing_details: billing,
  card: {
    brand: card.brand,
    checks: {
      address_line1_check: null,
      address_postal_code_check: null,
      cvc_check: card.code === 'incorrect_cvc' ? 'fail' : 'pass',
    },
    country: 'US',
    display_brand: card.brand,
    exp_month: 12,
    exp_year: new Date(world.now() * 1000).getUTCFullYear() + 2,
    fingerprint: randomText(16),
    funding: 'credit',
    generated_from: null,
    last4: card.last4,
    networks: { available: [card.brand], preferred: null },
    regulated_status: 'unregulated',
    three_d_secure_usage: { supported: true },
    wallet: null,
  },
  created: world.now(),
  customer: absent<string>(),
  customer_account: null,
  livemode: false,
  metadata: {} as Record<string, string>,
  type: 'card' as const,
});

export type PaymentMethod = ReturnType<typeof makePaymentMethod>;

type PaymentIntentStatus =
  | 'requires_payment_method'
  | 'requires_action'
  | 'processing'
  | 'succeeded'
  | 'canceled';

interface NextAction {
  type: 'use_stripe_sdk';
  use_stripe_sdk: { type: 'three_d_secure_redirect'; source: string };
}

export const makePaymentIntent = (
  world: World,
  input: {
    amount: number;
    currency: string;
    customer: string | null;
    description: string | null;
    setup: 'off_session' | null;
  },
) => {
  const id = newId('pi');
  return {
    id,
    object: 'payment_intent' as const,
    allowed_payment_method_types: null,
    amount: input.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: absent<{ allow_redirects: string; enabled: boolean }>(),
    canceled_at: absent<number>(),
    cancellation_reason: absent<string>(),
    capture_method: 'automatic',
    client_secret: `${id}_secret_${randomText(25)}`,
    confirmation_method: 'automatic',
    created: world.now(),
    currency: input.currency,
    customer: input.customer,
    customer_account: absent<string>(),
    description: input.description,
    excluded_payment_method_types: null,
    last_payment_error: absent<ErrorBody>(),
    latest_charge: absent<string>(),
    livemode: false,
    managed_payments: null,
    metadata: {} as Record<string, string>,
    next_action: absent<NextAction>(),
    on_behalf_of: null,
    payment_method: absent<string>(),
    payment_method_configuration_details: null,
    payment_method_options: {
      card: {
        installments: null,
        mandate_options: null,
        network: null,
        request_three_d_secure: 'automatic',
      },
    },
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: absent<string>(),
    review: null,
    setup_future_usage: input.setup,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'requires_payment_method' as PaymentIntentStatus,
    transfer_data: null,
    transfer_group: null,
  };
};

export type PaymentIntent = ReturnType<typeof makePaymentIntent>;

export const makeCharge = (
  world: World,
  intent: PaymentIntent,
  method: PaymentMethod,
  card: CardBehaviour,
  paid: boolean,
  authenticated: boolean,
) => ({
  id: newId('ch'),
  object: 'charge' as const,
  amount: intent.amount,
  amount_captured: paid ? intent.amount : 0,
  amount_refunded: 0,
  application: null,
  application_fee: null,
  application_fee_amount: null,
  balance_transaction: paid ? newId('txn') : null,
  billing_details: method.billing_details,
  calculated_statement_descriptor: 'STAND-IN',
  captured: paid,
  created: world.now(),
  currency: intent.currency,
  customer: intent.customer,
  description: intent.description,
  disputed: false,
  failure_balance_transaction: null,
  failure_code: paid ? null : (card.code ?? null),
  failure_message: paid ? null : (card.message ?? null),
  fraud_details: {},
  livemode: false,
  metadata: { ...intent.metadata },
  on_behalf_of: null,
  outcome: {
    advice_code: null,
    network_advice_code: null,
    network_decline_code: paid ? null : '05',
    network_status: paid ? 'approved_by_network' : 'declined_by_network',
    reason: paid ? null : (card.declineCode ?? card.code ?? null),
    risk_level: 'normal',
    seller_message: paid
      ? 'Payment complete.'
      : 'The bank did not return any further details with this decline.',
    type: paid ? 'authorized' : 'issuer_declined',
  },
  paid,
  payment_intent: intent.id,
  payment_method: method.id,
  payment_method_details: {
    card: {
      brand: method.card.brand,
      country: method.card.country,
      exp_month: method.card.exp_month,
      exp_year: method.card.exp_year,
      funding: method.card.funding,
      last4: method.card.last4,
      network: method.card.brand,
      three_d_secure: authenticated ? { result: 'authenticated', version: '2.2.0' } : null,
    },
    type: 'card',
  },
  receipt_email: intent.receipt_email,
  receipt_number: null,
  receipt_url: paid ? `https://pay.stripe.com/receipts/payment/${randomText(40)}` : null,
  refunded: false,
  review: null,
  shipping: null,
  source: null,
  source_transfer: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  status: paid ? ('succeeded' as const) : ('failed' as const),
  transfer_data: null,
  transfer_group: null,
});

export type Charge = ReturnType<typeof makeCharge>;
