/** Saves a chat message, notifies staff by Teams or email, and answers automatically. */

import { createHmac } from 'node:crypto';
import {
  attributionOf,
  saveAttribution,
  type Visit,
} from '../attribution/attribution-store.server.ts';
import { formatDateTime } from '../company/days.ts';
import { openUntil } from '../company/hours.ts';
import { inquirySubject, spamWarning } from '../contact/contact.ts';
import { CHAT_CALLS, CHAT_SECONDS, MAX_CHAT_MESSAGES } from '../limits.ts';
import { refuseWhenFull } from '../notifications/low-disk.server.ts';
import type { NotificationKind } from '../notifications/notification.server.ts';
import { selectForUpdate, signingKey } from '../platform/database/queries.server.ts';
import type { Db, Row } from '../platform/database/tables.server.ts';
import { classifySpam } from '../platform/fields.ts';
import { refuse } from '../platform/http/answer.server.ts';
import { type Call, call } from '../platform/http/call.server.ts';
import { newToken, tokenHash } from '../platform/http/cookies.server.ts';
import { MINUTE_MS } from '../platform/time.ts';
import { recordPath } from '../routes.ts';
import type { Site } from '../site.server.ts';
import type { ThreadStatus } from '../threads/thread.ts';
import {
  addEntry,
  beginThread,
  CHAT_COOKIE,
  changeThread,
  firstMessageId,
  selectThreadByKey,
  visitorMessages,
  waitsAgain,
} from '../threads/thread-store.server.ts';
import { isReplyDue, replyAt, replyInWords } from './automatic-reply.server.ts';
import { CHAT_KEY, CORRECTED, chatReference, type NewChatMessage, SEND_CHAT } from './chat.ts';

interface Message extends Visit {
  body: NewChatMessage;
  /** Chosen by the browser for each message; null if it sent none. */
  requestKey: string | null;
  secret: string;
}

interface Sent {
  /** Of the entry. */
  id: number;
  threadId: number;
  response: string;
  /** The browser's key to the conversation; '' for none, undefined to leave it as it is. */
  key: string | undefined;
}

export function receiveChatMessage(site: Site): Call {
  const { db, notify } = site;
  return call(
    SEND_CHAT,
    { access: 'anyone', limit: CHAT_CALLS },
    async ({ body, cookies, headers, countAsRepeat }) => {
      const full = await refuseWhenFull(site);
      if (full) return full;
      const requestKey = REQUEST_KEY.exec(headers.get(CHAT_KEY) ?? '')?.[0] ?? null;
      const message = { body, headers, cookies, requestKey, secret: await signingKey(db, 'chat') };
      const sent = await db.transaction().execute(async (trx) => {
        const repeated = await answerAgain(trx, site, message);
        if (repeated && !(repeated instanceof Response)) countAsRepeat();
        if (repeated) return repeated;
        const saved = await saveMessage(trx, site, message);
        // Another request with its key has saved it meanwhile.
        if (!saved) return answerAgain(trx, site, message);
        await notify(trx, chatReceived, saved.id);
        return saved;
      });
      if (!sent || sent instanceof Response) return sent ?? refuse(409, OTHER_MESSAGE);
      const { threadId, response, key } = sent;
      if (key !== undefined) cookies.set(CHAT_COOKIE, key, key ? CHAT_SECONDS : 0);
      return { response, reference: chatReference(await firstMessageId(db, threadId)) };
    },
  );
}

const REQUEST_KEY = /^[\x21-\x7e]{1,255}$/;
const OTHER_MESSAGE = 'This Idempotency-Key was used for another message';

/** The answer to a repeated message; with the conversation's key only if it is alone in it. */
async function answerAgain(
  trx: Db,
  site: Site,
  { body, requestKey, secret, cookies }: Message,
): Promise<Sent | Response | undefined> {
  if (requestKey === null) return undefined;
  const saved = await trx
    .selectFrom('entries')
    .innerJoin('threads', 'threads.id', 'entries.threadId')
    .select(['entries.id', 'entries.kind', 'text', 'at', 'threadId', 'name', 'email'])
    .select(['endedAt', 'keyHash'])
    .where('requestKey', '=', requestKey)
    .executeTakeFirst();
  if (!saved) return undefined;
  if (saved.kind !== 'visitor' || saved.text !== body.message) return refuse(409, OTHER_MESSAGE);
  const { id, threadId, at } = saved;
  const others = trx
    .selectFrom('entries')
    .select('data')
    .where('threadId', '=', threadId)
    .where('id', '!=', id);
  const reply = await others.where('kind', '=', 'reply').where('at', '=', at).executeTakeFirst();
  const isAlone = (await others.limit(2).execute()).length === (reply ? 1 : 0);
  // Its browser did not get the answer, and asks again soon.
  const isFirst = isAlone && saved.endedAt === null && Date.now() < at + 5 * MINUTE_MS;
  const mayRead = saved.keyHash === tokenHash(cookies.get(CHAT_COOKIE));
  return {
    id,
    threadId,
    // Others may have written their name and address since.
    response: reply ? replyInWords(site, reply.data, mayRead ? saved : body) : '',
    key: isFirst ? keyOf(secret, threadId, requestKey) : undefined,
  };
}

/** The key of a conversation, which does not change. */
function keyOf(secret: string, threadId: number, requestKey: string | null): string {
  if (requestKey === null) return newToken();
  return createHmac('sha256', secret).update(`${threadId} ${requestKey}`).digest('base64url');
}

