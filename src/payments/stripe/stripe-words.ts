/** Why a customer's change was not made, as the customer reads it. */

export const NOT_RUNNING = 'This plan isn’t running.';
export const ENDED = 'This plan has ended.';
export const OVERDUE =
  'Your last payment didn’t go through. Please replace the card, then change your plan.';
export const ENDING = 'Your plan is set to end. Please keep it first, then change it.';
export const RENEWED = 'Your plan renewed in the meantime. Please review the change again.';
export const CHANGED = 'Your plan changed in the meantime. Please review the change again.';
export const INDIVIDUAL = 'Our team set up your plan for you. Please contact us to change it.';
export const COULD_NOT = 'We couldn’t make this change. Please contact us.';

export const NOT_THIS_CARD = 'We couldn’t save this card. Please enter it again.';
export const CARD_NOT_CONFIRMED =
  'Your bank did not confirm the card. Please try again or use another card.';
export const NEEDS_APPROVAL =
  'Your new card is saved, but your bank needs your approval for the overdue payment. Please use another card or contact us.';
export const NOT_CHARGED =
  'Your new card is saved, but we couldn’t charge the overdue payment. Please contact us.';

/** `reason` is Stripe's sentence about the card. */
export function declinedOverdue(reason: string): string {
  return `Your new card is saved, but the overdue payment didn’t go through. ${reason}`;
}
