/** In a demo, staff press what the customer's bank would do with an invoice. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { isOwed } from '../../orders/order.ts';
import type { StaffOrder } from '../../orders/order-api.ts';
import { fetchCall, reasonOf } from '../../platform/fetch-call.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useTestClock } from './test-clock-panel.tsx';
import { SETTLE_TEST_INVOICE } from './test-payment-api.ts';

export function TestInvoiceActions({ order }: { order: StaffOrder }) {
  const { id, version = 0, invoiceState } = order;
  const queryClient = useQueryClient();
  const settling = useMutation({
    mutationFn: (how: 'paid' | 'returned') =>
      fetchCall(SETTLE_TEST_INVOICE, { params: { id }, body: { how, version } }),
    onSettled: () => queryClient.invalidateQueries(),
  });
  // Outside a demo the server has neither a clock to move nor these buttons.
  if (!useTestClock().data) return null;
  const button = (label: string, how: 'paid' | 'returned') => (
    <Button
      variant="quiet"
      size="small"
      busy={settling.isPending && settling.variables === how}
      onClick={() => settling.mutate(how)}
    >
      {label}
    </Button>
  );
  return (
    <div className="mt-3 flex flex-wrap items-center gap-2">
      <span className="text-sm">Test mode:</span>
      {isOwed(invoiceState) && button('Invoice paid', 'paid')}
      {(isOwed(invoiceState) || invoiceState === 'paid') && button('Debit returned', 'returned')}
      {settling.error && <Notice kind="error">{reasonOf(settling.error)}</Notice>}
    </div>
  );
}
