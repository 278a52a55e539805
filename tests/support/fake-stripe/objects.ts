/** Stripe's objects, with the fields that the site or a test reads. */
import type Stripe from 'stripe';
import type { CardBehaviour } from './cards.ts';
import type { ErrorBody } from './errors.ts';
import { newId, randomText } from './world.ts';

/** `satisfies FieldsOf<Stripe.Customer>` refuses a field that Stripe's object does not have. */
export type FieldsOf<Real> = { [Field in keyof Real]?: unknown };

/** A field that is null for now, so that the inferred type allows a value later. */
export const absent = <T>(): T | null => null;

export type Address = Partial<
  Record<'line1' | 'line2' | 'city' | 'state' | 'country' | 'postal_code', string>
>;

/** Whether automatic tax can tell where the customer is. */
export const isLocated = ({ address }: { address: Address | null }): boolean => {
  const code = address?.postal_code ?? '00000';
  return Boolean(address?.country) && !(address?.country === 'US' && code === '00000');
};

export const makeCustomer = () =>
  ({
    id: newId('cus'),
    object: 'customer' as const,
    address: absent<Address>(),
    balance: 0,
    discount: absent<{ id: string }>(),
    email: absent<string>(),
    invoice_settings: { default_payment_method: absent<string>() },
    name: absent<string>(),
    phone: absent<string>(),
    tax_exempt: 'none' as 'none' | 'exempt',
  }) satisfies FieldsOf<Stripe.Customer>;

export type Customer = ReturnType<typeof makeCustomer>;

export type Product = Pick<Stripe.Product, 'id' | 'object' | 'name'>;

export const makePaymentMethod = ({ brand, last4 }: CardBehaviour) =>
  ({
    id: newId('pm'),
    object: 'payment_method' as const,
    card: { brand, exp_month: 12, exp_year: 2034, last4 },
    customer: absent<string>(),
    type: 'card' as 'card' | 'link' | 'us_bank_account',
    us_bank_account: absent<{ bank_name: string | null; last4: string }>(),
  }) satisfies FieldsOf<Stripe.PaymentMethod>;

export type PaymentMethod = ReturnType<typeof makePaymentMethod>;

/** What payments and setups have in common. */
const makeIntent = <Kind extends string>(object: Kind, prefix: string, customer: string) => {
  const id = newId(prefix);
  return {
    id,
    object,
    client_secret: `${id}_secret_${randomText(25)}`,
    customer,
    payment_method: absent<string>(),
    status: 'requires_payment_method' as Stripe.PaymentIntent.Status,
  };
};

export const makePaymentIntent = (customer: string, amount: number) =>
  ({
    ...makeIntent('payment_intent', 'pi', customer),
    amount,
    amount_received: 0,
    currency: 'usd',
    last_payment_error: absent<ErrorBody>(),
    latest_charge: absent<string>(),
  }) satisfies FieldsOf<Stripe.PaymentIntent>;

export type PaymentIntent = ReturnType<typeof makePaymentIntent>;

export const makeSetupIntent = (customer: string) =>
  ({
    ...makeIntent('setup_intent', 'seti', customer),
    last_setup_error: absent<ErrorBody>(),
  }) satisfies FieldsOf<Stripe.SetupIntent>;

export type SetupIntent = ReturnType<typeof makeSetupIntent>;

const makeChargeOf = ({ id, amount, customer }: PaymentIntent, prefix: string, paid: boolean) => ({
  id: newId(prefix),
  object: 'charge' as const,
  amount,
  amount_refunded: 0,
  balance_transaction: paid ? newId('txn') : null,
  currency: 'usd',
  customer,
  disputed: false,
  paid,
  payment_intent: id,
  refunded: false,
});

export const makeCharge = (
  intent: PaymentIntent,
  { card, ...method }: PaymentMethod,
  paid: boolean,
) =>
  ({
    ...makeChargeOf(intent, 'ch', paid),
    payment_method: method.id,
    payment_method_details: { card, type: 'card' as const },
  }) satisfies FieldsOf<Stripe.Charge>;

/** A bank debit, or a transfer to the customer's account number at Stripe. */
export const makeBankCharge = (
  intent: PaymentIntent,
  type: 'us_bank_account' | 'customer_balance',
  paid = true,
) =>
  ({
    ...makeChargeOf(intent, 'py', paid),
    payment_method: newId('pm'),
    payment_method_details: { [type]: {}, type },
  }) satisfies FieldsOf<Stripe.Charge>;

export type Charge = ReturnType<typeof makeCharge> | ReturnType<typeof makeBankCharge>;

export const makeRefund = (charge: Charge, amount: number, metadata: Record<string, string>) =>
  ({
    id: newId('re'),
    object: 'refund' as const,
    amount,
    charge: charge.id,
    metadata,
  }) satisfies FieldsOf<Stripe.Refund>;

export type Refund = ReturnType<typeof makeRefund>;

export type DisputeEnd = 'won' | 'lost' | 'prevented' | 'warning_closed';

export const makeDispute = (charge: Charge, amount: number) =>
  ({
    id: newId('du'),
    object: 'dispute' as const,
    amount,
    charge: charge.id,
    status: 'needs_response' as 'needs_response' | DisputeEnd,
  }) satisfies FieldsOf<Stripe.Dispute>;

export type Dispute = ReturnType<typeof makeDispute>;

export const makeFraudWarning = ({ id, payment_intent }: Charge) =>
  ({
    id: newId('issfr'),
    object: 'radar.early_fraud_warning' as const,
    actionable: true,
    charge: id,
    fraud_type: 'unauthorized_use_of_card',
    payment_intent,
  }) satisfies FieldsOf<Stripe.Radar.EarlyFraudWarning>;
