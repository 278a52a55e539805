/** The table of what happened to orders. */
import type { Generated } from 'kysely';
import type { Db, Row } from '../platform/database/tables.server.ts';
import { formatDollars } from '../platform/money.ts';
import { DAY_MS } from '../platform/time.ts';
import type { Site } from '../site.server.ts';
import { recordAudit } from '../staff/audit-store.server.ts';
import type { AuditKind } from '../staff/staff-api.ts';
import { type Actor, actor, type Cause, type Reason } from './cause.server.ts';
import type { NotDone, Outcome } from './gateway.server.ts';
import {
  type EventOf,
  isAlert,
  NOTIFIED,
  notificationOf,
  type OrderEvent,
  orderEvent,
} from './order-event.server.ts';
import { orderReference } from './reference.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    orderEvents: {
      id: Generated<number>;
      orderId: number;
      at: number;
      kind: OrderEvent['kind'];
      /** The rest of the `OrderEvent`: JSON. */
      data: string;
      /** An `Actor`: JSON. */
      actor: string;
      reason: Reason | null;
      causeId: number | null;
      /** Unique per order, so that what is reported twice happens once. */
      onceKey: string | null;
    };
  }
}

export interface StoredEvent {
  id: number;
  at: number;
  event: OrderEvent;
  actor: Actor;
  reason: Reason | null;
  causeId: number | null;
}

/**
 * Returns the event's id; undefined when the order has one with the same key. What staff did is
 * added to their list of activity.
 */
