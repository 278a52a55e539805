/** The conversation of the browser that calls: its entries, what is new, what was seen, its end. */

import type { ExpressionBuilder } from 'kysely';
import { CONVERSATION_BYTES, CONVERSATION_CALLS, CONVERSATION_ENTRIES } from '../limits.ts';
import { selectForUpdate } from '../platform/database/queries.server.ts';
import type { Db, Row, Tables } from '../platform/database/tables.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import { type Call, call, readId } from '../platform/http/call.server.ts';
import type { Cookies } from '../platform/http/cookies.server.ts';
import { isoTime } from '../platform/time.ts';
import type { Site } from '../site.server.ts';
import { accountNames } from '../staff/account-store.server.ts';
import {
  addEntry,
  CHAT_COOKIE,
  changeThread,
  firstMessageId,
  selectThreadByKey,
} from '../threads/thread-store.server.ts';
import { replyInWords } from './automatic-reply.server.ts';
import {
  CHAT_EVENTS,
  type ChatConversation,
  type ChatEntry,
  CONVERSATION_SEEN,
  chatReference,
  END_CONVERSATION,
  GET_CONVERSATION,
  NO_CONVERSATION,
} from './chat.ts';

export function conversationCalls(site: Site): Call[] {
  const { db, events } = site;
  const findOpen = (cookies: Cookies) =>
    selectThreadByKey(db, cookies.get(CHAT_COOKIE)).where('endedAt', 'is', null).executeTakeFirst();
  return [
    call(
      GET_CONVERSATION,
      { access: 'anyone', limit: CONVERSATION_CALLS, ownPagesOnly: true },
      async ({ cookies, query }) => {
        const thread = await findOpen(cookies);
        if (!thread) return NO_CONVERSATION;
        events.markWatched(thread.id);
        return readConversation(site, thread, readId(query.get('before') ?? ''));
      },
    ),
    call(
      CHAT_EVENTS,
      { access: 'anyone', ownPagesOnly: true },
      async ({ cookies, context, address }) => {
        const thread = await findOpen(cookies);
        if (!thread?.keyHash) return refuse(404, 'This browser has no conversation');
        return events.listen(context, { address, thread: thread.id, hash: thread.keyHash });
      },
    ),
    call(CONVERSATION_SEEN, 'anyone', async ({ body, cookies }) => {
      const thread = await findOpen(cookies);
      if (thread) await markSeen(db, thread.id, body.entry);
      return null;
    }),
    call(END_CONVERSATION, 'anyone', async ({ cookies }) => {
      const thread = await findOpen(cookies);
      if (thread) await endConversation(db, thread.id);
      cookies.set(CHAT_COOKIE, '', 0);
      return null;
    }),
  ];
}

/** What the visitor may read: the newest entries, or those before one, once they have left. */
async function readConversation(
  site: Site,
  thread: Row<'threads'>,
  before: number | undefined,
): Promise<ChatConversation> {
  const { id, name, email } = thread;
  const visible = site.db
    .selectFrom('entries')
    .selectAll()
    .where('threadId', '=', id)
    .where('kind', 'in', ['visitor', 'reply', 'staff'])
    // An email of theirs may be a picture alone.
    .where(({ eb, or }) => or([eb('kind', '=', 'reply'), eb('text', '!=', '')]))
    .where('at', '<=', Date.now());
  const end = before && (await visible.where('id', '=', before).executeTakeFirst());
  const earlier = end
    ? visible.where(({ eb, or, and }) =>
        or([eb('at', '<', end.at), and([eb('at', '=', end.at), eb('id', '<', end.id)])]),
      )
    : visible;
  const newestFirst = await earlier
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(CONVERSATION_ENTRIES + 1)
    .execute();
  const authors = newestFirst.map(({ authorId }) => authorId);
  const names = await accountNames(site.db, authors);
  const reference = chatReference(await firstMessageId(site.db, id));
  const entries: ChatEntry[] = [];
  let bytes = 0;
  for (const row of newestFirst.slice(0, CONVERSATION_ENTRIES)) {
    const entry = entryJson(site, thread, row, {
      author: names.publicName(row.authorId),
      reference,
    });
    bytes += Buffer.byteLength(JSON.stringify(entry)) + 1;
    if (bytes > CONVERSATION_BYTES - REST_BYTES) break;
    entries.unshift(entry);
  }
  return { id, entries, more: entries.length < newestFirst.length, name, email };
}

/** Room for the rest of the answer. */
const REST_BYTES = 2_048;

/** `author`: as visitors read it. */
function entryJson(
  site: Site,
  thread: Row<'threads'>,
  row: Row<'entries'>,
  { author, reference }: Pick<ChatEntry, 'author' | 'reference'>,
): ChatEntry {
  const { id, kind, text, data, at, seenAt, requestKey } = row;
  const isReply = kind === 'reply';
  const isMessage = kind === 'visitor';
  return {
    id,
    kind: isReply || isMessage ? kind : 'staff',
    text: isReply ? replyInWords(site, data, thread) : text,
    author,
    at: isoTime(at),
    reference: isMessage ? reference : '',
    key: (isMessage && requestKey) || '',
    seen: seenAt !== null,
  };
}

/** Answers up to this entry have been shown. */
async function markSeen(db: Db, thread: number, entry: number): Promise<void> {
  const now = Date.now();
  const isUnseen = ({ eb, and, selectFrom }: ExpressionBuilder<Tables, 'entries'>) =>
    and([
      eb('threadId', '=', thread),
      eb('kind', '=', 'staff'),
      eb('seenAt', 'is', null),
      eb(
        'at',
        '<=',
        selectFrom('entries as last')
          .select('last.at')
          .where('last.id', '=', entry)
          .where('last.threadId', '=', thread)
          .where('last.at', '<=', now),
      ),
    ]);
  // Another tab may have said so: what changes nothing takes no lock.
  if (!(await db.selectFrom('entries').select('id').where(isUnseen).executeTakeFirst())) return;
  await db.transaction().execute(async (trx) => {
    // Before its entries, as all others do.
    await lockThread(trx, thread);
    const seen = trx.updateTable('entries').set({ seenAt: now }).where(isUnseen);
    const { numUpdatedRows } = await seen.executeTakeFirst();
    if (numUpdatedRows > 0n) await changeThread(trx, thread);
  });
}

async function endConversation(db: Db, threadId: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // Another tab may have ended it, or staff erased it.
    const thread = await lockThread(trx, threadId);
    if (thread?.endedAt !== null) return;
    await changeThread(trx, threadId, { endedAt: Date.now(), watchedAt: null });
    await addEntry(trx, { threadId, kind: 'ended' });
  });
}

function lockThread(trx: Db, id: number): Promise<Pick<Row<'threads'>, 'endedAt'> | undefined> {
  const thread = trx.selectFrom('threads').select('endedAt').where('id', '=', id);
  return selectForUpdate(thread, trx).executeTakeFirst();
}
