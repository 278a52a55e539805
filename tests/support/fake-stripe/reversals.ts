/** Refunds and disputes. */
import { invalid } from './errors.ts';
import {
  type Charge,
  type Dispute,
  type DisputeEnd,
  makeDispute,
  makeFraudWarning,
  makeRefund,
  type Refund,
} from './objects.ts';
import { retrieve, save, type World } from './world.ts';

/** The newest charge of a payment intent. */
export const chargeOf = (world: World, id: string): Charge => {
  const intent = retrieve(world.payment_intent, id);
  return retrieve(world.charge, intent.latest_charge ?? '');
};

/** Refunds `given` cents, or all that is left. */
export const refund = (
  world: World,
  charge: Charge,
  given: number | undefined,
  metadata: Record<string, string> = {},
): Refund => {
  const left = charge.amount - charge.amount_refunded;
  const amount = given ?? left;
  if (charge.disputed || left === 0 || amount > left)
    throw invalid(`Charge ${charge.id} has been charged back, or has less than ${amount} left.`);
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount;
  world.emit('charge.refunded', charge);
  return save(world.refund, makeRefund(charge, amount, metadata));
};

/** The customer's bank returns a refund, days later. */
export const failRefund = (world: World, id: string): void => {
  const made = retrieve(world.refund, id);
  const charge = retrieve(world.charge, made.charge);
  charge.amount_refunded -= made.amount;
  charge.refunded = false;
  world.emit('refund.failed', made);
};

/** The card's bank suspects fraud; a dispute may follow. */
export const warnOfFraud = (world: World, charge: Charge): void =>
  world.emit('radar.early_fraud_warning.created', makeFraudWarning(charge));

/** Of a part, or of all that was charged. A charge may have several. */
export const openDispute = (world: World, charge: Charge, amount = charge.amount): Dispute => {
  const dispute = save(world.dispute, makeDispute(charge, amount));
  charge.disputed = true;
  world.emit('charge.dispute.created', dispute);
  return dispute;
};

export const closeDispute = (world: World, id: string, outcome: DisputeEnd): void => {
  const dispute = retrieve(world.dispute, id);
  dispute.status = outcome;
  world.emit('charge.dispute.closed', dispute);
};
