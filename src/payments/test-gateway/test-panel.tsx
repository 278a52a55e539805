/** Staff press what happens to an order next, where no bank and no calendar make it happen. */
import { useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import type { StaffOrder } from '../../orders/order-api.ts';
import { STATUS_WORDS } from '../../orders/status-words.ts';
import { fetchCall, reasonOf } from '../../platform/fetch-call.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { usePress } from '../../ui/presses.ts';
import { HAPPENINGS, type Happening, PRESSES, refusalOf } from './test-happenings.ts';
import { MAKE_HAPPEN } from './test-payment-api.ts';

export function TestPanel({ order }: { order: StaffOrder }) {
  const { id, version } = order;
  const heading = useId();
  const client = useQueryClient();
  const press = usePress({
    mutationFn: async (happens: Happening) => {
      const after = await fetchCall(MAKE_HAPPEN, { params: { id }, body: { happens, version } });
      return after.changes.slice(order.changes.length);
    },
    onSettled: () => client.invalidateQueries(),
  });
  return (
    <section
      aria-labelledby={heading}
      className="mt-5 rounded-control border border-amber/30 bg-amber-soft p-4 text-sm"
    >
      <h3 id={heading} className="text-sm font-medium text-ink">
        Test mode: what happens next?
      </h3>
      <ul className="mt-3 grid gap-3">
        {HAPPENINGS.map((happens) => {
          const refusal = refusalOf(happens, order);
          const text = `${id} ${happens}`;
          return (
            <li key={happens} className="grid justify-items-start gap-1">
              <Button
                variant="quiet"
                size="small"
                aria-describedby={text}
                disabled={refusal !== undefined}
                busy={press.isPending && press.variables === happens}
                onClick={() => press.mutate(happens)}
              >
                {PRESSES[happens].label}
              </Button>
              <span id={text}>{refusal ?? PRESSES[happens].does}</span>
            </li>
          );
        })}
      </ul>
      <div role="status" className="mt-3 empty:hidden">
        {press.data?.map(({ status, text }) => (
          <p key={`${status} ${text}`}>
            {status ? `${STATUS_WORDS[status].staff}: ${text}` : text}
          </p>
        ))}
      </div>
      {press.error && <Notice kind="error">{reasonOf(press.error)}</Notice>}
    </section>
  );
}
