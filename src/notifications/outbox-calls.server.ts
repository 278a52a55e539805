/** What staff see of the outbox, and the buttons that send a delivery again or put it away. */
import type { Kysely } from 'kysely';
import type { Row, Tables } from '../platform/database/tables.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import { type Call, oldCall, readId } from '../platform/http/call.server.ts';
import { type Delivery, delivery, openDeliveries } from './delivery-shapes.ts';
import type { NotificationKind } from './notification.server.ts';
import { storedReference } from './notification.server.ts';
import { DISMISS, LIST_OUTBOX, RESEND } from './outbox-contracts.ts';
import {
  countOpen,
  dismiss,
  findDelivery,
  listOpen,
  sendAgain,
} from './staff-outbox-store.server.ts';

const MOST_LISTED = 200;

interface Deps {
  db: Kysely<Tables>;
  kinds: readonly NotificationKind[];
}

export function outboxCalls({ db, kinds }: Deps): Call[] {
  const deliveryJson = (row: Row<'outbox'>): Delivery => ({
    id: row.id,
    channel: row.channel,
    ...storedReference(kinds, row.notice),
    state: row.state,
    tries: row.tries,
    nextTryAt: row.state === 'waiting' ? new Date(row.nextTryAt).toISOString() : null,
    lastAnswer: row.lastAnswer,
    createdAt: new Date(row.createdAt).toISOString(),
  });
  return [
    oldCall(LIST_OUTBOX, {
      access: 'staff',
      answer: openDeliveries,
      handle: async () => {
        const [rows, count] = await Promise.all([listOpen(db, MOST_LISTED), countOpen(db)]);
        return { deliveries: rows.map(deliveryJson), ...count };
      },
    }),
    oldCall(RESEND, {
      access: 'staff',
      answer: delivery,
      handle: async ({ params }) => {
        const id = readId(params.id) ?? 0;
        const sent = await sendAgain(db, id);
        const row = await findDelivery(db, id);
        if (!row) return refuse(404, 'Delivery not found');
        if (!sent) return refuse(409, 'This delivery was already accepted or is being sent now');
        return deliveryJson(row);
      },
    }),
    oldCall(DISMISS, {
      access: 'staff',
      answer: delivery,
      handle: async ({ params }) => {
        const id = readId(params.id) ?? 0;
        const dismissed = await dismiss(db, id);
        if (dismissed) return deliveryJson(dismissed);
        return (await findDelivery(db, id))
          ? refuse(409, 'This delivery hasn’t failed')
          : refuse(404, 'Delivery not found');
      },
    }),
  ];
}
