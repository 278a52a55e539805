/** Staff move the test gateway's time ahead, and read what the month brought. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { orderReference } from '../orders/order.ts';
import { reasonOf } from '../platform/fetch-call.ts';
import { fetchCall } from '../platform/old/fetch-call.ts';
import { fields, id, list, number, oneOf, or, time } from '../platform/old/read.ts';
import { STAFF_PAGES } from '../staff/staff-pages.ts';
import { Button } from '../ui/button.tsx';
import { longDay } from '../ui/long-day.ts';
import { Notice } from '../ui/notice.tsx';
import { Panel } from '../ui/panel.tsx';
import { GET_TEST_CLOCK, MOVE_TEST_CLOCK } from './payment-contracts.ts';
import type { MovedClock } from './payment-shapes.ts';

const readClock = fields<{ now: string }>({ now: time });
const readMoved = fields<MovedClock>({
  now: time,
  renewed: or(number, 0),
  failed: or(number, 0),
  ended: or(number, 0),
  events: or(
    list(
      fields<MovedClock['events'][number]>({
        orderId: id,
        at: time,
        what: oneOf(['renewed', 'failed', 'ended']),
      }),
    ),
    [],
  ),
});

const WORDS = { renewed: 'renewed', failed: 'payment failed', ended: 'ended' } as const;

export function TestClockPanel() {
  const client = useQueryClient();
  const [moved, setMoved] = useState<MovedClock | null>(null);
  const clock = useQuery({
    queryKey: ['test-clock'],
    queryFn: ({ signal }) => fetchCall(GET_TEST_CLOCK, readClock, { signal }),
  });
  const move = useMutation({
    mutationFn: (now: string) => fetchCall(MOVE_TEST_CLOCK, readMoved, { body: { now } }),
    onSuccess: setMoved,
    onError: () => setMoved(null),
    onSettled: () => client.invalidateQueries(),
  });
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
      {moved && <Happened moved={moved} />}
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