export async function insertEvent(
  db: Db,
  orderId: number,
  event: OrderEvent,
  cause: Cause,
  onceKey: string | null = null,
): Promise<number | undefined> {
  const { kind, ...data } = event;
  const { actor: by, reason = null, causeId = null } = cause;
  const stored = await db
    .insertInto('orderEvents')
    .values({
      orderId,
      at: Date.now(),
      kind,
      data: JSON.stringify(data),
      actor: JSON.stringify({ ...by, address: undefined }),
      reason,
      causeId,
      onceKey,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  const act = actOf(event, cause);
  if (stored && act && by.is === 'staff') {
    const { account: accountId, name, address } = by;
    const detail = orderReference(orderId) + act.detail;
    await recordAudit(db, { kind: act.kind, by: { accountId, name }, address, detail });
  }
  return stored?.id;
}

/**
 * What is to be stored: `once` unless the order has an event with this key, `quietly` for no one to
 * be notified.
 */
export interface Draft {
  event: OrderEvent;
  once?: string;
  quietly?: boolean;
}

/**
 * Stores the event and notifies of it; `db` must be a transaction. Of each alert staff are notified
 * once; new prices at the provider are news each time.
 */
export async function recordEvent(
  { db, notify }: Pick<Site, 'db' | 'notify'>,
  orderId: number,
  { event, once, quietly = false }: Draft,
  cause: Cause,
): Promise<void> {
  const key = isAlert(event) && event.kind !== 'lines-changed' ? JSON.stringify(event) : once;
  const id = await insertEvent(db, orderId, event, cause, key);
  const kind = NOTIFIED.find((notified) => notified === event.kind);
  if (id === undefined || quietly || !kind) return;
  await notify(db, { kind: notificationOf(kind) }, orderId, id);
}

/** What a colleague did, other than what came of it. */
function actOf(event: OrderEvent, { reason }: Cause): Act | undefined {
  switch (event.kind) {
    case 'status':
      if (reason !== 'set' && reason !== 'canceled') return undefined;
      return { kind: 'order-status', detail: `: ${event.to}` };
    case 'refund-made':
      return {
        kind: 'order-refunded',
        detail: event.amount === null ? '' : `: ${formatDollars(event.amount)}`,
      };
    case 'end-scheduled':
    case 'end-made':
      return { kind: 'order-ended', detail: '' };
    case 'marked-paid':
      return { kind: 'order-marked-paid', detail: `: ${event.number ?? event.invoice}` };
    case 'po-number-changed':
      return { kind: 'order-po-number', detail: '' };
    case 'link-made':
      return { kind: 'order-link-made', detail: '' };
    case 'links-revoked':
      return { kind: 'order-links-revoked', detail: '' };
    default:
      return undefined;
  }
}

interface Act {
  kind: AuditKind;
  detail: string;
}

/** Oldest first. */
export async function readEvents(db: Db, orderId: number): Promise<StoredEvent[]> {
  const events = db.selectFrom('orderEvents').selectAll().where('orderId', '=', orderId);
  return (await events.orderBy('id').execute()).flatMap(parseEvent);
}

export async function findEvent(db: Db, id: number): Promise<StoredEvent | undefined> {
  const event = db.selectFrom('orderEvents').selectAll().where('id', '=', id);
  return [await event.executeTakeFirst()].flatMap((row) => (row ? parseEvent(row) : []))[0];
}

/** Leaves out what a newer version of the site has stored. */
function parseEvent(row: Row<'orderEvents'>): StoredEvent[] {
  const event = orderEvent.safeParse({ ...JSON.parse(row.data), kind: row.kind });
  const by = actor.safeParse(JSON.parse(row.actor));
  return event.success && by.success ? [{ ...row, event: event.data, actor: by.data }] : [];
}

/** Has the provider do what a person wants. Returns the cause of all that comes of it. */
export async function actAtProvider(
  db: Db,
  orderId: number,
  begun: Omit<EventOf<'begun'>, 'kind'>,
  actor: Actor,
  ask: () => Promise<Outcome>,
): Promise<Cause | NotDone> {
  const id = await insertEvent(db, orderId, { kind: 'begun', ...begun }, { actor });
  const answer = await ask();
  if (answer === 'unavailable') return answer;
  const outcome =
    answer === 'done' ? await complete(db, orderId, begun, { actor, causeId: id }) : answer;
  // Refused, or stored already: by its report, or by an earlier try.
  if (!('causeId' in outcome) || outcome.causeId === undefined) await deleteEvent(db, id);
  return outcome;
}

async function complete(
  db: Db,
  orderId: number,
  { act, once }: Omit<EventOf<'begun'>, 'kind'>,
  { actor, causeId }: Cause,
): Promise<Cause> {
  // Its report may arrive while the answer does.
  const key = once ?? `begun ${causeId}`;
  return { actor, causeId: await insertEvent(db, orderId, act, { actor, causeId }, key) };
}

/** Stores what a person began and the provider has done, if the server died before it could. */
export async function completeBegun(
  trx: Db,
  orderId: number,
  isDone: (act: EventOf<'begun'>['act']) => boolean,
): Promise<Cause | undefined> {
  const events = await readEvents(trx, orderId);
  for (const { id, at, event, actor } of events.toReversed()) {
    if (event.kind !== 'begun' || at <= Date.now() - DAY_MS || !isDone(event.act)) continue;
    // A later try of the same may have done it.
    const isSettled = events.some(
      (other) => other.causeId === id || (other.id > id && other.event.kind === event.act.kind),
    );
    if (!isSettled) return complete(trx, orderId, event, { actor, causeId: id });
  }
  return undefined;
}

/** What the provider refused has not happened. */
export async function deleteEvent(db: Db, id: number | undefined): Promise<void> {
  await db
    .deleteFrom('orderEvents')
    .where('id', '=', id ?? 0)
    .execute();
}

/** When the order got its current status. */
export async function statusSince(db: Db, orderId: number): Promise<number> {
  const { at } = await db
    .selectFrom('orderEvents')
    .select(({ fn }) => fn.max<number>('at').as('at'))
    .where('orderId', '=', orderId)
    .where('kind', '=', 'status')
    .executeTakeFirstOrThrow();
  return at;
}
