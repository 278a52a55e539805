import * as z from 'zod/mini';
import type { Billing } from '../payment/payment-outcome.ts';
import { orderRequest } from './order.ts';

export type BillingFields = Record<keyof Billing, string>;

const { name, email, phone } = orderRequest.shape;
const billing = z.strictObject({ name, email, phone });

interface Checked {
  value?: Billing;
  faults: Partial<Record<keyof Billing, string>>;
}

/** The same rules as the server's, told at the fields before anything is sent. */
export function checkBilling(fields: BillingFields): Checked {
  const result = billing.safeParse(fields);
  if (result.success) return { value: result.data, faults: {} };
  const faults: Checked['faults'] = {};
  for (const { path, message } of result.error.issues) {
    const field = (['name', 'email', 'phone'] as const).find((each) => each === path[0]);
    if (field) faults[field] ??= message;
  }
  return { faults };
}
