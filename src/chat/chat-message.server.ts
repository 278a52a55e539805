/**
 * Receives a chat message: saves it and notifies in one transaction, and answers with the support hours. Staff get it in
 * Teams, and by email outside business hours or if Teams is not configured.
 */
import { randomUUID } from 'node:crypto';
import type { Generated } from 'kysely';
import * as z from 'zod/mini';
import type { Company } from '../company/company.ts';
import { formatDateTime, nextOpening, openUntil } from '../company/hours.ts';
import { inquirySubject, type Mark, spamWarning } from '../contact/contact.ts';
import { leadOf, saveLead } from '../leads/lead-store.server.ts';
import { CHAT_CALLS, CHAT_SECONDS } from '../limits.ts';
import type { NotificationKind } from '../notifications/notification.server.ts';
import type { DbAndNotify } from '../notifications/outbox.server.ts';
import type { Db, Row } from '../platform/database/tables.server.ts';
import { classifySpam } from '../platform/fields.ts';
import { type Call, call } from '../platform/http/call.server.ts';
import type { StorageBudget } from '../platform/message-limits.server.ts';
import { STAFF_PAGES } from '../routes.ts';
import { chatReference, isAnotherVisitor, type NewChatMessage, SEND_CHAT } from './chat.ts';
import { type ChatWords, fillIn } from './chat-words.ts';

/** Keeps a conversation to the browser that started it. */
const COOKIE = 'chat';

interface ChatContext extends DbAndNotify {
  company: Company;
  words: ChatWords;
  budget: StorageBudget;
}

export function receiveChatMessage({ db, notify, company, words, budget }: ChatContext): Call {
  return call(SEND_CHAT, {
    access: 'anyone',
    limit: CHAT_CALLS,
    handle: async ({ body, cookies, headers, limitKey, countTowardLimit }) => {
      const full = await budget.refusal();
      if (full) return full;
      const { message, name, email } = body;
      const lastConversation = z.uuid().safeParse(cookies.get(COOKIE)).data;
      const createdAt = Date.now();
      const response = automaticReply(words, body, company, createdAt);
      const { id, conversation } = await db.transaction().execute(async (trx) => {
        const isOwn =
          lastConversation !== undefined &&
          !(await isOfAnotherVisitor(trx, lastConversation, body));
        const conversation = isOwn ? lastConversation : randomUUID();
        const mark = classifySpam(message);
        const row = { conversation, name, email, message, response, mark, createdAt };
        const inserting = trx.insertInto('chatMessages').values(row).returning('id');
        const { id } = await inserting.executeTakeFirstOrThrow();
        if (!isOwn) await saveLead(trx, 'chat', id, { headers, cookies });
        await notify(trx, chatReceived, id, limitKey);
        await budget.count(trx, row);
        return { id, conversation };
      });
      countTowardLimit();
      cookies.set(COOKIE, conversation, CHAT_SECONDS);
      return { response, reference: chatReference(id) };
    },
  });
}

/** Whether the last person who gave name and email in the conversation is another than the sender. */
async function isOfAnotherVisitor(
  db: Db,
  conversation: string,
  { name, email }: NewChatMessage,
): Promise<boolean> {
  if (!name || !email) return false;
  const last = await db
    .selectFrom('chatMessages')
    .select(['name', 'email'])
    .where('conversation', '=', conversation)
    .where('name', 'is not', null)
    .where('email', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!last?.name || !last.email) return false;
  return isAnotherVisitor({ name: last.name, email: last.email }, { name, email });
}

/**
 * Says whether the support desk is open or when it opens, in the company's time zone, and how the reply will come. `at` in
 * milliseconds.
 */
export function automaticReply(
  { reply }: ChatWords,
  { name, email }: Pick<NewChatMessage, 'name' | 'email'>,
  { hours, phone }: Pick<Company, 'hours' | 'phone'>,
  at: number,
): string {
  const until = openUntil(hours, at);
  return [
    name ? fillIn(reply.thanksByName, { name }) : reply.thanks,
    until
      ? fillIn(reply.open, { time: until })
      : fillIn(reply.closed, { time: openingInWords(hours, at) }),
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

export const chatReceived: NotificationKind<ChatMessageRow> = {
  kind: 'chat-received',
  label: 'Chat message',
  find: findChatMessage,
  reference: chatReference,
  topic: ({ conversation }) => `conversation ${conversation}`,

  channels(_db, { createdAt }, { hours, configured }) {
    // Without Teams, staff get an email at any hour.
    const seenInTeams = configured.includes('teams') && openUntil(hours, createdAt);
    return seenInTeams ? ['teams'] : ['teams', 'mail-staff'];
  },

  event: {
    type: 'chat.received',
    async data({ id, name, email, message, mark }, { db, publicUrl }) {
      return {
        reference: chatReference(id),
        ...{ name, email, message },
        suspicious: mark === 'spam',
        source: (await leadOf(db, 'chat', id)) ?? null,
        url: `${publicUrl}${STAFF_PAGES.inbox.path}?list=conversations&open=${id}`,
      };
    },
  },

  staffMessage({ id, name, email, message, mark, createdAt }, { company, publicUrl }) {
    const number = chatReference(id);
    return {
      title: `New chat message ${number}`,
      ...spamWarning(mark),
      facts: [
        ['Name', name ?? 'Not provided'],
        ['Email', email ?? 'Not provided'],
        ['Received', formatDateTime(company, createdAt)],
      ],
      text: message,
      reply: email === null ? null : { name, email, subject: inquirySubject(company, number) },
      staffUrl: `${publicUrl}${STAFF_PAGES.inbox.path}?list=conversations&open=${id}`,
    };
  },
};

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    chatMessages: {
      id: Generated<number>;
      conversation: string;
      name: string | null;
      email: string | null;
      message: string;
      response: string;
      mark: Mark;
      createdAt: number;
    };
  }
}

type ChatMessageRow = Row<'chatMessages'>;

function findChatMessage(db: Db, id: number): Promise<ChatMessageRow | undefined> {
  return db.selectFrom('chatMessages').selectAll().where('id', '=', id).executeTakeFirst();
}
