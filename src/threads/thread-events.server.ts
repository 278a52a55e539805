/** Says on open streams what is new; each instance reads the tables every second. */
import type { Context } from 'hono';
import { isDatabaseUnavailable } from '../platform/database/database-unavailable.server.ts';
import { chunk } from '../platform/database/queries.server.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { EventStreams } from '../platform/http/event-streams.server.ts';
import { Interval } from '../platform/interval.server.ts';
import { logFault } from '../platform/log.server.ts';
import { SharedRuns } from '../platform/shared-runs.server.ts';
import { liveSessions } from '../staff/sessions.server.ts';

const READ_EVERY_MS = 1_000;
/** After each read, so that a flood of requests does not become a flood of reads. */
const PAUSE_MS = 200;
/** How late a change may appear: clocks differ, and transactions may take seconds. */
const LATE_MS = 15_000;
const FAILED = 'thread-events-failed';

interface Listener {
  address: string;
  isStaff: boolean;
  /** Null for staff, who follow every thread. */
  thread: number | null;
  /** The hash of the cookie that grants access: the session's, or the thread's key. */
  hash: string;
}

interface Change {
  endedAt: number | null;
  /** The newest entry that has come; undefined if only something else has changed. */
  entry?: number;
}

export type ThreadEvents = ReturnType<typeof threadEvents>;

export function threadEvents(db: Db) {
  const streams = new EventStreams<Listener>();
  const reads = new SharedRuns<'read', void>(() => PAUSE_MS);
  /** What the last read found, and when it was; null while there is no listener. */
  let known: { at: number; found: ReadonlySet<string>; sale: number } | null = null;

  async function read(): Promise<void> {
    const now = Date.now();
    const since = (known?.at ?? now) - LATE_MS;
    const found = new Set<string>();
    const isNew = (what: string) => {
      found.add(what);
      return known !== null && !known.found.has(what);
    };
    const changes = new Map<number, Change>();
    for (const thread of await changedThreads(db, since))
      if (isNew(`thread ${thread.id} ${thread.changedAt}`)) changes.set(thread.id, thread);
    for (const { at, ...entry } of await newEntries(db, since, now)) {
      if (at > now) setTimeout(wake, at - now).unref();
      else if (isNew(`entry ${entry.entry}`)) changes.set(entry.id, entry);
    }
    const sale = await newestSale(db);
    const hasSale = known !== null && sale !== known.sale;
    known = { at: now, found, sale };
    announce(changes, hasSale);
  }

  function announce(changes: ReadonlyMap<number, Change>, hasSale: boolean): void {
    if (changes.size === 0 && !hasSale) return;
    const message = (event: string, data: object) => ({ event, data: JSON.stringify(data) });
    const forStaff = [...changes.keys()].map((thread) => message('thread', { thread }));
    if (hasSale) forStaff.push(message('thread', { sales: true }));
    for (const stream of streams.open) {
      const { thread } = stream.listener;
      if (thread === null) for (const each of forStaff) stream.send(each);
      const change = thread === null ? undefined : changes.get(thread);
      if (change && change.endedAt !== null) stream.end();
      else if (change?.entry) stream.send(message('conversation', { entry: change.entry }));
    }
  }

  /** Reads at once. For changes of this instance, and entries that leave now. */
  function wake(): void {
    if (streams.open.size === 0) return;
    void orLogged(reads.run('read', read));
  }

  /** Whether a panel is open that can show an answer, written once a second for all. */
  const watched = new Map<number, boolean>();
  const markWatched = (thread: number | null) => thread !== null && watched.set(thread, true);

  async function writeWatched(): Promise<void> {
    const marks = [...watched];
    watched.clear();
    const those = (isWatched: boolean) =>
      marks.filter(([, marked]) => marked === isWatched).map(([thread]) => thread);
    await setWatched(db, those(true), Date.now());
    await setWatched(db, those(false), null);
  }

  /** Ends streams whose session or key has ended. While the database is down, they stay. */
  async function beat(): Promise<void> {
    for (const due of chunk(streams.due())) {
      const hashes = due.map(({ listener }) => listener.hash);
      const valid = await orLogged(validHashes(db, hashes));
      for (const stream of due) {
        markWatched(stream.listener.thread);
        if (valid?.has(stream.listener.hash) === false) stream.end();
        else stream.beat();
      }
    }
  }

  return {
    wake,
    markWatched,
    reading: new Interval(FAILED, READ_EVERY_MS, async () => {
      wake();
      await beat();
      await writeWatched();
      if (streams.open.size === 0) known = null;
    }),
    /** Opens a stream. What changes from now on is announced on it, and nothing from before. */
    async listen(context: Context, who: Omit<Listener, 'isStaff'>): Promise<Response> {
      const { thread } = who;
      const listener = { ...who, isStaff: thread === null };
      await reads.run('read', read);
      // Nothing is awaited from here on: many may come at once, and without a stream what was read
      // is forgotten.
      const answer = streams.answer(context, listener, () => {
        if (thread !== null && streams.count((open) => open.thread === thread) === 0)
          watched.set(thread, false);
      });
      if (answer.ok) markWatched(thread);
      return answer;
    },
    countOpen: () => ({
      staff: streams.count(({ thread }) => thread === null),
      visitor: streams.count(({ thread }) => thread !== null),
    }),
    close: () => streams.close(),
  };
}

/** Undefined if the database is unavailable. */
function orLogged<Value>(work: Promise<Value>): Promise<Value | undefined> {
  return work.catch((error: unknown) => {
    if (!isDatabaseUnavailable(error)) logFault(FAILED, error);
    return undefined;
  });
}

/** Readers of events do not look here. */
export async function setWatched(
  db: Db,
  threads: readonly number[],
  watchedAt: number | null,
): Promise<void> {
  if (threads.length > 0)
    await db.updateTable('threads').set({ watchedAt }).where('id', 'in', threads).execute();
}

/** What has happened to an order, or to the quote that it pays. */
async function newestSale(db: Db): Promise<number> {
  const newest = db.selectFrom('orderEvents').select(({ fn }) => fn.max<number>('id').as('id'));
  return (await newest.executeTakeFirst())?.id ?? 0;
}

function changedThreads(db: Db, since: number) {
  return db
    .selectFrom('threads')
    .select(['id', 'changedAt', 'endedAt'])
    .where('changedAt', '>', since)
    .execute();
}

/** What a visitor may read, since then and up to the next second. */
function newEntries(db: Db, since: number, now: number) {
  return db
    .selectFrom('entries')
    .innerJoin('threads', 'threads.id', 'entries.threadId')
    .select(['entries.id as entry', 'at', 'threads.id', 'endedAt'])
    .where('at', '>', since)
    .where('at', '<=', now + READ_EVERY_MS)
    .where('entries.kind', 'in', ['visitor', 'reply', 'staff'])
    .orderBy('at')
    .execute();
}

async function validHashes(db: Db, hashes: string[]): Promise<ReadonlySet<string | null>> {
  const rows = await db
    .selectFrom('threads')
    .select('keyHash as hash')
    .where('keyHash', 'in', hashes)
    .where('endedAt', 'is', null)
    .unionAll(liveSessions(db).select('tokenHash as hash').where('tokenHash', 'in', hashes))
    .execute();
  return new Set(rows.map(({ hash }) => hash));
}
