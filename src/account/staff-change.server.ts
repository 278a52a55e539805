/** Staff change the plan for its customer, with the preview that the customer would see. */

import { byStaff } from '../billing/cause.server.ts';
import { isNotDone, refuseOutcome } from '../billing/gateway.server.ts';
import { ORDER_STATUSES } from '../billing/order-status.ts';
import { orderRequests } from '../orders/order-calls.server.ts';
import { type Call, call } from '../platform/http/call.server.ts';
import type { Site } from '../site.server.ts';
import { CHANGE_ORDER, PREVIEW_ORDER_CHANGE } from './account-api.ts';
import { changePlan, previewChange } from './change-plan.server.ts';

export function staffChangeCalls(context: Site): Call[] {
  const { withOrder, staffAction } = orderRequests(context);
  return [
    call(PREVIEW_ORDER_CHANGE, 'staff', (request) =>
      withOrder(request, async (order) => {
        const actor = byStaff(request);
        const preview = await previewChange(context, order, { ...request.body, actor });
        return isNotDone(preview) ? refuseOutcome(preview) : preview;
      }),
    ),
    call(CHANGE_ORDER, 'staff', (request) =>
      staffAction(request, ORDER_STATUSES, (order) => {
        const { at, next, version: _, ...change } = request.body;
        const shown = { at: Date.parse(at), next };
        return changePlan(context, order, { ...change, actor: byStaff(request) }, shown);
      }),
    ),
  ];
}
