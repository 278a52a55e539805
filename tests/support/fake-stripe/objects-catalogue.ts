import { newId, type World } from './world.ts';

/** Null for now, a value later: keeps the inferred object types honest. */
export const absent = <T>(): T | null => null;

export interface Address {
  city: string | null;
  country: string | null;
  line1: string | null;
  line2: string | null;
  postal_code: string | null;
  state: string | null;
}

export const addressOf = (given: { [K in keyof Address]?: string | null }): Address => ({
  city: given.city ?? null,
  country: given.country ?? null,
  line1: given.line1 ?? null,
  line2: given.line2 ?? null,
  postal_code: given.postal_code ?? null,
  state: given.state ?? null,
});

export const makeCustomer = (world: World) => ({
  id: newId('cus'),
  object: 'customer' as const,
  address: absent<Address>(),
  balance: 0,
  created: world.now(),
  currency: absent<string>(),
  customer_account: absent<string>(),
  default_source: absent<string>(),
  delinquent: false,
  description: absent<string>(),
  discount: null,
  email: absent<string>(),
  invoice_prefix: newId('x').slice(2, 10).toUpperCase(),
  invoice_settings: {
    custom_fields: null,
    default_payment_method: absent<string>(),
    footer: null,
    rendering_options: null,
  },
  livemode: false,
  metadata: {} as Record<string, string>,
  name: absent<string>(),
  next_invoice_sequence: 1,
  phone: absent<string>(),
  preferred_locales: [] as string[],
  shipping: null,
  tax_exempt: 'none',
  test_clock: null,
});

export type Customer = ReturnType<typeof makeCustomer>;

export const makeProduct = (world: World, id: string, name: string) => ({
  id,
  object: 'product' as const,
  active: true,
  created: world.now(),
  default_price: absent<string>(),
  description: absent<string>(),
  images: [] as string[],
  livemode: false,
  marketing_features: [],
  metadata: {} as Record<string, string>,
  name,
  package_dimensions: null,
  shippable: null,
  statement_descriptor: absent<string>(),
  tax_code: absent<string>(),
  tax_details: null,
  type: 'service',
  unit_label: absent<string>(),
  updated: world.now(),
  url: absent<string>(),
});

export type Product = ReturnType<typeof makeProduct>;

export type Interval = 'day' | 'week' | 'month' | 'year';
type TaxBehavior = 'exclusive' | 'inclusive' | 'unspecified';

export interface Recurring {
  interval: Interval;
  interval_count: number;
  meter: null;
  trial_period_days: null;
  usage_type: 'licensed';
}

interface PriceInput {
  currency: string;
  product: string;
  unitAmountDecimal: string;
  recurring?: { interval: Interval; interval_count?: number } | undefined;
  taxBehavior?: TaxBehavior | undefined;
}

export const makePrice = (world: World, input: PriceInput) => ({
  id: newId('price'),
  object: 'price' as const,
  active: true,
  billing_scheme: 'per_unit' as const,
  created: world.now(),
  currency: input.currency,
  custom_unit_amount: null,
  livemode: false,
  lookup_key: absent<string>(),
  metadata: {} as Record<string, string>,
  nickname: absent<string>(),
  product: input.product,
  recurring: recurringOf(input.recurring),
  tax_behavior: input.taxBehavior ?? ('unspecified' as TaxBehavior),
  tiers_mode: null,
  transform_quantity: null,
  type: input.recurring === undefined ? ('one_time' as const) : ('recurring' as const),
  unit_amount: input.unitAmountDecimal.includes('.') ? null : Number(input.unitAmountDecimal),
  unit_amount_decimal: input.unitAmountDecimal,
});

const recurringOf = (given: PriceInput['recurring']): Recurring | null =>
  given === undefined
    ? null
    : {
        interval: given.interval,
        interval_count: given.interval_count ?? 1,
        meter: null,
        trial_period_days: null,
        usage_type: 'licensed',
      };

export type Price = ReturnType<typeof makePrice>;

/** The older name of a recurring price, which subscription items still carry. */
export const planOf = (price: Price) => ({
  id: price.id,
  object: 'plan' as const,
  active: price.active,
  amount: price.unit_amount,
  amount_decimal: price.unit_amount_decimal,
  billing_scheme: price.billing_scheme,
  created: price.created,
  currency: price.currency,
  interval: price.recurring?.interval ?? 'month',
  interval_count: price.recurring?.interval_count ?? 1,
  livemode: false,
  metadata: price.metadata,
  meter: null,
  nickname: price.nickname,
  product: price.product,
  tiers_mode: null,
  transform_usage: null,
  trial_period_days: null,
  usage_type: 'licensed' as const,
});
