/** All queries of the outbox. A row is claimed by one delivery at a time; a killed process's claim runs out. */
import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Company } from '../company/company.ts';
import type { Database } from '../platform/database/database.server.ts';
import type { Row, Tables } from '../platform/database/tables.server.ts';
import { countMail } from '../platform/mail-recipients.server.ts';
import type { ChannelName } from './delivery.ts';
import {
  type Channel,
  LEASE_MARGIN_MS,
  LONGEST_WAIT_MS,
  type NotificationKind,
  storedNotification,
} from './notification.server.ts';

type Db = Kysely<Tables>;

/**
 * Writes down whom a kind of notification is for, about the row with this id; false when that is nobody. `channels`: those
 * there are.
 */
export async function addNotification(
  trx: Db,
  kind: NotificationKind,
  id: number,
  { channels, hours }: { channels: readonly Channel[]; hours: Company['hours'] },
): Promise<boolean> {
  const notice = storedNotification(kind, id);
  const subject = await kind.find(trx, id);
  if (subject === undefined) throw new Error(`there is nothing to notify of: ${notice}`);
  const configured = channels.map(({ name }) => name);
  const wanted = await kind.channels(trx, subject, { hours, configured });
  const topic = kind.topic(subject);
  const now = Date.now();
  const names = configured.filter((name) => wanted.includes(name));
  const bounded = names.includes('mail-customer') ? kind.boundedRecipient?.(subject) : undefined;
  const isFull = bounded !== undefined && !(await countMail(trx, bounded));
  const deliveries = names
    .filter((name) => !(isFull && name === 'mail-customer'))
    .map((channel) => ({
      channel,
      topic,
      notice,
      state: 'waiting' as const,
      nextTryAt: now,
      createdAt: now,
    }));
  if (deliveries.length > 0) await trx.insertInto('outbox').values(deliveries).execute();
  return deliveries.length > 0;
}

/**
 * Takes the oldest delivery that is due and has no earlier one of its topic before it. Several instances may
 * ask at once (PostgreSQL): each row goes to one of them. Undefined when nothing is due or the pace says wait.
 * `inHand`: what the caller is still delivering, or writing down, though its claim may have run out.
 */
export async function claimNext(
  { db, engine }: Database,
  { name: channel, paceMs, deadlineMs }: Channel,
  inHand: readonly number[],
): Promise<Row<'outbox'> | undefined> {
  return db.transaction().execute(async (trx) => {
    const now = Date.now();
    let due = trx
      .selectFrom('outbox')
      .select('id')
      .where('state', '=', 'waiting')
      .where('channel', '=', channel)
      .where(isOver('nextTryAt', now))
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('outbox as earlier')
              .select('earlier.id')
              .where('earlier.state', '=', 'waiting')
              .where('earlier.channel', '=', channel)
              .whereRef('earlier.topic', '=', 'outbox.topic')
              .whereRef('earlier.id', '<', 'outbox.id'),
          ),
        ),
      )
      .orderBy('id')
      .limit(1);
    if (inHand.length > 0) due = due.where('id', 'not in', inHand);
    const found = await (engine === 'postgres'
      ? due.forUpdate().skipLocked()
      : due
    ).executeTakeFirst();
    if (!found || (paceMs !== null && !(await takeTurn(trx, channel, now, paceMs))))
      return undefined;
    return trx
      .updateTable('outbox')
      .set({
        claimedBy: randomUUID(),
        nextTryAt: now + deadlineMs + LEASE_MARGIN_MS,
        tries: sql`tries + 1`,
      })
      .where('id', '=', found.id)
      .returningAll()
      .executeTakeFirst();
  });
}

/** Whether a wait has ended, or is so long that it was begun while a clock was wrong. */
export function isOver(column: 'nextTryAt' | 'nextAt', now: number) {
  const ahead = now + LONGEST_WAIT_MS;
  return sql<boolean>`(${sql.ref(column)} <= ${now} or ${sql.ref(column)} > ${ahead})`;
}

