/** What a month is charged with when the number of users or the backup changes. */
import { type PriceLine, priceLinesOf } from '../catalogue/pricing.ts';
import type { Seats } from '../orders/account-shapes.ts';
import { type Cents, cents } from '../platform/money.ts';

interface Bought {
  ms365Users: number;
  includeCloudBackup: 0 | 1;
}

export function seatsOf({ ms365Users, includeCloudBackup }: Bought): Seats {
  return { users: ms365Users, backup: includeCloudBackup === 1 };
}

export function sameSeats(one: Seats, other: Seats): boolean {
  return one.users === other.users && one.backup === other.backup;
}

/** What was bought keeps the price at which it was bought; a new backup has the price of the day. */
export function linesWith(
  order: { priceLines: string },
  { users, backup }: Seats,
  newBackup: { label: string; pricePerUser: Cents },
): PriceLine[] {
  const counted = (line: PriceLine) => ({
    ...line,
    quantity: users,
    amount: cents(line.unitPrice * users),
  });
  const lines = priceLinesOf(order);
  const known = lines.find(({ kind }) => kind === 'backup');
  const kept = lines
    .filter(({ kind }) => kind !== 'backup' || backup)
    .map((line) => (line.kind === 'microsoft365' || line.kind === 'backup' ? counted(line) : line));
  if (!backup || known) return kept;
  const { label, pricePerUser } = newBackup;
  return [
    ...kept,
    counted({ kind: 'backup', label, unitPrice: pricePerUser, quantity: 0, amount: cents(0) }),
  ];
}
