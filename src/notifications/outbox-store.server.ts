/** The table of deliveries. A worker claims a row before sending; a dead one's claim expires. */
import { randomUUID } from 'node:crypto';
import { type ExpressionBuilder, type Generated, sql, type Updateable } from 'kysely';
import type { Company } from '../company/company.ts';
import {
  CHUNK_SIZE,
  chunk,
  inBatches,
  selectForUpdate,
  selectUnlocked,
} from '../platform/database/queries.server.ts';
import type { Db, Row, Tables } from '../platform/database/tables.server.ts';
import { countTowardMailboxLimit, lockMailbox } from '../platform/message-limits.server.ts';
import { HOUR_MS } from '../platform/time.ts';
import { type deliveriesNamed, deliveryKeys } from './message-id.server.ts';
import type { Channel, NotificationKind } from './notification.server.ts';
import { CHANNELS, type ChannelName, channelsOf, type DeliveryState } from './outbox-api.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    outbox: {
      id: Generated<number>;
      channel: ChannelName;
      /** The notification's kind, and the id of the row it is about. */
      kind: string;
      subjectId: number;
      /** What happened to that row, for kinds that say it. */
      eventId: number | null;
      /** Deliveries of one topic, for example of one conversation, are sent in order. */
      topic: string;
      state: DeliveryState;
      tries: Generated<number>;
      /** While it is being delivered, the time at which the claim expires. */
      nextTryAt: number;
      /** A new id for each claim; null while unclaimed. */
      claimedBy: string | null;
      lastAnswer: string | null;
      createdAt: number;
      settledAt: number | null;
    };
  }
}

/** A long exchange names all its emails; the newest say enough. */
const MAX_NAMED = 20;
const FIRST_PAUSE_MS = 1_000;
const GROWTH = 2.5;
const JITTER = 0.25;
/** Also caps a receiver's Retry-After. */
export const MAX_PAUSE_MS = HOUR_MS;
/** A claim outlasts the delivery's deadline by this: to save the outcome, and for other clocks. */
const CLAIM_MARGIN_MS = 5_000;

/** The pause after `failures` in a row: from 1 s to `max`, three hours in all for 12 tries. */
export function pauseMs(failures: number, max = MAX_PAUSE_MS): number {
  const longest = Math.min(FIRST_PAUSE_MS * GROWTH ** (failures - 1), max);
  return Math.round(longest * (1 - JITTER * Math.random()));
}

interface NewNotification {
  kind: NotificationKind;
  subjectId: number;
  eventId: number | undefined;
  configured: readonly ChannelName[];
  hours: Company['hours'];
}

/** Adds a delivery for each channel. Call it in the transaction that saves the row. */
export async function addDeliveries(trx: Db, notification: NewNotification): Promise<void> {
  const { kind, subjectId, eventId = null, configured, hours } = notification;
  const subject = await kind.find(trx, subjectId, eventId);
  if (subject === undefined) throw new Error(`no row ${subjectId} to notify of: ${kind.kind}`);
  const channels = chooseChannels(kind, subject, configured, hours);
  const mails = channels.filter((name) => CHANNELS[name].audience === 'customer');
  const recipient = mails.length > 0 ? kind.limitedRecipient?.(subject) : undefined;
  // Lock first: what others add for this mailbox is visible only after they commit.
  if (recipient !== undefined) await lockMailbox(trx, recipient);
  for (const channel of channels) {
    const limited = mails.includes(channel) && recipient !== undefined;
    if (limited && !(await countTowardMailboxLimit(trx, recipient))) continue;
    const now = Date.now();
    await trx
      .insertInto('outbox')
      .values({
        channel,
        kind: kind.kind,
        subjectId,
        eventId,
        topic: kind.topic(subject),
        state: 'waiting',
        nextTryAt: kind.notBefore?.(subject, CHANNELS[channel].audience) ?? now,
        createdAt: now,
      })
      .execute();
  }
}

function chooseChannels(
  kind: NotificationKind,
  subject: unknown,
  configured: readonly ChannelName[],
  hours: Company['hours'],
): readonly ChannelName[] {
  const reached = channelsOf(
    ...kind.audiences(subject),
    ...(kind.event ? ['programs' as const] : []),
  );
  const channels = configured.filter((name) => reached.includes(name));
  const staffs = channels.filter((name) => CHANNELS[name].audience === 'staff');
  const atOnce = staffs.filter((name) => CHANNELS[name].isSeenAtOnce);
  return atOnce.length > 0 && kind.isSeenAtOnce?.(subject, hours)
    ? channels.filter((name) => atOnce.includes(name) || !staffs.includes(name))
    : channels;
}

