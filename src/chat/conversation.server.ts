/** The conversation of the browser that calls: what it may read, what is new in it, what it has seen, and its end. */

import { MAX_THREAD } from '../limits.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import { type Call, call } from '../platform/http/call.server.ts';
import { isoTime } from '../platform/time.ts';
import type { ThreadEvents } from '../threads/thread-events.server.ts';
import {
  addEntry,
  CHAT_COOKIE,
  changeThread,
  findThreadByKey,
} from '../threads/thread-store.server.ts';
import {
  CHAT_EVENTS,
  type ChatEntry,
  CONVERSATION_SEEN,
  chatReference,
  END_CONVERSATION,
  GET_CONVERSATION,
} from './chat.ts';

export function conversationCalls(db: Db, events: ThreadEvents): Call[] {
  return [
    call(GET_CONVERSATION, {
      access: 'anyone',
      ownPagesOnly: true,
      handle: async ({ cookies }) => {
        const thread = await findThreadByKey(db, cookies.get(CHAT_COOKIE));
        if (!thread) return { entries: [], name: null, email: null };
        const { id, name, email } = thread;
        return { entries: await readEntries(db, id), name, email };
      },
    }),
    call(CHAT_EVENTS, {
      access: 'anyone',
      ownPagesOnly: true,
      handle: async ({ cookies, context, address }) => {
        const thread = await findThreadByKey(db, cookies.get(CHAT_COOKIE));
        if (!thread?.keyHash) return refuse(404, 'This browser has no conversation');
        const { id, keyHash, lastAt } = thread;
        return events.listen(context, { address, quietSince: lastAt, thread: id, hash: keyHash });
      },
    }),
    call(CONVERSATION_SEEN, {
      access: 'anyone',
      handle: async ({ body, cookies }) => {
        const thread = await findThreadByKey(db, cookies.get(CHAT_COOKIE));
        if (thread) await markSeen(db, thread.id, body.entry);
        return null;
      },
    }),
    call(END_CONVERSATION, {
      access: 'anyone',
      handle: async ({ cookies }) => {
        const thread = await findThreadByKey(db, cookies.get(CHAT_COOKIE));
        if (thread) await endConversation(db, thread.id);
        cookies.set(CHAT_COOKIE, '', 0);
        return null;
      },
    }),
  ];
}

/** What the visitor may read: the newest, without what has not left yet. */
async function readEntries(db: Db, thread: number): Promise<ChatEntry[]> {
  const rows = await db
    .selectFrom('entries')
    .select(['id', 'kind', 'text', 'author', 'at', 'seenAt'])
    .where('threadId', '=', thread)
    .where('kind', 'in', ['visitor', 'reply', 'staff'])
    .where('at', '<=', Date.now())
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_THREAD)
    .execute();
  return rows.toReversed().flatMap(({ id, kind, text, author, at, seenAt }) =>
    kind === 'visitor' || kind === 'reply' || kind === 'staff'
      ? {
          id,
          kind,
          text,
          author: author ?? '',
          at: isoTime(at),
          reference: kind === 'visitor' ? chatReference(id) : '',
          seen: seenAt !== null,
        }
      : [],
  );
}

/** Answers up to this entry have been shown. */
async function markSeen(db: Db, thread: number, entry: number): Promise<void> {
  const now = Date.now();
  await db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('entries')
      .set({ seenAt: now })
      .where('threadId', '=', thread)
      .where('kind', '=', 'staff')
      .where('seenAt', 'is', null)
      .where('at', '<=', (eb) =>
        eb
          .selectFrom('entries as last')
          .select('last.at')
          .where('last.id', '=', entry)
          .where('last.threadId', '=', thread)
          .where('last.at', '<=', now),
      )
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await changeThread(trx, thread);
  });
}

async function endConversation(db: Db, threadId: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await changeThread(trx, threadId, { keyHash: null, endedAt: Date.now() });
    await addEntry(trx, { threadId, kind: 'event', text: 'The visitor ended the conversation' });
  });
}
