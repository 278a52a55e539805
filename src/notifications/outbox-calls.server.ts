/** Staff list undelivered notifications, resend them or dismiss them. */
import { MAX_LISTED_DELIVERIES } from '../limits.ts';
import type { Db, Row } from '../platform/database/tables.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import {
  type Call,
  type CallRequest,
  call,
  readId,
  type Staff,
} from '../platform/http/call.server.ts';
import { isoTime } from '../platform/time.ts';
import type { NotificationKind } from './notification.server.ts';
import { type Delivery, DISMISS, LIST_OUTBOX, RESEND } from './outbox-api.ts';
import { countOpen, dismiss, findDelivery, listOpen, resend } from './outbox-store.server.ts';

interface OutboxContext {
  db: Db;
  kinds: readonly NotificationKind[];
  /** Adds to staff's list of activity. */
  audit(
    db: Db,
    act: Pick<CallRequest<unknown, 'staff'>, 'address'> & {
      kind: 'delivery-resent' | 'delivery-dismissed';
      by: Staff;
      detail: string;
    },
  ): Promise<unknown>;
  /** Retries unavailable channels at once: staff who resend may know that they work again. */
  endPauses(): void;
}

export function outboxCalls({ db, kinds, audit, endPauses }: OutboxContext): Call[] {
  function deliveryJson(row: Row<'outbox'>): Delivery {
    const declared = kinds.find(({ kind }) => kind === row.kind);
    return {
      id: row.id,
      channel: row.channel,
      label: declared?.label ?? row.kind,
      reference: declared?.reference(row.subjectId) ?? '',
      state: row.state,
      tries: row.tries,
      nextTryAt: row.state === 'waiting' ? isoTime(row.nextTryAt) : null,
      lastAnswer: row.lastAnswer,
      createdAt: isoTime(row.createdAt),
    };
  }
  const nameOf = (row: Row<'outbox'>) => {
    const { label, reference } = deliveryJson(row);
    return `${label} ${reference}`;
  };
  const refuseChange = async (id: number, message: string) =>
    (await findDelivery(db, id)) ? refuse(409, message) : refuse(404, 'Delivery not found');
  return [
    call(LIST_OUTBOX, {
      access: 'staff',
      handle: async () => {
        const [rows, count] = await Promise.all([
          listOpen(db, MAX_LISTED_DELIVERIES),
          countOpen(db),
        ]);
        return { deliveries: rows.map(deliveryJson), ...count };
      },
    }),
    call(RESEND, {
      access: 'staff',
      handle: async ({ params, staff: by, address }) => {
        const id = readId(params.id) ?? 0;
        const row = await db.transaction().execute(async (trx) => {
          const resent = await resend(trx, id);
          const detail = resent && nameOf(resent);
          if (detail) await audit(trx, { kind: 'delivery-resent', by, address, detail });
          return resent;
        });
        if (!row)
          return refuseChange(id, 'This delivery was already accepted or is being sent now');
        endPauses();
        return deliveryJson(row);
      },
    }),
    call(DISMISS, {
      access: 'staff',
      handle: async ({ params, staff: by, address }) => {
        const id = readId(params.id) ?? 0;
        const row = await db.transaction().execute(async (trx) => {
          const dismissed = await dismiss(trx, id);
          const detail = dismissed && nameOf(dismissed);
          if (detail) await audit(trx, { kind: 'delivery-dismissed', by, address, detail });
          return dismissed;
        });
        return row ? deliveryJson(row) : refuseChange(id, 'This delivery hasn’t failed');
      },
    }),
  ];
}
