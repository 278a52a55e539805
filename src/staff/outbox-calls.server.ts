/** Staff list undelivered notifications, resend them or dismiss them. */
import { MAX_LISTED_DELIVERIES } from '../limits.ts';
import { describeFault, openFaults } from '../notifications/faults.server.ts';
import { LIST_FAULTS } from '../notifications/faults-api.ts';
import { type Delivery, DISMISS, LIST_OUTBOX, RESEND } from '../notifications/outbox-api.ts';
import {
  countOpen,
  dismiss,
  findDelivery,
  listOpen,
  resend,
} from '../notifications/outbox-store.server.ts';
import { chunk } from '../platform/database/queries.server.ts';
import type { Db, Row } from '../platform/database/tables.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import { type Call, type CallRequest, call } from '../platform/http/call.server.ts';
import { isoTime } from '../platform/time.ts';
import { recordPath } from '../routes.ts';
import type { Site } from '../site.server.ts';
import { type AuditEvent, recordAudit } from './audit-store.server.ts';

export function outboxCalls({ db, outbox }: Site): Call[] {
  function deliveryJson(row: Row<'outbox'>): Omit<Delivery, 'name' | 'path'> {
    const declared = outbox.kinds.find(({ kind }) => kind === row.kind);
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
  /** Changes a delivery, and records who did it. `refusal`: why it could not be changed. */
  const changeDelivery = (
    { id, staff, address }: CallRequest<null, 'staff'>,
    change: typeof resend,
    kind: AuditEvent['kind'],
    refusal: string,
  ) =>
    db.transaction().execute(async (trx) => {
      const row = await change(trx, id);
      if (!row && !(await findDelivery(trx, id))) return refuse(404, 'Delivery not found');
      if (!row) return refuse(409, refusal);
      const delivery = deliveryJson(row);
      const detail = `${delivery.label} ${delivery.reference}`;
      await recordAudit(trx, { kind, by: staff, address, detail });
      return delivery;
    });
  return [
    call(LIST_FAULTS, 'staff', async () => ({
      faults: (await openFaults(db)).flatMap((row) => describeFault(row) ?? []),
    })),
    call(LIST_OUTBOX, 'staff', async () => {
      const elsewhere = outbox.kinds.filter(({ isShownWithRecord }) => isShownWithRecord);
      const [rows, count] = await Promise.all([
        listOpen(db, MAX_LISTED_DELIVERIES, elsewhere),
        countOpen(db, elsewhere),
      ]);
      const about = await recordsOf(db, rows);
      return { deliveries: rows.map((row) => ({ ...deliveryJson(row), ...about(row) })), ...count };
    }),
    call(RESEND, 'staff', async (request) => {
      const beingSent = 'This delivery was already accepted or is being sent now';
      const answer = await changeDelivery(request, resend, 'delivery-resent', beingSent);
      if (!(answer instanceof Response)) outbox.endPauses();
      return answer;
    }),
    call(DISMISS, 'staff', (request) =>
      changeDelivery(request, dismiss, 'delivery-dismissed', 'This delivery hasn’t failed'),
    ),
  ];
}

/** The records that deliveries can be about, by the first word of their topics. */
const RECORDS = {
  thread: ['threads', 'inbox'],
  order: ['orders', 'orders'],
  quote: ['quotes', 'quotes'],
} as const;

/** Returns what names and shows the record that a delivery is about. */
async function recordsOf(db: Db, rows: readonly Row<'outbox'>[]) {
  const found = new Map<string, { name: string | null; path: string }>();
  for (const [word, [table, page]] of Object.entries(RECORDS)) {
    const ids = rows.flatMap(({ topic }) => {
      const [first, id] = topic.split(' ');
      return first === word ? Number(id) : [];
    });
    for (const some of chunk(ids)) {
      const named = await db
        .selectFrom(table)
        .select(['id', 'name'])
        .where('id', 'in', some)
        .execute();
      for (const { id, name } of named)
        found.set(`${word} ${id}`, { name, path: recordPath(page, id) });
    }
  }
  return ({ topic }: Row<'outbox'>) => found.get(topic);
}