/** Claims the first due delivery after this id that waits for no earlier one of its topic. */
export async function claimNext(
  db: Db,
  { name: channel, deadlineMs }: Channel,
  after: number,
): Promise<Row<'outbox'> | undefined> {
  const now = Date.now();
  const nextDue = db
    .selectFrom('outbox')
    .select('id')
    .where('state', '=', 'waiting')
    .where('channel', '=', channel)
    .where('nextTryAt', '<=', now)
    .where('id', '>', after)
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
  return db
    .updateTable('outbox')
    .set({
      claimedBy: randomUUID(),
      nextTryAt: now + deadlineMs + CLAIM_MARGIN_MS,
      tries: sql`tries + 1`,
    })
    .where('id', '=', selectUnlocked(nextDue, db))
    .returningAll()
    .executeTakeFirst();
}

/** Saves the outcome and ends the claim, unless it has expired and another worker has it. */
export async function endClaim(
  db: Db,
  { id, claimedBy }: Row<'outbox'>,
  change: Updateable<Tables['outbox']>,
): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ ...change, claimedBy: null })
    .where('id', '=', id)
    .where('claimedBy', '=', claimedBy)
    .execute();
}

export async function deleteDelivery(db: Db, id: number): Promise<void> {
  await db.deleteFrom('outbox').where('id', '=', id).execute();
}

/** Deletes accepted deliveries and failed ones to customers. Staff resend or dismiss the rest. */
export async function deleteSettledBefore(db: Db, time: number): Promise<void> {
  const oldest = db.selectFrom('outbox').select(['id', 'createdAt']).orderBy('id');
  const pages = inBatches<{ id: number; createdAt: number }>(async (last) =>
    last && last.createdAt >= time
      ? []
      : oldest
          .where('id', '>', last?.id ?? 0)
          .limit(CHUNK_SIZE)
          .execute(),
  );
  for await (const page of pages)
    await db
      .deleteFrom('outbox')
      .where(
        'id',
        'in',
        page.map(({ id }) => id),
      )
      .where('settledAt', '<', time)
      .where(({ eb, or }) =>
        or([
          eb('state', '=', 'accepted'),
          eb('state', '=', 'failed').and('channel', 'in', channelsOf('customer')),
        ]),
      )
      .execute();
}

/** Failed before waiting, staff's before customers', newest first. Not what is to leave later. */
export async function listOpen(
  db: Db,
  limit: number,
  except: readonly NotificationKind[],
): Promise<Row<'outbox'>[]> {
  const open: Row<'outbox'>[] = [];
  for (const state of ['failed', 'waiting'] as const)
    for (const channels of [channelsOf('staff', 'programs'), channelsOf('customer')]) {
      const deliveries: Row<'outbox'>[] = [];
      for (const channel of channels) {
        const rows = openIn(db, state).where(isListed(except)).selectAll();
        const newest = rows.where('channel', '=', channel).orderBy('id', 'desc').limit(limit);
        deliveries.push(...(await newest.execute()));
      }
      open.push(...deliveries.sort((one, other) => other.id - one.id));
    }
  return open.slice(0, limit);
}

function openIn(db: Db, state: 'waiting' | 'failed') {
  return db.selectFrom('outbox').where('state', '=', state).where(isDueOrTried());
}

/** Not what is to leave later. */
export function isDueOrTried() {
  return sql<boolean>`("nextTryAt" <= ${Date.now()} or "tries" > 0 or "lastAnswer" is not null)`;
}

/** The receiver's, or the answer to the earlier delivery for which this one waits. */
export const lastAnswer = sql<string | null>`coalesce("outbox"."lastAnswer", (
  select "earlier"."lastAnswer" from "outbox" as "earlier"
  where "earlier"."state" = 'waiting' and "earlier"."channel" = "outbox"."channel"
    and "earlier"."topic" = "outbox"."topic" and "earlier"."id" < "outbox"."id"
  order by "earlier"."id" limit 1))`;

/** Emails to customers that are shown with their record are not listed. */
function isListed(except: readonly NotificationKind[]) {
  return ({ eb, not, and }: ExpressionBuilder<Tables, 'outbox'>) =>
    not(and([eb('kind', 'in', namesOf(except)), eb('channel', 'in', channelsOf('customer'))]));
}

export async function countOpen(
  db: Db,
  except: readonly NotificationKind[],
): Promise<{ waiting: number; failed: number }> {
  const countIn = async (state: 'waiting' | 'failed') =>
    (await count(db, openIn(db, state).where(isListed(except)))).count;
  return { waiting: await countIn('waiting'), failed: await countIn('failed') };
}

export async function countByChannel(db: Db, channels: readonly ChannelName[]) {
  const counts = [];
  for (const channel of channels)
    for (const state of ['waiting', 'failed'] as const) {
      const open = openIn(db, state).where('channel', '=', channel).orderBy('id');
      counts.push({ channel, state, ...(await count(db, open)) });
    }
  return counts;
}

/** A flood may leave any number. */
const MAX_COUNTED = 10_000;

/** `oldest`: when the oldest was added; null if there is none. */
function count(db: Db, open: ReturnType<typeof openIn>) {
  return db
    .selectFrom(open.select('createdAt').limit(MAX_COUNTED).as('open'))
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.min<number | null>('createdAt').as('oldest'),
    ])
    .executeTakeFirstOrThrow();
}

