/**
 * Staff move the test gateway's clock ahead by a month, and read what renewed, failed and ended.
 */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { formatDay } from '../../company/hours.ts';
import { CallError, fetchCall, reasonOf } from '../../platform/fetch-call.ts';
import { useSite } from '../../platform/site.ts';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { GET_TEST_CLOCK, MOVE_TEST_CLOCK } from './test-payment-api.ts';

/** Fails outside a demo, where the server has no clock to move. */
export function useTestClock() {
  return useQuery({
    queryKey: ['test-clock'],
    queryFn: ({ signal }) => fetchCall(GET_TEST_CLOCK, { signal }),
  });
}

export function TestClockPanel() {
  const { company } = useSite();
  const client = useQueryClient();
  const clock = useTestClock();
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
            {now && `Subscriptions are at ${formatDay(company, Date.parse(now))}.`}
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
      {move.data && (
        <p role="status" className="text-sm">
          {move.data.renewed + move.data.failed + move.data.ended === 0
            ? 'A month has passed. Nothing was due.'
            : `A month has passed: ${move.data.renewed} renewed, ${move.data.failed} failed, ${move.data.ended} ended.`}
        </p>
      )}
    </Panel>
  );
}
