/** The table of deliveries and its queries. A row is claimed by one worker at a time; the claim of a killed one runs out. */
import { randomUUID } from 'node:crypto';
import { type Generated, sql, type Updateable } from 'kysely';
import type { Company } from '../company/company.ts';
import type { Database } from '../platform/database/database.server.ts';
import { chunk } from '../platform/database/queries.server.ts';
import type { Db, Row } from '../platform/database/tables.server.ts';
import { countForMailbox, lockMailbox } from '../platform/message-limits.server.ts';
import { HOUR_MS } from '../platform/time.ts';
import type { Channel, NotificationKind } from './notification.server.ts';
import type { ChannelName, DeliveryState } from './outbox-api.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    outbox: OutboxTable;
  }
}

/** One notification on its way to one receiver. */
interface OutboxTable {
  id: Generated<number>;
  channel: ChannelName;
  /** The notification's kind, and the id of the row that it is about. */
  kind: string;
  subjectId: number;
  /** What must be sent in order, such as one conversation. */
  topic: string;
  /** Which visitor caused it: a number that identifies no one. Null for the site itself and its staff. */
  sender: number | null;
  /** How many deliveries of the same sender were waiting when this one was added. */
  queuedBefore: Generated<number>;
  state: DeliveryState;
  tries: Generated<number>;
  /** While it is being delivered: when its claim runs out. */
  nextTryAt: number;
  /** The delivery that is under way: another id for each claim. */
  claimedBy: string | null;
  lastAnswer: string | null;
  createdAt: number;
  settledAt: number | null;
}

const FIRST_PAUSE_MS = 1_000;
const GROWTH = 2.5;
/** Also when a receiver asks for more. */
export const LONGEST_PAUSE_MS = HOUR_MS;
/** A claim outlasts its delivery's deadline by so much: time to write down what came of it, and for clocks that differ. */
const CLAIM_MARGIN_MS = 5_000;

/** Milliseconds to wait after so many failures in a row: 1 s growing to `longest`, some three hours over twelve. */
export function pauseMs(failures: number, longest = LONGEST_PAUSE_MS): number {
  return Math.round(Math.min(FIRST_PAUSE_MS * GROWTH ** (failures - 1), longest));
}

interface Addition {
  kind: NotificationKind;
  /** The row that it is about. */
  subjectId: number;
  sender: number | null;
  /** The channels there are. */
  configured: readonly ChannelName[];
  hours: Company['hours'];
}

/** Adds a delivery for each channel that the notification is for; call it in the transaction that stores what happened. */
export async function addDeliveries(trx: Db, addition: Addition): Promise<void> {
  const { kind, subjectId, sender, configured, hours } = addition;
  const subject = await kind.find(trx, subjectId);
  if (subject === undefined) throw new Error(`no row ${subjectId} to notify of: ${kind.kind}`);
  const mailbox = configured.includes('mail-customer')
    ? kind.boundedRecipient?.(subject)
    : undefined;
  // Before the kind counts what others have caused for the mailbox, which is not seen until they have committed.
  if (mailbox !== undefined) await lockMailbox(trx, mailbox);
  const wanted = await kind.channels(trx, subject, { hours, configured });
  for (const channel of configured.filter((name) => wanted.includes(name))) {
    const bounded = channel === 'mail-customer' && mailbox !== undefined;
    if (bounded && !(await countForMailbox(trx, mailbox, 'mails'))) continue;
    const now = Date.now();
    await trx
      .insertInto('outbox')
      .values({
        channel,
        kind: kind.kind,
        subjectId,
        topic: kind.topic(subject),
        sender,
        queuedBefore: sender === null ? 0 : await countWaiting(trx, channel, sender),
        state: 'waiting',
        nextTryAt: now,
        createdAt: now,
      })
      .execute();
  }
}

