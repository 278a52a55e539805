import { newId, type World } from './world.ts';

/** Null for now, a value later: keeps the inferred object types honest. */
export const absent = <T>(): T | null => null;

/** As much of an address as anybody sends. */
export interface Address {
  country?: string | null | undefined;
  postal_code?: string | null | undefined;
}

export const makeCustomer = (world: World) => ({
  id: newId('cus'),
  object: 'customer' as const,
  address: absent<Address>(),
  balance: 0,
  created: world.now(),
  default_source: null,
  description: null,
  email: absent<string>(),
  invoice_settings: { default_payment_method: absent<string>() },
  livemode: false,
  metadata: {},
  name: absent<string>(),
  phone: absent<string>(),
  shipping: null,
  test_clock: absent<string>(),
});

export type Customer = ReturnType<typeof makeCustomer>;

export const makeProduct = (world: World, id: string, name: string) => ({
  id,
  object: 'product' as const,
  active: true,
  created: world.now(),
  description: null,
  images: [],
  livemode: false,
  marketing_features: [],
  metadata: {},
  name,
  package_dimensions: null,
  shippable: null,
  tax_details: null,
  type: 'service',
  updated: world.now(),
  url: null,
});

export type Product = ReturnType<typeof makeProduct>;

interface PriceInput {
  currency: string;
  lookup_key?: string | undefined;
  product: string;
  unit_amount: number;
  recurring: { interval: 'month' | 'year'; interval_count?: number | undefined };
  tax_behavior?: 'exclusive' | 'inclusive' | 'unspecified' | undefined;
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
  lookup_key: input.lookup_key ?? null,
  metadata: {},
  nickname: null,
  product: input.product,
  recurring: {
    interval: input.recurring.interval,
    interval_count: input.recurring.interval_count ?? 1,
    usage_type: 'licensed',
  },
  tax_behavior: input.tax_behavior ?? 'unspecified',
  tiers_mode: null,
  transform_quantity: null,
  type: 'recurring' as const,
  unit_amount: input.unit_amount,
  unit_amount_decimal: String(input.unit_amount),
});

export type Price = ReturnType<typeof makePrice>;

/** The older name of a price, which subscription items still carry. */
export const planOf = (price: Price) => ({
  id: price.id,
  object: 'plan' as const,
  active: price.active,
  amount: price.unit_amount,
  amount_decimal: price.unit_amount_decimal,
  billing_scheme: price.billing_scheme,
  created: price.created,
  currency: price.currency,
  interval: price.recurring.interval,
  interval_count: price.recurring.interval_count,
  livemode: false,
  metadata: price.metadata,
  meter: null,
  nickname: price.nickname,
  product: price.product,
  tiers_mode: null,
  transform_usage: null,
  trial_period_days: null,
  usage_type: price.recurring.usage_type,
});
