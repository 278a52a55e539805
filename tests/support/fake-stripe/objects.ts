/** The things that Stripe keeps, with the fields that anybody here reads; the compiler compares them in fake-stripe.test.ts. */
import type { CardBehaviour } from './cards.ts';
import type { ErrorBody } from './errors.ts';
import { newId, randomText, type World } from './world.ts';

/** Null for now, a value later: keeps the inferred object types honest. */
export const absent = <T>(): T | null => null;

/** As much of an address as anybody sends. */
export interface Address {
  country?: string | null | undefined;
  postal_code?: string | null | undefined;
}

/** What all have. */
const made = <Kind extends string>(world: World, object: Kind) => ({
  object,
  created: world.now(),
  livemode: false as const,
});

export const makeCustomer = (world: World) => ({
  ...made(world, 'customer'),
  id: newId('cus'),
  address: absent<Address>(),
  balance: 0,
  email: absent<string>(),
  name: absent<string>(),
  phone: absent<string>(),
});

export type Customer = ReturnType<typeof makeCustomer>;

export const makeProduct = (world: World, id: string, name: string) => ({
  ...made(world, 'product'),
  id,
  name,
});

export type Product = ReturnType<typeof makeProduct>;

export interface PriceInput {
  currency: 'usd';
  product: string;
  unit_amount: number;
  recurring: { interval: 'month' };
  tax_behavior: 'exclusive';
}

export const makePrice = (world: World, input: PriceInput) => ({
  ...made(world, 'price'),
  id: newId('price'),
  ...input,
});

export type Price = ReturnType<typeof makePrice>;

/** What a page may tell of who pays. */
export interface Billing {
  name?: string | null;
  email?: string | null;
  phone?: string | null;
  address?: Address | null;
}

export const makePaymentMethod = (world: World, card: CardBehaviour, billing: Billing) => ({
  ...made(world, 'payment_method'),
  id: newId('pm'),
  billing_details: billing,
  card: { brand: card.brand, exp_month: 12, exp_year: 2034, last4: card.last4 },
  customer: absent<string>(),
  type: 'card' as const,
});

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
  };
};

export type PaymentIntent = ReturnType<typeof makePaymentIntent>;

/** `refusing` when the card refuses; the charge succeeds without. */
export const makeCharge = (
  world: World,
  { id, amount, currency, customer }: PaymentIntent,
  { card, ...method }: PaymentMethod,
  refusing?: CardBehaviour,
) => ({
  ...made(world, 'charge'),
  id: newId('ch'),
  amount,
  amount_captured: refusing ? 0 : amount,
  amount_refunded: 0,
  currency,
  customer,
  disputed: false,
  paid: !refusing,
  payment_intent: id,
  payment_method: method.id,
  payment_method_details: { card, type: 'card' as const },
  refunded: false,
});

export type Charge = ReturnType<typeof makeCharge>;

export const makeRefund = (world: World, charge: Charge, amount: number) => ({
  id: newId('re'),
  object: 'refund' as const,
  amount,
  charge: charge.id,
  created: world.now(),
  status: 'succeeded',
});

export type Refund = ReturnType<typeof makeRefund>;

/** What a dispute ends with; the last two are inquiries and disputes that came to nothing. */
export type DisputeEnd = 'won' | 'lost' | 'warning_closed' | 'prevented';

export const makeDispute = (world: World, charge: Charge) => ({
  ...made(world, 'dispute'),
  id: newId('du'),
  amount: charge.amount,
  charge: charge.id,
  status: 'needs_response' as 'needs_response' | DisputeEnd,
});

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
  };
};

export type SetupIntent = ReturnType<typeof makeSetupIntent>;
