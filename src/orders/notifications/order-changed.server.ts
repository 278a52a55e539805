/** The customer has changed the users or the backup. */

import { priceLinesOf } from '../../catalogue/pricing.ts';
import { dayIn } from '../../company/company-time.ts';
import { withCommas } from '../../platform/digits.ts';
import { cents, formatDollars } from '../../platform/money.ts';
import { salesTax } from '../order.ts';
import { newestChange, type PlanSide, planSide } from '../order-change-store.server.ts';
import { findOrder, type Order } from '../order-store.server.ts';
import { detailedNotification } from './order-notification.server.ts';

interface Changed extends Order {
  /** The newest change of it. */
  sides: { before: PlanSide; after: PlanSide } | null;
}

export const orderChanged = detailedNotification<Changed>(
  'order-changed',
  {
    happened: ({ sides }) =>
      sides
        ? `The customer changed the plan from ${inWords(sides.before)} to ${inWords(sides.after)}.`
        : 'The customer changed the plan.',
    email({ order, number, writer }) {
      const tax = salesTax(order);
      const { sides } = order;
      const facts: [string, string][] = [['Order', number]];
      if (sides) facts.push(['Before', inWords(sides.before)], ['Now', inWords(sides.after)]);
      const next = sides?.after.next;
      if (next) {
        const bill = `${formatDollars(cents(next.total))} on ${dayIn(writer.company, next.at)}`;
        facts.push(['Next bill', `${bill}, with the difference for the rest of this month`]);
      }
      return {
        subject: `Your plan has changed: order ${number}`,
        heading: 'Your plan has changed',
        parts: [
          'Your change is in effect. This is your monthly plan now:',
          {
            kind: 'prices',
            lines: priceLinesOf(order),
            tax,
            total: cents(order.amountCents + tax),
          },
          { kind: 'facts', facts },
          'There is nothing to do. If you didn’t make this change, please call us right away.',
        ],
      };
    },
  },
  async (db, id) => {
    const order = await findOrder(db, id);
    const change = order && (await newestChange(db, id, 'plan'));
    const sides = change && { before: planSide(change.before), after: planSide(change.after) };
    return order && { ...order, sides: sides ?? null };
  },
);

function inWords({ users, backup }: PlanSide): string {
  const count = `${withCommas(users)} ${users === 1 ? 'user' : 'users'}`;
  return `${count} ${backup ? 'with' : 'without'} cloud backup`;
}