/** The one before it to the same receiver about the same topic. */
export function findPrevious(db: Db, { topic, channel, id }: Row<'outbox'>) {
  const before = db
    .selectFrom('outbox')
    .select(({ fn }) => fn.max('id').as('id'))
    .where('topic', '=', topic)
    .where('channel', '=', channel)
    .where('id', '<', id);
  return db
    .selectFrom('outbox')
    .select(['id', 'createdAt'])
    .where('id', '=', before)
    .executeTakeFirst();
}

/** The last of these that is ours. Reports, too, also name the emails before theirs. */
export async function findNamed(
  db: Db,
  named: ReturnType<typeof deliveriesNamed>,
): Promise<Row<'outbox'> | undefined> {
  const keyOf = await deliveryKeys(db);
  for (const { id, key } of named.slice(-MAX_NAMED).reverse()) {
    const row = await findDelivery(db, id);
    if (row && keyOf(row) === key) return row;
  }
  return undefined;
}

/** What was accepted has come back: staff can send it again. */
export async function markReturned(trx: Db, id: number, lastAnswer: string): Promise<void> {
  await trx
    .updateTable('outbox')
    .set({ state: 'failed', lastAnswer, settledAt: Date.now() })
    .where('id', '=', id)
    .where('state', '=', 'accepted')
    .execute();
}

export async function findDelivery(db: Db, id: number): Promise<Row<'outbox'> | undefined> {
  return db.selectFrom('outbox').selectAll().where('id', '=', id).executeTakeFirst();
}

/**
 * Makes the delivery, and those that it waits for, due now with all its tries. Undefined if
 * accepted or being sent.
 */
export async function resend(db: Db, id: number): Promise<Row<'outbox'> | undefined> {
  const now = Date.now();
  const resent = await db
    .updateTable('outbox')
    .set({ state: 'waiting', tries: 0, nextTryAt: now, claimedBy: null, settledAt: null })
    .where('id', '=', id)
    .where('state', 'in', ['waiting', 'failed'])
    .where(({ or, eb }) => or([eb('claimedBy', 'is', null), eb('nextTryAt', '<=', now)]))
    .returningAll()
    .executeTakeFirst();
  if (resent)
    await db
      .updateTable('outbox')
      .set({ nextTryAt: now })
      .where('topic', '=', resent.topic)
      .where('channel', '=', resent.channel)
      .where('state', '=', 'waiting')
      .where('claimedBy', 'is', null)
      .where('id', '<', id)
      .execute();
  return resent;
}

/** Returns undefined unless the delivery has failed. */
export async function dismiss(db: Db, id: number): Promise<Row<'outbox'> | undefined> {
  return db
    .deleteFrom('outbox')
    .where('id', '=', id)
    .where('state', '=', 'failed')
    .returningAll()
    .executeTakeFirst();
}

export async function findDeliveries(
  db: Db,
  kinds: readonly NotificationKind[],
  subjectIds: readonly number[],
): Promise<Row<'outbox'>[]> {
  const deliveries: Row<'outbox'>[] = [];
  for (const ids of chunk(subjectIds))
    deliveries.push(
      ...(await db
        .selectFrom('outbox')
        .selectAll()
        .where('subjectId', 'in', ids)
        .where('kind', 'in', namesOf(kinds))
        .execute()),
    );
  return deliveries;
}

/** Deletes all deliveries about these rows. One that is being sent may still arrive. */
export async function deleteDeliveries(
  trx: Db,
  kinds: readonly NotificationKind[],
  subjectIds: readonly number[],
): Promise<void> {
  for (const ids of chunk(subjectIds))
    await trx
      .deleteFrom('outbox')
      .where('subjectId', 'in', ids)
      .where('kind', 'in', namesOf(kinds))
      .execute();
}

/** Deletes the deliveries about the row; false, and none is deleted, if one has been tried. */
export async function deleteUnlessTried(
  trx: Db,
  kind: NotificationKind,
  id: number,
): Promise<boolean> {
  const deliveries = trx
    .selectFrom('outbox')
    .select('tries')
    .where('subjectId', '=', id)
    .where('kind', '=', kind.kind);
  // Locked, so that no worker claims one meanwhile.
  const locked = await selectForUpdate(deliveries, trx).execute();
  if (locked.some(({ tries }) => tries > 0)) return false;
  await deleteDeliveries(trx, [kind], [id]);
  return true;
}

/** Deletes what waits to leave about the row. Returns whether any of it has been tried. */
export async function deleteWaiting(
  trx: Db,
  { kind }: NotificationKind,
  subjectId: number,
): Promise<boolean> {
  const deleted = await trx
    .deleteFrom('outbox')
    .where('subjectId', '=', subjectId)
    .where('kind', '=', kind)
    .where('state', '=', 'waiting')
    .returning('tries')
    .execute();
  return deleted.some(({ tries }) => tries > 0);
}

function namesOf(kinds: readonly NotificationKind[]): string[] {
  return kinds.map(({ kind }) => kind);
}
