/** What runs, what comes next, and the card that pays it. */
import { dayIn } from '../company/company-time.ts';
import { formatDollars, withCommas } from '../platform/money.ts';
import { useSite } from '../platform/site.ts';
import { Fact, Facts } from '../ui/facts.tsx';
import type { Running, ToldAccount } from './read-account.ts';

export function PlanFacts({
  account: { order },
  running,
}: {
  account: ToldAccount;
  running: Running;
}) {
  const { company } = useSite();
  const { next, card, periodEnd } = running;
  const day = dayIn(company, Date.parse(periodEnd));
  return (
    <Facts>
      <Fact term="Plan">{order.planName}</Fact>
      {order.ms365Option !== 'none' && (
        <>
          <Fact term="Users">{withCommas(order.ms365Users)}</Fact>
          <Fact term="Backup">{order.includeCloudBackup ? 'Cloud backup' : 'None'}</Fact>
        </>
      )}
      {order.endsAt && <Fact term="Ends">{dayIn(company, Date.parse(order.endsAt))}</Fact>}
      {next && order.status !== 'past_due' && (
        <Fact term={order.endsAt ? 'Last bill' : 'Next charge'}>
          {formatDollars(next.total)} on {day}
          {next.tax > 0 ? `, with ${formatDollars(next.tax)} sales tax` : ''}
        </Fact>
      )}
      {card && (
        <Fact term="Card">
          {card.brand} ending in {card.last4}, expires {String(card.expiryMonth).padStart(2, '0')}/
          {card.expiryYear}
        </Fact>
      )}
    </Facts>
  );
}
