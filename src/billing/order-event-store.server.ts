/** The table of what happened to orders. */

import type { Generated } from 'kysely';
import type { InTransaction } from '../notifications/notification.server.ts';
import type { Db, Row } from '../platform/database/tables.server.ts';
import { networkOf } from '../platform/http/client-ip.server.ts';
import type { Order } from './billed-order.server.ts';
import { type Actor, actor, byProvider, type Cause, type Reason } from './cause.server.ts';
import { snapshotOf } from './event-facts.server.ts';
import { copyOf, hasFact, isAct, notificationOf } from './event-kinds.server.ts';
import type { Gateway } from './gateway.server.ts';
import {
  type EventKind,
  type OrderEvent,
  orderEvent,
  type Press,
  REFUSAL_OF,
  type Snapshot,
  snapshot,
} from './order-event.server.ts';
import type { NotDone, Outcome } from './outcome.server.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    orderEvents: {
      id: Generated<number>;
      orderId: number;
      at: number;
      kind: OrderEvent['kind'];
      /** The rest of the `OrderEvent`, and its `Snapshot` if someone is notified: JSON. */
      data: string;
      /** An `Actor`: JSON. */
      actor: string;
      /** Whose activity it is: a member of staff's own act, and not what came of one. */
      accountId: number | null;
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
  /** Null where nobody is notified, and from release 1.0. */
  snapshot: Snapshot | null;
}

/**
 * Returns the event's id; undefined when the order has one with the same key, `once` or that of a
 * kind that each order has once.
 */
