import { emit } from './billing.ts';
import { invalid } from './errors.ts';
import type { Charge } from './objects-payment.ts';
import {
  type Dispute,
  type DisputeEnd,
  makeDispute,
  makeRefund,
  type Refund,
} from './objects-reversal.ts';
import { find, refer, retrieve, save, type World } from './world.ts';

interface RefundInput {
  charge?: string | undefined;
  payment_intent?: string | undefined;
  amount?: number | undefined;
  reason?: string | undefined;
  metadata?: Record<string, string> | undefined;
}

const dollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`;

const chargeToRefund = (world: World, input: RefundInput): Charge => {
  if (input.charge !== undefined) return refer(world, 'charge', input.charge, 'charge');
  const intent = refer(world, 'payment_intent', input.payment_intent ?? '', 'payment_intent');
  const charge =
    intent.latest_charge === null ? undefined : find(world, 'charge', intent.latest_charge);
  if (charge === undefined || !charge.paid) {
    throw invalid(
      `This PaymentIntent (${intent.id}) does not have a successful charge to refund.`,
      'payment_intent',
      'payment_intent_unexpected_state',
    );
  }
  return charge;
};

export const refund = (world: World, input: RefundInput): Refund => {
  const charge = chargeToRefund(world, input);
  if (!charge.paid)
    throw invalid(`Charge ${charge.id} was not successful and cannot be refunded.`, 'charge');
  if (charge.refunded) {
    throw invalid(
      `Charge ${charge.id} has already been refunded.`,
      undefined,
      'charge_already_refunded',
    );
  }
  if (charge.disputed) {
    throw invalid(
      `Charge ${charge.id} has been charged back; cannot issue a refund.`,
      undefined,
      'charge_disputed',
    );
  }
  const left = charge.amount_captured - charge.amount_refunded;
  const amount = input.amount ?? left;
  if (amount > left) {
    throw invalid(
      `Refund amount (${dollars(amount)}) is greater than unrefunded amount on charge (${dollars(left)})`,
      'amount',
    );
  }
  const made = save(world, 'refund', makeRefund(world, charge, amount, input.reason ?? null));
  made.metadata = input.metadata ?? {};
  const previous = { amount_refunded: charge.amount_refunded, refunded: charge.refunded };
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount_captured;
  emit(world, 'refund.created', made);
  emit(world, 'charge.refunded', charge, previous);
  return made;
};

export interface DisputeInput {
  amount?: number;
  reason?: string;
}

/** `id` is a charge or a payment intent. */
export const openDispute = (world: World, id: string, input: DisputeInput): Dispute => {
  const chargeId = id.startsWith('pi_')
    ? retrieve(world, 'payment_intent', id, 'intent').latest_charge
    : id;
  const charge = retrieve(world, 'charge', chargeId ?? id);
  if (!charge.paid || charge.disputed) throw invalid(`The charge ${charge.id} cannot be disputed.`);
  const dispute = makeDispute(
    world,
    charge,
    input.amount ?? charge.amount,
    input.reason ?? 'fraudulent',
  );
  save(world, 'dispute', dispute);
  charge.disputed = true;
  emit(world, 'charge.dispute.created', dispute);
  return dispute;
};

export const closeDispute = (world: World, id: string, outcome: DisputeEnd): Dispute => {
  const dispute = retrieve(world, 'dispute', id);
  if (dispute.status !== 'needs_response' && dispute.status !== 'under_review')
    throw invalid(`The dispute ${id} is closed already.`);
  dispute.status = outcome;
  emit(world, 'charge.dispute.closed', dispute);
  return dispute;
};