/** Whether the channel may send now; if so, its next turn comes after `paceMs`. */
async function takeTurn(
  trx: Db,
  channel: ChannelName,
  now: number,
  paceMs: number,
): Promise<boolean> {
  await trx
    .insertInto('outboxPace')
    .values({ channel, nextAt: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { numUpdatedRows } = await trx
    .updateTable('outboxPace')
    .set({ nextAt: now + paceMs })
    .where('channel', '=', channel)
    .where(isOver('nextAt', now))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Keeps a paced channel silent until then: its receiver has asked for it. */
export async function pauseChannel(db: Db, channel: ChannelName, until: number): Promise<void> {
  await db
    .updateTable('outboxPace')
    .set({ nextAt: until })
    .where('channel', '=', channel)
    .where('nextAt', '<', until)
    .execute();
}

/** When the next delivery that is not due yet will be, or the next turn of a paced channel comes. */
export async function nextDueAt(db: Db, channel: ChannelName): Promise<number> {
  const now = Date.now();
  const due = await db
    .selectFrom('outbox')
    .select(({ fn }) => fn.min('nextTryAt').as('at'))
    .where('state', '=', 'waiting')
    .where('channel', '=', channel)
    .where('nextTryAt', '>', now)
    .executeTakeFirst();
  const turn = await db
    .selectFrom('outboxPace')
    .select('nextAt as at')
    .where('channel', '=', channel)
    .where('nextAt', '>', now)
    .executeTakeFirst();
  return Math.min(due?.at ?? Number.POSITIVE_INFINITY, turn?.at ?? Number.POSITIVE_INFINITY);
}

/** Also when another process has claimed it by now: it was accepted. */
export async function settleAccepted(db: Db, id: number, lastAnswer: string): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ state: 'accepted', claimedBy: null, lastAnswer, settledAt: Date.now() })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute();
}

/** `nextTryAt` null sets it aside. */
export async function settleFailed(
  db: Db,
  { id, claimedBy }: Row<'outbox'>,
  lastAnswer: string,
  nextTryAt: number | null,
): Promise<void> {
  const now = Date.now();
  await db
    .updateTable('outbox')
    .set(
      nextTryAt === null
        ? { state: 'set aside', claimedBy: null, lastAnswer, settledAt: now }
        : { claimedBy: null, lastAnswer, nextTryAt },
    )
    .where('id', '=', id)
    .where('claimedBy', '=', claimedBy)
    .execute();
}

/** Gives back what was claimed but not finished, so that nobody has to wait for the claim to run out. */
export async function release(db: Db, { id, claimedBy, tries }: Row<'outbox'>): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ claimedBy: null, nextTryAt: Date.now(), tries: tries - 1 })
    .where('id', '=', id)
    .where('claimedBy', '=', claimedBy)
    .execute();
}

/** Only for a process that knows itself to be alone with the database: the processes that claimed these are dead. */
export async function releaseAll(db: Db): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ claimedBy: null, nextTryAt: Date.now() })
    .where('state', '=', 'waiting')
    .where('claimedBy', 'is not', null)
    .execute();
}

export async function forgetDelivery(db: Db, id: number): Promise<void> {
  await db.deleteFrom('outbox').where('id', '=', id).execute();
}

/**
 * Accepted ones, and those to customers that were set aside: mistyped addresses are many, and nobody is missing the
 * email any more. What staff have not heard of stays until they have dealt with it.
 */
export async function forgetSettledBefore(db: Db, time: number): Promise<void> {
  await db
    .deleteFrom('outbox')
    .where('settledAt', '<', time)
    .where(({ eb, or }) =>
      or([
        eb('state', '=', 'accepted'),
        eb('state', '=', 'set aside').and('channel', '=', 'mail-customer'),
      ]),
    )
    .execute();
}
