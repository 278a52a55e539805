/** Why an order is not changed in the way that its customer wants, in words for them. */
import type { Kysely } from 'kysely';
import type { Seats } from '../orders/account-shapes.ts';
import { changeUnderWay } from '../orders/order-change-store.server.ts';
import type { Order } from '../orders/order-store.server.ts';
import type { Tables } from '../platform/database/tables.server.ts';
import { sameSeats, seatsOf } from './plan-lines.ts';

export interface Wanted {
  seats: Seats;
  /** What the page showed. */
  from: Seats;
}

export const NEW_PRICE = { refused: 'The price has changed. Please look at it again.' };
export const UNDER_WAY = {
  refused: 'A change to your plan is being made right now. Please wait a minute and look again.',
};

export async function changeRefusal(
  db: Kysely<Tables>,
  order: Order,
  { seats, from }: Wanted,
): Promise<{ refused: string } | undefined> {
  const now = seatsOf(order);
  if (order.status === 'past_due')
    return { refused: 'Your last payment is overdue. Please replace your card first.' };
  if (order.status !== 'paid')
    return { refused: 'This plan isn’t running, so it can’t be changed.' };
  if (order.endsAt !== null)
    return { refused: 'Your plan is set to end. Choose “Keep my plan” before you change it.' };
  if (order.ms365Option === 'none')
    return { refused: 'Your plan has no Microsoft 365 users to change. Please call us.' };
  if (!sameSeats(from, now))
    return {
      refused: 'Your plan has changed since you opened this page. Please look at it again.',
    };
  if (sameSeats(seats, now)) return { refused: 'That’s the plan you have already.' };
  return (await changeUnderWay(db, order.id)) ? UNDER_WAY : undefined;
}
