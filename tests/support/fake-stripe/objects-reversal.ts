import type { Charge } from './objects-payment.ts';
import { newId, type World } from './world.ts';

export const makeRefund = (world: World, charge: Charge, amount: number) => ({
  id: newId('re'),
  object: 'refund' as const,
  amount,
  balance_transaction: newId('txn'),
  charge: charge.id,
  created: world.now(),
  currency: charge.currency,
  customer: charge.customer,
  customer_account: null,
  metadata: {},
  payment_intent: charge.payment_intent,
  payment_method: charge.payment_method,
  reason: null,
  receipt_number: null,
  source_transfer_reversal: null,
  status: 'succeeded',
  transfer_reversal: null,
});

export type Refund = ReturnType<typeof makeRefund>;

/** What a dispute ends with; the last two are inquiries and disputes that came to nothing. */
export type DisputeEnd = 'won' | 'lost' | 'warning_closed' | 'prevented';

export const makeDispute = (world: World, charge: Charge) => ({
  id: newId('du'),
  object: 'dispute' as const,
  amount: charge.amount,
  balance_transactions: [],
  charge: charge.id,
  created: world.now(),
  currency: charge.currency,
  enhanced_eligibility_types: [],
  evidence: {},
  evidence_details: {},
  intended_submission_method: null,
  is_charge_refundable: false,
  livemode: false,
  metadata: {},
  payment_intent: charge.payment_intent,
  reason: 'fraudulent',
  status: 'needs_response' as 'needs_response' | DisputeEnd,
});

export type Dispute = ReturnType<typeof makeDispute>;