async function countWaiting(trx: Db, channel: ChannelName, sender: number): Promise<number> {
  const { count } = await trx
    .selectFrom('outbox')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('sender', '=', sender)
    .where('channel', '=', channel)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Claims the next delivery that is due and has no earlier one of its topic before it. Every sender's first comes before
 * anyone's second, so that a flood delays no other visitor. Instances may ask at once (PostgreSQL): each gets another row.
 */
export async function claimNext(
  { db, engine }: Database,
  { name: channel, deadlineMs }: Channel,
): Promise<Row<'outbox'> | undefined> {
  const now = Date.now();
  const due = db
    .selectFrom('outbox')
    .select('id')
    .where('state', '=', 'waiting')
    .where('channel', '=', channel)
    .where(isDue(now))
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
    .orderBy('queuedBefore')
    .orderBy('id')
    .limit(1);
  return db
    .updateTable('outbox')
    .set({
      claimedBy: randomUUID(),
      nextTryAt: now + deadlineMs + CLAIM_MARGIN_MS,
      tries: sql`tries + 1`,
    })
    .where('id', '=', engine === 'postgres' ? due.forUpdate().skipLocked() : due)
    .returningAll()
    .executeTakeFirst();
}

/** Whether a wait has ended, or is so long that it was begun while a clock was wrong. */
function isDue(now: number) {
  const ahead = now + LONGEST_PAUSE_MS + CLAIM_MARGIN_MS;
  return sql<boolean>`(${sql.ref('nextTryAt')} <= ${now} or ${sql.ref('nextTryAt')} > ${ahead})`;
}

/** Ends a claim with what came of it. One that has run out and was taken over is left alone. */
export async function endClaim(
  db: Db,
  { id, claimedBy }: Row<'outbox'>,
  change: Updateable<OutboxTable>,
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

/**
 * Deletes accepted ones, and those to customers that were set aside: mistyped addresses are many, and no one is missing the
 * email any more. What staff have not received stays until they have dealt with it.
 */
export async function deleteSettledBefore(db: Db, time: number): Promise<void> {
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

/**
 * What staff should look at: 'set aside' comes before 'waiting', of these what staff themselves have missed before emails to
 * customers, of which anybody can cause any number, then the newest.
 */
export async function listOpen(db: Db, limit: number): Promise<Row<'outbox'>[]> {
  return db
    .selectFrom('outbox')
    .selectAll()
    .where('state', 'in', ['set aside', 'waiting'])
    .orderBy('state')
    .orderBy(sql`case when channel = 'mail-customer' then 1 else 0 end`)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

export async function countOpen(db: Db): Promise<{ waiting: number; setAside: number }> {
  const rows = await db
    .selectFrom('outbox')
    .select(['state', ({ fn }) => fn.countAll<number>().as('count')])
    .where('state', 'in', ['set aside', 'waiting'])
    .groupBy('state')
    .execute();
  const count = (state: DeliveryState) => rows.find((row) => row.state === state)?.count ?? 0;
  return { waiting: count('waiting'), setAside: count('set aside') };
}

export async function findDelivery(db: Db, id: number): Promise<Row<'outbox'> | undefined> {
  return db.selectFrom('outbox').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Makes it due now, with all its tries again; undefined when it is accepted or being delivered at this moment. */
export async function resend(db: Db, id: number): Promise<Row<'outbox'> | undefined> {
  const now = Date.now();
  return db
    .updateTable('outbox')
    .set({ state: 'waiting', tries: 0, nextTryAt: now, claimedBy: null, settledAt: null })
    .where('id', '=', id)
    .where('state', 'in', ['waiting', 'set aside'])
    .where((where) => where.or([where('claimedBy', 'is', null), isDue(now)]))
    .returningAll()
    .executeTakeFirst();
}

/** Undefined when there is none that is set aside. */
export async function dismiss(db: Db, id: number): Promise<Row<'outbox'> | undefined> {
  return db
    .deleteFrom('outbox')
    .where('id', '=', id)
    .where('state', '=', 'set aside')
    .returningAll()
    .executeTakeFirst();
}

/** Everything that is kept about these rows, delivered or not. */
export async function findDeliveries(
  db: Db,
  kinds: readonly NotificationKind[],
  subjectIds: readonly number[],
): Promise<Row<'outbox'>[]> {
  const found: Row<'outbox'>[] = [];
  for (const some of chunk(subjectIds))
    found.push(
      ...(await db
        .selectFrom('outbox')
        .selectAll()
        .where('subjectId', 'in', some)
        .where('kind', 'in', namesOf(kinds))
        .execute()),
    );
  return found;
}

/** What is not delivered yet never will be; what is being delivered at this moment may still arrive. */
export async function deleteDeliveries(
  trx: Db,
  kinds: readonly NotificationKind[],
  subjectIds: readonly number[],
): Promise<void> {
  for (const some of chunk(subjectIds))
    await trx
      .deleteFrom('outbox')
      .where('subjectId', 'in', some)
      .where('kind', 'in', namesOf(kinds))
      .execute();
}

function namesOf(kinds: readonly NotificationKind[]): string[] {
  return kinds.map(({ kind }) => kind);
}
