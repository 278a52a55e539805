/** What staff did, newest first: their sign-ins and changes, and their acts on orders. */

import { isAct, type StaffAct } from '../billing/event-kinds.server.ts';
import type { EventOf } from '../billing/order-event.server.ts';
import { parseEvent, type StoredEvent } from '../billing/order-event-store.server.ts';
import { orderReference } from '../billing/reference.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { type Call, call, readId } from '../platform/http/call.server.ts';
import { formatDollars } from '../platform/money.ts';
import { isoTime } from '../platform/time.ts';
import type { Site } from '../site.server.ts';
import { AUDIT_KEPT_MS, readAudit } from '../staff/audit-store.server.ts';
import {
  AUDIT_PAGE_SIZE,
  type AuditEntry,
  type AuditKind,
  LIST_AUDIT,
} from '../staff/staff-api.ts';

export function activityCall({ db }: Site): Call {
  return call(LIST_AUDIT, 'staff', async ({ query }) => {
    const last = (readId(query.get('page') ?? '') ?? 1) * AUDIT_PAGE_SIZE;
    const [audit, acts] = [await readAudit(db, last), await readActs(db, last)];
    const newest = [...audit.entries, ...acts.entries].sort(
      (one, other) => Date.parse(other.at) - Date.parse(one.at) || other.id - one.id,
    );
    return {
      total: audit.total + acts.total,
      entries: newest.slice(last - AUDIT_PAGE_SIZE, last),
    };
  });
}

/** The newest acts of staff on orders, of a year. */
async function readActs(db: Db, limit: number) {
  const acts = db
    .selectFrom('orderEvents')
    .where('accountId', 'is not', null)
    .where('at', '>', Date.now() - AUDIT_KEPT_MS);
  const { total } = await acts
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = acts.selectAll().orderBy('at', 'desc').orderBy('id', 'desc').limit(limit);
  const entries = (await rows.execute()).flatMap((row) =>
    parseEvent(row).flatMap((stored) => actJson(stored, row.orderId)),
  );
  return { total, entries };
}

function actJson({ id, at, event, actor }: StoredEvent, orderId: number): AuditEntry[] {
  if (actor.is !== 'staff' || !isAct(event)) return [];
  const [kind, detail] = actOf(event);
  const { name, address = '' } = actor;
  const about = [orderReference(orderId), detail].filter(Boolean).join(': ');
  return [{ id, at: isoTime(at), kind, name, address, detail: about }];
}

const SIMPLE_ACTS = {
  'keep-asked': 'order-kept',
  'change-asked': 'order-changed',
  'details-asked': 'order-details',
  'po-number-asked': 'order-po-number',
  'link-made': 'order-link-made',
  'links-revoked': 'order-links-revoked',
} as const;

/** Its kind, and what follows the order's number. */
function actOf(event: EventOf<StaffAct | 'status'>): [kind: AuditKind, detail?: string] {
  switch (event.kind) {
    case 'status':
      return ['order-status', event.to];
    case 'refund-asked':
      return ['order-refunded', event.amount === null ? '' : formatDollars(event.amount)];
    case 'end-asked':
      return event.when === 'unpaid' ? ['order-status', 'canceled'] : ['order-ended'];
    case 'paid-outside-asked':
      return ['order-marked-paid', event.number ?? event.invoice];
    default:
      return [SIMPLE_ACTS[event.kind]];
  }
}
