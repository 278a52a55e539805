import * as z from 'zod/mini';
import { orderRequest, postalCodeField } from '../orders/order.ts';
import type { Billing } from '../payment/payment-outcome.ts';

export type BillingFields = Record<keyof Billing, string>;

const { name, email, phone } = orderRequest.shape;
const untaxed = z.object({ name, email, phone });
const taxed = z.object({ name, email, phone, postalCode: postalCodeField() });

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
    const field = (['name', 'email', 'phone', 'postalCode'] as const).find(
      (each) => each === path[0],
    );
    if (field) faults[field] ??= message;
  }
  return { faults };
}
