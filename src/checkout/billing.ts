import * as z from 'zod/mini';
import { orderRequest, postalCodeField } from '../orders/order.ts';
import type { Billing } from '../payment/payment-outcome.ts';

export type BillingFields = Record<keyof Billing, string>;

const { name, email, phone, company } = orderRequest.shape;
const untaxed = z.object({ name, email, phone, company });
const taxed = z.extend(untaxed, { postalCode: postalCodeField() });

const FIELDS = ['name', 'email', 'phone', 'company', 'postalCode'] as const;

/** What is asked for where nothing stands; what stands and is wrong is told apart. */
const MISSING: Partial<BillingFields> = {
  name: 'Please enter the name on your card',
  email: 'Please enter your email address',
  postalCode: 'Please enter your ZIP code',
};

interface Checked {
  value?: Billing;
  faults: Partial<Record<keyof Billing, string>>;
}

/** The same rules as the server's, told at the fields before anything is sent. */
export function checkBilling(fields: BillingFields, tax: boolean): Checked {
  const result = (tax ? taxed : untaxed).safeParse(fields);
  if (result.success) return { value: { postalCode: null, ...result.data }, faults: {} };
  const faults: Checked['faults'] = {};
  for (const { path, message } of result.error.issues) {
    const field = FIELDS.find((each) => each === path[0]);
    if (field) faults[field] ??= (fields[field].trim() === '' && MISSING[field]) || message;
  }
  return { faults };
}
