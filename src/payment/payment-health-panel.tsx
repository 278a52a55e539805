import { useMutation, useQuery } from '@tanstack/react-query';
import CircleCheck from 'lucide-react/icons/circle-check';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { PROVIDERS } from '../orders/payment.ts';
import { fetchCall } from '../platform/fetch-call.ts';
import { fields, flag, list, number, oneOf, or, text } from '../platform/read.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Moment } from '../ui/moment.tsx';
import { Notice } from '../ui/notice.tsx';
import { Panel } from '../ui/panel.tsx';
import { UnknownHeight } from '../ui/skeleton.tsx';
import { CHECK_PAYMENTS, GET_PAYMENT_HEALTH } from './payment-contracts.ts';
import type { HealthCheck, PaymentHealth } from './payment-health.ts';
import { TestClockPanel } from './test-clock-panel.tsx';

const readHealth = fields<PaymentHealth>({
  provider: oneOf(PROVIDERS),
  mode: oneOf(['test', 'live']),
  lastEvent: or(fields<{ type: string; at: string }>({ type: text, at: text }), null),
  waiting: or(number, 0),
});
const readChecks = list(fields<HealthCheck>({ what: text, ok: flag, detail: or(text, '') }));

/** Whether payments arrive: who takes them, when Stripe was last heard, and a check on demand. */
export function PaymentHealthPanel() {
  const { data: health, isPending } = useQuery({
    queryKey: ['payments'],
    queryFn: ({ signal }) => fetchCall(GET_PAYMENT_HEALTH, readHealth, { signal }),
    refetchOnMount: 'always',
  });
  const check = useMutation({
    mutationFn: () => fetchCall(CHECK_PAYMENTS, readChecks),
  });
  return (
    <>
      <Panel
        heading="Payments"
        aside={
          <>
            <p className="flex min-h-7 flex-1 flex-wrap items-center gap-x-3 gap-y-1 text-sm max-sm:order-last max-sm:basis-full">
              {health && <Provider health={health} />}
            </p>
            <Button
              variant="quiet"
              size="small"
              busy={check.isPending}
              onClick={() => check.mutate()}
            >
              Check the connection
            </Button>
          </>
        }
      >
        {check.isError && <Notice kind="error">Couldn’t run the check. Please try again.</Notice>}
        {check.data && (
          <ul aria-label="Check results" className="grid gap-2 text-sm">
            {check.data.map(({ what, ok, detail }) => (
              <li key={what} className="flex gap-2">
                {ok ? (
                  <CircleCheck aria-label="OK" className="mt-1 size-4 shrink-0 text-primary" />
                ) : (
                  <TriangleAlert
                    aria-label="Problem"
                    className="mt-1 size-4 shrink-0 text-danger"
                  />
                )}
                <span className="min-w-0 break-words">
                  <strong className="font-medium text-ink">{what}:</strong> {detail}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Panel>
      {isPending && <UnknownHeight />}
      {health?.provider === 'test' && <TestClockPanel />}
    </>
  );
}

function Provider({ health }: { health: PaymentHealth }) {
  const { provider, mode } = health;
  return (
    <>
      <Badge tone={mode === 'live' ? 'primary' : 'amber'}>
        {provider === 'stripe' ? `Stripe, ${mode} mode` : 'Test gateway'}
      </Badge>
      {provider === 'stripe' && <LastEvent health={health} />}
    </>
  );
}

function LastEvent({ health: { lastEvent, waiting } }: { health: PaymentHealth }) {
  return (
    <>
      {lastEvent ? (
        <span>
          Last signed event: <Moment at={lastEvent.at} /> ({lastEvent.type})
        </span>
      ) : (
        <span>No signed events received yet.</span>
      )}
      {waiting > 0 && <Badge tone="amber">{waiting} pending</Badge>}
    </>
  );
}
