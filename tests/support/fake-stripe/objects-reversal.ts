import type { Charge } from './objects-payment.ts';
import { newId, type World } from './world.ts';

export const makeRefund = (
  world: World,
  charge: Charge,
  amount: number,
  reason: string | null,
) => ({
  id: newId('re'),
  object: 'refund' as const,
  amount,
  balance_transaction: newId('txn'),
  charge: charge.id,
  created: world.now(),
  currency: charge.currency,
  customer: charge.customer,
  customer_account: null,
  destination_details: {
    card: {
      reference_status: 'pending',
      reference_type: 'acquirer_reference_number',
      type: 'refund',
    },
    type: 'card',
  },
  metadata: {} as Record<string, string>,
  payment_intent: charge.payment_intent,
  payment_method: charge.payment_method,
  reason,
  receipt_number: null,
  source_transfer_reversal: null,
  status: 'succeeded',
  transfer_reversal: null,
});

export type Refund = ReturnType<typeof makeRefund>;

/** What a dispute ends with; the last two are inquiries and disputes that came to nothing. */
export type DisputeEnd = 'won' | 'lost' | 'warning_closed' | 'prevented';
type DisputeStatus = 'needs_response' | 'under_review' | DisputeEnd;

export const makeDispute = (world: World, charge: Charge, amount: number, reason: string) => ({
  id: newId('du'),
  object: 'dispute' as const,
  amount,
  balance_transactions: [],
  charge: charge.id,
  created: world.now(),
  currency: charge.currency,
  enhanced_eligibility_types: [],
  evidence: {},
  evidence_details: {
    due_by: world.now() + 7 * 86_400,
    enhanced_eligibility: {},
    has_evidence: false,
    past_due: false,
    submission_count: 0,
    submission_method: null,
  },
  intended_submission_method: null,
  is_charge_refundable: false,
  livemode: false,
  metadata: {} as Record<string, string>,
  network_reason_code: '10.4',
  payment_intent: charge.payment_intent,
  payment_method_details: {
    card: { brand: 'visa', case_type: 'chargeback', network_reason_code: '10.4' },
    type: 'card',
  },
  reason,
  status: 'needs_response' as DisputeStatus,
});

export type Dispute = ReturnType<typeof makeDispute>;