export async function insertEvent(
  db: Db,
  orderId: number,
  event: OrderEvent,
  cause: Cause,
  { once, snapshot }: { once?: string | undefined; snapshot?: Snapshot | undefined } = {},
): Promise<number | undefined> {
  const { kind, ...data } = event;
  const { actor: by, reason = null, causeId = null } = cause;
  const isOwnAct = isAct(event) && (kind !== 'status' || reason === 'set');
  // Of the address, its network is kept.
  const kept = by.is === 'staff' && by.address ? { ...by, address: networkOf(by.address) } : by;
  const stored = await db
    .insertInto('orderEvents')
    .values({
      orderId,
      at: Date.now(),
      kind,
      data: JSON.stringify({ ...data, snapshot }),
      actor: JSON.stringify(kept),
      accountId: by.is === 'staff' && isOwnAct ? by.account : null,
      reason,
      causeId,
      onceKey: hasFact(kind, 'once') ? JSON.stringify(event) : (once ?? null),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return stored?.id;
}

/**
 * What is to be stored: `once` unless the order has an event with this key, `quietly` for no one to
 * be notified.
 */
export interface Draft {
  event: OrderEvent;
  once?: string | undefined;
  quietly?: boolean;
}

/** Stores the event and notifies of it. `order`: after it. */
export async function recordEvent(
  { db, notify }: InTransaction,
  order: Order,
  { event, once, quietly = false }: Draft,
  cause: Cause,
): Promise<void> {
  const { kind } = event;
  const isNotified = !quietly && hasFact(kind, 'notified');
  const snapshot = isNotified ? snapshotOf(order) : undefined;
  const id = await insertEvent(db, order.id, event, cause, { once, snapshot });
  if (id === undefined || !isNotified) return;
  await notify(db, { kind: notificationOf(kind) }, order.id, id);
  const { email, billsTo } = order;
  const isOther = billsTo !== null && billsTo.toLowerCase() !== email.toLowerCase();
  if (isOther && hasFact(kind, 'paper')) await notify(db, { kind: copyOf(kind) }, order.id, id);
}

/** Oldest first. */
export async function readEvents(db: Db, orderId: number): Promise<StoredEvent[]> {
  const found = db.selectFrom('orderEvents').selectAll().where('orderId', '=', orderId);
  const rows = await found.orderBy('id').execute();
  const causes = new Set(rows.map(({ causeId }) => causeId));
  // What release 1.0 had begun and completed is stored again as done.
  const isDone = ({ id, kind }: (typeof rows)[number]) => `${kind}` === 'begun' && causes.has(id);
  return rows.filter((row) => !isDone(row)).flatMap(parseEvent);
}

export async function findEvent(db: Db, id: number): Promise<StoredEvent | undefined> {
  const event = db.selectFrom('orderEvents').selectAll().where('id', '=', id);
  return [await event.executeTakeFirst()].flatMap((row) => (row ? parseEvent(row) : []))[0];
}

/** Leaves out what a newer version of the site has stored. */
export function parseEvent(row: Row<'orderEvents'>): StoredEvent[] {
  const data = JSON.parse(row.data);
  const event = orderEvent.safeParse(asPress({ ...data, kind: row.kind }));
  const by = actor.safeParse(JSON.parse(row.actor));
  const so = snapshot.safeParse(data.snapshot);
  return event.success && by.success
    ? [{ ...row, event: event.data, actor: by.data, snapshot: so.success ? so.data : null }]
    : [];
}

/** As 1.0, and 1.1 of its number, stored a person's act: once the provider had done it. */
interface ActOf1 {
  kind: string;
  act?: ActOf1;
}

function asPress({ kind, act, ...data }: ActOf1): object {
  switch (kind) {
    case 'begun':
      return { ...asPress(act ?? { kind: '' }), confirmed: undefined };
    case 'refund-made':
      return { kind: 'refund-asked', ...data, confirmed: true };
    case 'end-scheduled':
      return { kind: 'end-asked', when: 'period-end', confirmed: true };
    case 'end-made':
      return { kind: 'end-asked', when: 'now', confirmed: true };
    case 'end-withdrawn':
      return { kind: 'keep-asked', confirmed: true };
    case 'marked-paid':
      return { kind: 'paid-outside-asked', ...data, confirmed: true };
    case 'po-number-changed':
      return { kind: 'po-number-asked', confirmed: true };
    default:
      return { kind, ...data };
  }
}

/**
 * Stores what a person asks for, asks the provider, and stores what it answered. A server that dies
 * in between leaves a press that nobody has confirmed. Returns the cause of all that comes of it.
 */
export async function askProvider(
  { db, gateway }: { db: Db; gateway: Pick<Gateway, 'name'> },
  orderId: number,
  { press, actor }: { press: Press; actor: Actor },
  ask: (pressId: number) => Promise<Outcome>,
): Promise<Cause | NotDone> {
  const pressId = await insertEvent(db, orderId, press, { actor });
  if (pressId === undefined) throw new Error(`a press has a key: ${press.kind}`);
  const answer = await ask(pressId);
  if (answer === 'unavailable') return answer;
  const cause = byProvider(gateway, pressId);
  const event: OrderEvent =
    answer === 'done'
      ? { kind: 'confirmed' }
      : { kind: REFUSAL_OF[press.kind], provider: gateway.name, reason: answer.refused };
  await insertEvent(db, orderId, event, cause);
  return answer === 'done' ? cause : answer;
}

/** Whether something of one of these kinds has happened to the order. */
export async function hasHappened(
  db: Db,
  orderId: number,
  kinds: readonly EventKind[],
): Promise<boolean> {
  const event = db.selectFrom('orderEvents').select('id').where('orderId', '=', orderId);
  return (await event.where('kind', 'in', kinds).limit(1).executeTakeFirst()) !== undefined;
}

/** Whether the press has changed the plan already, which the provider goes on to name. */
export async function hasCaused(db: Db, orderId: number, pressId: number): Promise<boolean> {
  const changed = db
    .selectFrom('orderEvents')
    .select('id')
    .where('orderId', '=', orderId)
    .where('kind', '=', 'changed')
    .where('causeId', '=', pressId);
  return (await changed.executeTakeFirst()) !== undefined;
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
