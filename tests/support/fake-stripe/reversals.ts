/** Refunds and disputes. */
import { invalid } from './errors.ts';
import {
  type Charge,
  type Dispute,
  type DisputeEnd,
  makeDispute,
  makeRefund,
  type Refund,
} from './objects.ts';
import { emit, find, retrieve, retrieveParam, save, type World } from './world.ts';

const dollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`;

/** The successful charge of the payment intent in a parameter. */
export const chargeOf = (world: World, id: string): Charge => {
  const intent = retrieveParam(world, 'payment_intent', id, 'payment_intent');
  const charge = find(world, 'charge', intent.latest_charge ?? '');
  if (charge?.paid) return charge;
  throw invalid(
    `This PaymentIntent (${id}) does not have a successful charge to refund.`,
    'payment_intent',
    'payment_intent_unexpected_state',
  );
};

/** Refunds `given` cents, or all that is left. */
export const refund = (world: World, charge: Charge, given: number | undefined): Refund => {
  const { id } = charge;
  if (!charge.paid) throw invalid(`Charge ${id} was not successful.`, 'charge');
  const refuse = (what: string, code: string) =>
    invalid(`Charge ${id} has been ${what}.`, undefined, code);
  if (charge.refunded) throw refuse('refunded', 'charge_already_refunded');
  if (charge.disputed) throw refuse('charged back', 'charge_disputed');
  const left = charge.amount_captured - charge.amount_refunded;
  const amount = given ?? left;
  if (amount > left) {
    throw invalid(
      `Refund amount (${dollars(amount)}) is greater than unrefunded amount on charge (${dollars(left)})`,
      'amount',
    );
  }
  const made = save(world, 'refund', makeRefund(world, charge, amount));
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount_captured;
  emit(world, 'charge.refunded', charge);
  return made;
};

export const openDispute = (world: World, charge: Charge): Dispute => {
  if (charge.disputed) throw invalid(`The charge ${charge.id} cannot be disputed.`);
  const dispute = save(world, 'dispute', makeDispute(world, charge));
  charge.disputed = true;
  emit(world, 'charge.dispute.created', dispute);
  return dispute;
};

export const closeDispute = (world: World, id: string, outcome: DisputeEnd): Dispute => {
  const dispute = retrieve(world, 'dispute', id);
  if (dispute.status !== 'needs_response') throw invalid(`The dispute ${id} is closed already.`);
  dispute.status = outcome;
  emit(world, 'charge.dispute.closed', dispute);
  return dispute;
};
