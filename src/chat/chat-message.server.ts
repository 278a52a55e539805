/**
 * Receives a chat message: saves it and notifies in one transaction, and answers with the support hours. Staff get it in
 * Teams, and by email outside business hours or if Teams is not configured.
 */
import { sql } from 'kysely';
import * as z from 'zod/mini';
import {
  attributionOf,
  saveAttribution,
  type Visit,
} from '../attribution/attribution-store.server.ts';
import type { Company } from '../company/company.ts';
import { formatDateTime, nextOpening, openUntil } from '../company/hours.ts';
import { inquirySubject, spamWarning } from '../contact/contact.ts';
import { CHAT_CALLS, CHAT_SECONDS } from '../limits.ts';
import type { NotificationKind } from '../notifications/notification.server.ts';
import type { DbAndNotify } from '../notifications/outbox.server.ts';
import { selectForUpdate } from '../platform/database/queries.server.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { classifySpam } from '../platform/fields.ts';
import { refuse } from '../platform/http/answer.server.ts';
import { type Call, call } from '../platform/http/call.server.ts';
import { newToken, tokenHash } from '../platform/http/cookies.server.ts';
import { STAFF_PAGES } from '../routes.ts';
import type { ThreadMark } from '../threads/thread.ts';
import { addEntry, CHAT_COOKIE, changeThread } from '../threads/thread-store.server.ts';
import {
  CHAT_KEY,
  chatReference,
  isAnotherVisitor,
  type NewChatMessage,
  SEND_CHAT,
} from './chat.ts';
import { type ChatWords, fillIn } from './chat-words.ts';
import type { UsualAnswer } from './usual-answer.server.ts';

interface ChatContext extends DbAndNotify {
  company: Company;
  words: ChatWords;
  usual: Pick<UsualAnswer, 'minutes'>;
}

export function receiveChatMessage({ db, notify, company, words, usual }: ChatContext): Call {
  return call(SEND_CHAT, {
    access: 'anyone',
    limit: CHAT_CALLS,
    handle: async ({ body, cookies, headers, limitKey, storage, countTowardLimit }) => {
      const full = await storage.refusal('chats');
      if (full) return full;
      const at = Date.now();
      const response = automaticReply(words, body, company, at, usual.minutes());
      // A new key with each message: whoever planted the last one in this browser must not read what it writes.
      const key = newToken();
      const requestKey = z.uuid().safeParse(headers.get(CHAT_KEY)).data ?? null;
      const sent = await db.transaction().execute(async (trx) => {
        const repeated = requestKey && (await findRepeated(trx, requestKey));
        if (repeated) {
          if (repeated.text !== body.message) return refuse(409, OTHER_MESSAGE);
          await changeThread(trx, repeated.threadId, { keyHash: tokenHash(key) });
          return repeated;
        }
        const threadId = await saveThread(trx, body, { headers, cookies }, key, at);
        const message = { threadId, kind: 'visitor', text: body.message, at, requestKey } as const;
        const id = await addEntry(trx, message);
        await addEntry(trx, { threadId, kind: 'reply', text: response, at });
        await notify(trx, chatReceived, id, limitKey);
        await storage.count(trx, 'chats', { ...body, response });
        return { id, response };
      });
      countTowardLimit();
      if (sent instanceof Response) return sent;
      cookies.set(CHAT_COOKIE, key, CHAT_SECONDS);
      return { response: sent.response, reference: chatReference(sent.id) };
    },
  });
}

const OTHER_MESSAGE = 'This Idempotency-Key was used for another message';

/** The message that an earlier request saved, whose answer, with the cookie, did not arrive. */
async function findRepeated(trx: Db, requestKey: string) {
  return trx
    .selectFrom('entries as sent')
    .innerJoin('entries as reply', 'reply.threadId', 'sent.threadId')
    .select(['sent.id', 'sent.threadId', 'sent.text', 'reply.text as response'])
    .where('sent.requestKey', '=', requestKey)
    .where('sent.kind', '=', 'visitor')
    .where('reply.kind', '=', 'reply')
    .whereRef('reply.id', '>', 'sent.id')
    .orderBy('reply.id')
    .limit(1)
    .executeTakeFirst();
}

/** Continues the conversation of this browser or begins one, and returns its id. */
async function saveThread(
  trx: Db,
  { message, name, email }: NewChatMessage,
  visit: Visit,
  key: string,
  at: number,
): Promise<number> {
  const keyHash = tokenHash(key);
  const own = await lockOwnThread(trx, visit.cookies.get(CHAT_COOKIE));
  if (own && !isOfAnotherVisitor(own, { name, email })) {
    const person = { name: name ?? own.name, email: email ?? own.email };
    if (own.email && email && own.email !== email)
      await correctReplies(trx, own.id, own.email, email);
    const mark = markAfter(own.mark, message);
    await changeThread(trx, own.id, { ...person, mark, keyHash, lastAt: at });
    return own.id;
  }
  const mark = classifySpam(message);
  const { id } = await trx
    .insertInto('threads')
    .values({ kind: 'chat', name, email, mark, keyHash, createdAt: at, lastAt: at, changedAt: at })
    .returning('id')
    .executeTakeFirstOrThrow();
  await saveAttribution(trx, 'thread', id, visit);
  return id;
}

