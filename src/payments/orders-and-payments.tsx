/** /admin/orders: the orders, over the clock of the test gateway where that takes the payments of a demo. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { orderReference } from '../orders/order.ts';
import { OrdersPage } from '../orders/orders-page.tsx';
import { CallError, fetchCall, reasonOf } from '../platform/fetch-call.ts';
import { STAFF_PAGES } from '../staff/staff-pages.ts';
import { Button } from '../ui/button.tsx';
import { longDay } from '../ui/facts.tsx';
import { Panel } from '../ui/layout.tsx';
import { Notice } from '../ui/notice.tsx';
import {
  GET_PAYMENT_CONFIG,
  GET_TEST_CLOCK,
  MOVE_TEST_CLOCK,
  type MovedClock,
} from './payment-api.ts';

export default function OrdersAndPayments() {
  const { data } = useQuery({
    queryKey: ['payment-config'],
    queryFn: ({ signal }) => fetchCall(GET_PAYMENT_CONFIG, { signal }),
  });
  return <OrdersPage below={data?.provider === 'test' && <TestClockPanel />} />;
}

const WORDS = { renewed: 'renewed', failed: 'payment failed', ended: 'ended' } as const;

/** Nothing where there is no clock to move: outside a demo. */
function TestClockPanel() {
  const client = useQueryClient();
  const clock = useQuery({
    queryKey: ['test-clock'],
    queryFn: ({ signal }) => fetchCall(GET_TEST_CLOCK, { signal }),
  });
  const move = useMutation({
    mutationFn: (now: string) => fetchCall(MOVE_TEST_CLOCK, { body: { now } }),
    onSettled: () => client.invalidateQueries(),
  });
  if (clock.error instanceof CallError && clock.error.status === 404) return null;
  const now = clock.data?.now;
  return (
    <Panel
      heading="Test mode: move time ahead one month"
      aside={
        <>
          <p className="flex min-h-7 flex-1 items-center text-sm max-sm:order-last max-sm:basis-full">
            {now && `Subscriptions are at ${longDay(now)}.`}
          </p>
          <Button
            variant="quiet"
            size="small"
            busy={move.isPending}
            disabled={now === undefined}
            onClick={() => now && move.mutate(now)}
          >
            Move ahead
          </Button>
        </>
      }
    >
      {clock.isError && <Notice kind="error">Couldn’t load the test time.</Notice>}
      {move.isError && (
        <Notice kind="error">
          {reasonOf(move.error, 'Couldn’t move the time ahead. Please try again.')}
        </Notice>
      )}
      {move.data && <Happened moved={move.data} />}
    </Panel>
  );
}

function Happened({ moved: { renewed, failed, ended, events } }: { moved: MovedClock }) {
  return (
    <div className="text-sm">
      <p role="status">
        {renewed + failed + ended === 0
          ? 'A month has passed. Nothing was due.'
          : `A month has passed: ${renewed} renewed, ${failed} failed, ${ended} ended.`}
      </p>
      {events.length > 0 && (
        <ul aria-label="What happened" className="mt-2 grid max-h-48 gap-1 overflow-y-auto">
          {events.map(({ orderId, at, what }) => (
            <li key={`${orderId} ${at} ${what}`}>
              {longDay(at)}: order{' '}
              <Link href={`${STAFF_PAGES.orders.path}?open=${orderId}`} className="underline">
                {orderReference(orderId)}
              </Link>{' '}
              {WORDS[what]}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