/** Returns undefined if another request with its key was faster. */
async function saveMessage(trx: Db, site: Site, message: Message): Promise<Sent | undefined> {
  const { body, requestKey, secret, cookies } = message;
  const at = Date.now();
  const query = selectThreadByKey(trx, cookies.get(CHAT_COOKIE));
  const known = await selectForUpdate(query, trx).executeTakeFirst();
  const own = known && (await continues(trx, known, message)) ? known : undefined;
  const { message: text, name, email } = body;
  const begun = { kind: 'chat', name, email, status: classifySpam(text) } as const;
  const threadId = own?.id ?? (await beginThread(trx, begun, at));
  const entry = { threadId, kind: 'visitor', text, at, requestKey } as const;
  const id = await addEntry(trx, entry);
  if (id === undefined) {
    if (!own) await trx.deleteFrom('threads').where('id', '=', threadId).execute();
    return undefined;
  }
  let key = cookies.get(CHAT_COOKIE);
  if (own) {
    await continueThread(trx, own, body, at);
  } else if (known?.endedAt && at < known.endedAt + MINUTE_MS) {
    // It was under way when the conversation ended: staff have it, and the browser has nothing.
    key = '';
    await changeThread(trx, threadId, { endedAt: at });
  } else {
    key = keyOf(secret, threadId, requestKey);
    await changeThread(trx, threadId, { keyHash: tokenHash(key) });
  }
  if (!own) await saveAttribution(trx, 'thread', threadId, message);
  if (!(await isReplyDue(trx, threadId))) return { id, threadId, response: '', key };
  const { company, firstAnswers, mail } = site;
  const data = JSON.stringify(replyAt(company, at, firstAnswers.current(), mail));
  await addEntry(trx, { threadId, kind: 'reply', data, at });
  const person = { name: name ?? own?.name ?? null, email: email ?? own?.email ?? null };
  return { id, threadId, response: replyInWords(site, data, person), key };
}

/** Whether the message belongs to the conversation, and does not begin another. */
async function continues(
  trx: Db,
  known: Row<'threads'>,
  { body, headers }: Message,
): Promise<boolean> {
  if (known.endedAt !== null || isOfAnother(known, body, headers)) return false;
  const last = (await visitorMessages(trx, [known.id])).get(known.id);
  if (!last || last.messages < MAX_CHAT_MESSAGES) return true;
  await addEntry(trx, { threadId: known.id, kind: 'full' });
  // Its key opens nothing more: what another tab sends under it begins a conversation, too.
  await changeThread(trx, known.id, { endedAt: Date.now(), keyHash: null });
  return false;
}

/** On a shared computer the next person has another address. One of both may be corrected. */
function isOfAnother(
  known: Row<'threads'>,
  { name, email }: NewChatMessage,
  headers: Headers,
): boolean {
  const differ = (one: string | null, other: string | null) =>
    one?.toLowerCase() !== other?.toLowerCase();
  if (known.email === null || email === null || !differ(known.email, email)) return false;
  return headers.get('prefer') !== CORRECTED.Prefer || differ(known.name, name);
}

async function continueThread(
  trx: Db,
  known: Row<'threads'>,
  { message, name, email }: NewChatMessage,
  at: number,
): Promise<void> {
  const person = { name: name ?? known.name, email: email ?? known.email };
  if (person.email !== known.email)
    await addEntry(trx, { threadId: known.id, kind: 'address-changed', at });
  await changeThread(trx, known.id, { ...person, ...waitsAgain(known, message, at) });
}

export const chatReceived: NotificationKind<ReceivedMessage> = {
  kind: 'chat-received',
  label: 'Chat message',
  find: findChatMessage,
  reference: chatReference,
  topic: ({ threadId }) => `thread ${threadId}`,

  audiences: () => ['staff'],

  isSeenAtOnce: ({ at }, hours) => openUntil(hours, at) !== undefined,

  event: {
    type: 'chat.received',
    async data({ first, threadId, name, email, text, status }, { db, publicUrl }) {
      return {
        reference: chatReference(first),
        ...{ name, email, message: text },
        suspicious: status === 'spam',
        source: (await attributionOf(db, 'thread', threadId)) ?? null,
        url: `${publicUrl}${recordPath('inbox', threadId)}`,
      };
    },
  },

  staffMessage({ first, threadId, name, email, status, text, at }, { company, publicUrl }) {
    const number = chatReference(first);
    return {
      title: `New chat message ${number}`,
      ...spamWarning(status === 'spam' ? status : classifySpam(text)),
      facts: [
        ['Name', name ?? 'Not provided'],
        ['Email', email ?? 'Not provided'],
        ['Received', formatDateTime(company, at)],
      ],
      text,
      reply: email === null ? null : { name, email, subject: inquirySubject(company, number) },
      staffUrl: `${publicUrl}${recordPath('inbox', threadId)}`,
    };
  },
};

interface ReceivedMessage extends Pick<Row<'threads'>, 'name' | 'email'> {
  status: ThreadStatus;
  /** The id of the conversation's first message. */
  first: number;
  threadId: number;
  text: string;
  at: number;
}

async function findChatMessage(db: Db, id: number): Promise<ReceivedMessage | undefined> {
  const message = await db
    .selectFrom('entries')
    .innerJoin('threads', 'threads.id', 'entries.threadId')
    .select(['threadId', 'text', 'at', 'name', 'email', 'status'])
    .where('entries.id', '=', id)
    .executeTakeFirst();
  return message && { ...message, first: await firstMessageId(db, message.threadId) };
}