/** The address that somebody typed by mistake may be another person's: nothing of it stays. */
async function correctReplies(trx: Db, threadId: number, typed: string, email: string) {
  await trx
    .updateTable('entries')
    .set({ text: sql`replace(text, ${typed}, ${email})` })
    .where('threadId', '=', threadId)
    .where('kind', '=', 'reply')
    .execute();
}

async function lockOwnThread(trx: Db, key: string | undefined) {
  const keyHash = tokenHash(key);
  if (!keyHash) return undefined;
  const own = trx
    .selectFrom('threads')
    .select(['id', 'name', 'email', 'mark'])
    .where('keyHash', '=', keyHash);
  return selectForUpdate(own, trx).executeTakeFirst();
}

interface Person {
  name: string | null;
  email: string | null;
}

/** Never unless both have given name and email. */
function isOfAnotherVisitor(known: Person, { name, email }: Person): boolean {
  if (!known.name || !known.email || !name || !email) return false;
  return isAnotherVisitor({ name: known.name, email: known.email }, { name, email });
}

/** Someone whom staff have answered is no spammer, and what only looked like spam is read after an ordinary message. */
function markAfter(mark: ThreadMark, message: string): ThreadMark {
  if (mark === 'answered') return 'waiting';
  return mark === 'spam' ? classifySpam(message) : mark;
}

/**
 * Says whether the support desk is open or when it opens, in the company's time zone, and how the reply will come. `at` in
 * milliseconds. `usualMinutes`: how soon staff usually answer, if that can be promised.
 */
export function automaticReply(
  { reply }: ChatWords,
  { name, email }: Pick<NewChatMessage, 'name' | 'email'>,
  { hours, phone }: Pick<Company, 'hours' | 'phone'>,
  at: number,
  usualMinutes: number | null = null,
): string {
  const until = openUntil(hours, at);
  const soon = until && usualMinutes && fillIn(reply.usually, { minutes: String(usualMinutes) });
  return [
    name ? fillIn(reply.thanksByName, { name }) : reply.thanks,
    until
      ? fillIn(reply.open, { time: until })
      : fillIn(reply.closed, { time: openingInWords(hours, at) }),
    ...(soon ? [soon] : []),
    email ? fillIn(reply.byEmail, { email }) : fillIn(reply.noEmail, { phone: phone.display }),
  ].join(' ');
}

/** 'today at 8:30 AM ET', 'tomorrow at …', 'on Monday at …', 'on Monday, January 4, at …'. */
function openingInWords(hours: Company['hours'], at: number): string {
  const { daysAway, day, time } = nextOpening(hours, at);
  if (daysAway === 0) return `today at ${time}`;
  if (daysAway === 1) return `tomorrow at ${time}`;
  return `on ${day} at ${time}`;
}

export const chatReceived: NotificationKind<ReceivedMessage> = {
  kind: 'chat-received',
  label: 'Chat message',
  find: findChatMessage,
  reference: chatReference,
  topic: ({ threadId }) => `thread ${threadId}`,

  channels(_db, { at }, { hours, configured }) {
    // Without Teams, staff get an email at any hour.
    const seenInTeams = configured.includes('teams') && openUntil(hours, at);
    return seenInTeams ? ['teams'] : ['teams', 'mail-staff'];
  },

  event: {
    type: 'chat.received',
    async data({ id, threadId, name, email, text, mark }, { db, publicUrl }) {
      return {
        reference: chatReference(id),
        ...{ name, email, message: text },
        suspicious: mark === 'spam',
        source: (await attributionOf(db, 'thread', threadId)) ?? null,
        url: `${publicUrl}${STAFF_PAGES.inbox.path}?open=${threadId}`,
      };
    },
  },

  staffMessage({ id, threadId, name, email, mark, text, at }, { company, publicUrl }) {
    const number = chatReference(id);
    return {
      title: `New chat message ${number}`,
      ...spamWarning(mark === 'spam' ? mark : classifySpam(text)),
      facts: [
        ['Name', name ?? 'Not provided'],
        ['Email', email ?? 'Not provided'],
        ['Received', formatDateTime(company, at)],
      ],
      text,
      reply: email === null ? null : { name, email, subject: inquirySubject(company, number) },
      staffUrl: `${publicUrl}${STAFF_PAGES.inbox.path}?open=${threadId}`,
    };
  },
};

interface ReceivedMessage extends Person {
  mark: ThreadMark;
  id: number;
  threadId: number;
  text: string;
  at: number;
}

function findChatMessage(db: Db, id: number): Promise<ReceivedMessage | undefined> {
  return db
    .selectFrom('entries')
    .innerJoin('threads', 'threads.id', 'entries.threadId')
    .select(['entries.id', 'threadId', 'text', 'at', 'name', 'email', 'mark'])
    .where('entries.id', '=', id)
    .executeTakeFirst();
}
