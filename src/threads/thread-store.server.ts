/** The tables of threads and their entries, and the queries that several features share. */
import { type Generated, sql, type Updateable } from 'kysely';
import { chunk } from '../platform/database/queries.server.ts';
import type { Db, NewRow, Row, Tables } from '../platform/database/tables.server.ts';
import { classifySpam } from '../platform/fields.ts';
import { tokenHash } from '../platform/http/cookies.server.ts';
import type { EntryKind, ThreadKind, ThreadStatus } from './thread.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    threads: {
      id: Generated<number>;
      kind: ThreadKind;
      name: string | null;
      email: string | null;
      phone: string | null;
      service: string | null;
      status: ThreadStatus;
      assigneeId: number | null;
      /** The SHA-256 of the `chat` cookie that may read it; null for a contact message. */
      keyHash: string | null;
      endedAt: number | null;
      /** When a panel of it was open last; null once the last one has closed. */
      watchedAt: number | null;
      createdAt: number;
      lastAt: number;
      /** The first message that staff have not answered; null unless new or waiting. */
      waitsSince: number | null;
      /** When anything about it changed last: readers of events look here. */
      changedAt: number;
    };
    entries: {
      id: Generated<number>;
      threadId: number;
      kind: EntryKind;
      /** '' for what the site says by itself. */
      text: Generated<string>;
      /**
       * JSON: of an automatic reply a `Reply`, of 'marked' the status, of a mail a `MailFacts`, of
       * an answer that it was not delivered.
       */
      data: string | null;
      /** The colleague's account; null for the visitor and the site. */
      authorId: number | null;
      /** Where an answer is mailed: the visitor's address as the colleague saw it. */
      recipient: string | null;
      /** Who sent a reply by mail. */
      sender: string | null;
      /** An answer leaves at this time: until then staff can undo it and no visitor sees it. */
      at: number;
      seenAt: number | null;
      /** The request that brought it, so that a repeated one adds nothing. */
      requestKey: string | null;
    };
  }
}

/** Keeps a chat to the browser that started it. */
export const CHAT_COOKIE = 'chat';

export function findThread(db: Db, id: number): Promise<Row<'threads'> | undefined> {
  return db.selectFrom('threads').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The chat of the browser with this `chat` cookie, even if it has ended. */
export function selectThreadByKey(db: Db, key: string | undefined) {
  return db
    .selectFrom('threads')
    .selectAll()
    .where('keyHash', '=', tokenHash(key) ?? '');
}

/** Returns its id. `at`: when its first message came; spam does not wait for an answer. */
export async function beginThread(
  trx: Db,
  thread: Omit<NewRow<'threads'>, 'createdAt' | 'lastAt' | 'changedAt' | 'waitsSince'>,
  at: number,
): Promise<number> {
  const waitsSince = thread.status === 'spam' ? null : at;
  const { id } = await trx
    .insertInto('threads')
    .values({ ...thread, createdAt: at, lastAt: at, changedAt: at, waitsSince })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Every change goes through here, because readers of events look at its time. */
export async function changeThread(
  trx: Db,
  id: number,
  change: Updateable<Tables['threads']> = {},
): Promise<void> {
  await trx
    .updateTable('threads')
    .set({ ...change, changedAt: Date.now() })
    .where('id', '=', id)
    .execute();
}

/** Returns its id; undefined if a request has used its key before, maybe at the same moment. */
export async function addEntry(
  trx: Db,
  /** `at` defaults to now. */
  entry: Pick<NewRow<'entries'>, 'threadId' | 'kind'> & Partial<NewRow<'entries'>>,
): Promise<number | undefined> {
  const added = await trx
    .insertInto('entries')
    .values({ at: Date.now(), ...entry })
    .onConflict((conflict) => conflict.column('requestKey').doNothing())
    .returning('id')
    .executeTakeFirst();
  return added?.id;
}

/** The thread once its visitor has written again. An answered visitor is no spammer. */
export function waitsAgain(
  { status: before, waitsSince, lastAt }: Row<'threads'>,
  text: string,
  at: number,
) {
  const status =
    before === 'answered' ? 'waiting' : before === 'spam' ? classifySpam(text) : before;
  return {
    status,
    waitsSince: status === 'spam' ? null : (waitsSince ?? at),
    lastAt: Math.max(lastAt, at),
  } as const;
}

export interface VisitorMessages {
  /** The id of the visitor's first message. */
  first: number;
  text: string;
  at: number;
  /** How many messages the visitor has written. */
  messages: number;
}

/** The id of the visitor's first message, by whose number people know a conversation. */
export async function firstMessageId(db: Db, threadId: number): Promise<number> {
  return (await visitorMessages(db, [threadId])).get(threadId)?.first ?? 0;
}

/** The visitor's newest message in each thread, its first one, and how many there are. */
export async function visitorMessages(
  db: Db,
  threadIds: readonly number[],
): Promise<Map<number, VisitorMessages>> {
  const found = new Map<number, VisitorMessages>();
  for (const ids of chunk(threadIds)) {
    const last = db
      .selectFrom('entries')
      .select(['threadId', sql<number>`max("id")`.as('id'), sql<number>`min("id")`.as('first')])
      .select(sql<number>`count(*)`.as('messages'))
      .where('threadId', 'in', ids)
      .where('kind', '=', 'visitor')
      .groupBy('threadId');
    const rows = await db
      .selectFrom(last.as('last'))
      .innerJoin('entries', 'entries.id', 'last.id')
      .select(['last.threadId', 'last.messages', 'last.first', 'entries.text', 'entries.at'])
      .execute();
    for (const { threadId, ...message } of rows) found.set(threadId, message);
  }
  return found;
}
