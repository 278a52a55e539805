/** Stripe's objects, with the fields that the site or a test reads. */
import type Stripe from 'stripe';
import type { CardBehaviour } from './cards.ts';
import type { ErrorBody } from './errors.ts';
import { newId, randomText, type World } from './world.ts';

/** `satisfies FieldsOf<Stripe.Customer>` refuses a field that Stripe's object does not have. */
export type FieldsOf<Real> = { [Field in keyof Real]?: unknown };

/** A field that is null for now, so that the inferred type allows a value later. */
export const absent = <T>(): T | null => null;

export interface Address {
  country?: string | null | undefined;
  postal_code?: string | null | undefined;
}

/** The fields that all objects have. */
const made = <Kind extends string>(world: World, object: Kind) => ({
  object,
  created: world.now(),
  livemode: false as const,
});

export const makeCustomer = (world: World) =>
  ({
    ...made(world, 'customer'),
    id: newId('cus'),
    address: absent<Address>(),
    balance: 0,
    email: absent<string>(),
    name: absent<string>(),
    phone: absent<string>(),
  }) satisfies FieldsOf<Stripe.Customer>;

export type Customer = ReturnType<typeof makeCustomer>;

export const makeProduct = (world: World, id: string, name: string) =>
  ({ ...made(world, 'product'), id, name }) satisfies FieldsOf<Stripe.Product>;

export type Product = ReturnType<typeof makeProduct>;

export interface PriceInput {
  currency: 'usd';
  product: string;
  unit_amount: number;
  recurring: { interval: 'month' };
  tax_behavior: 'exclusive';
}

export const makePrice = (world: World, input: PriceInput) =>
  ({ ...made(world, 'price'), id: newId('price'), ...input }) satisfies FieldsOf<Stripe.Price>;

export type Price = ReturnType<typeof makePrice>;

export const makePaymentMethod = (world: World, card: CardBehaviour) =>
  ({
    ...made(world, 'payment_method'),
    id: newId('pm'),
    card: { brand: card.brand, exp_month: 12, exp_year: 2034, last4: card.last4 },
    customer: absent<string>(),
    type: 'card' as const,
  }) satisfies FieldsOf<Stripe.PaymentMethod>;

export type PaymentMethod = ReturnType<typeof makePaymentMethod>;

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
    ...made(world, 'payment_intent'),
    ...input,
    id,
    amount_received: 0,
    client_secret: `${id}_secret_${randomText(25)}`,
    last_payment_error: absent<ErrorBody>(),
    latest_charge: absent<string>(),
    payment_method: absent<string>(),
    status: 'requires_payment_method' as PaymentIntentStatus,
  } satisfies FieldsOf<Stripe.PaymentIntent>;
};

export type PaymentIntent = ReturnType<typeof makePaymentIntent>;

/** The charge fails when `declined` is given. */
export const makeCharge = (
  world: World,
  { id, amount, currency, customer }: PaymentIntent,
  { card, ...method }: PaymentMethod,
  declined?: CardBehaviour,
) =>
  ({
    ...made(world, 'charge'),
    id: newId('ch'),
    amount,
    amount_captured: declined ? 0 : amount,
    amount_refunded: 0,
    currency,
    customer,
    disputed: false,
    paid: !declined,
    payment_intent: id,
    payment_method: method.id,
    payment_method_details: { card, type: 'card' as const },
    refunded: false,
  }) satisfies FieldsOf<Stripe.Charge>;

export type Charge = ReturnType<typeof makeCharge>;

export const makeRefund = (world: World, charge: Charge, amount: number) =>
  ({
    id: newId('re'),
    object: 'refund' as const,
    amount,
    charge: charge.id,
    created: world.now(),
    status: 'succeeded',
  }) satisfies FieldsOf<Stripe.Refund>;

export type Refund = ReturnType<typeof makeRefund>;

export type DisputeEnd = 'won' | 'lost' | 'prevented';

export const makeDispute = (world: World, charge: Charge) =>
  ({
    ...made(world, 'dispute'),
    id: newId('du'),
    amount: charge.amount,
    charge: charge.id,
    status: 'needs_response' as 'needs_response' | DisputeEnd,
  }) satisfies FieldsOf<Stripe.Dispute>;

export type Dispute = ReturnType<typeof makeDispute>;

export const makeSetupIntent = (
  world: World,
  { customer, usage }: { customer: string; usage: string },
) => {
  const id = newId('seti');
  return {
    ...made(world, 'setup_intent'),
    id,
    client_secret: `${id}_secret_${randomText(25)}`,
    customer,
    last_setup_error: absent<ErrorBody>(),
    payment_method: absent<string>(),
    status: 'requires_payment_method' as
      | 'requires_payment_method'
      | 'requires_action'
      | 'succeeded',
    usage,
  } satisfies FieldsOf<Stripe.SetupIntent>;
};

export type SetupIntent = ReturnType<typeof makeSetupIntent>;
