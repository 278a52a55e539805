/**
 * A chat message comes in: saved and notified of in one transaction, and answered with when someone will be there. Staff
 * read it in Teams, and by email when nobody is at the desk to see it there.
 */
import { randomUUID } from 'node:crypto';
import type { Generated, Kysely } from 'kysely';
import { isOpen } from '../company/business-hours.ts';
import type { Company } from '../company/company.ts';
import { momentIn } from '../company/company-time.ts';
import { inquirySubject, suspicion } from '../contact/contact-message.ts';
import type { NotificationKind } from '../notifications/notification.server.ts';
import type { Notify } from '../notifications/outbox.server.ts';
import type { NewRow, Row, Tables } from '../platform/database/tables.server.ts';
import { classifySpam } from '../platform/fields.ts';
import { type Call, oldCall } from '../platform/http/call.server.ts';
import type { MessageBudget } from '../platform/http/message-budget.server.ts';
import type { Limit } from '../platform/http/rate-limit.server.ts';
import { STAFF_PAGES } from '../staff/staff-pages.ts';
import { SEND_CHAT } from './chat-contracts.ts';
import { chatAnswer, chatMessage, chatReference, chatTopic } from './chat-message.ts';
import { firstAnswer } from './first-answer.server.ts';

const LIMIT: Limit = {
  name: 'chat',
  rules: [
    { calls: 20, seconds: 60 },
    { calls: 100, seconds: 60 * 60 },
  ],
};

interface Deps {
  db: Kysely<Tables>;
  notify: Notify;
  company: Company;
  budget: MessageBudget;
}

export function answerVisitor({ db, notify, company, budget }: Deps): Call {
  return oldCall(SEND_CHAT, {
    access: 'anyone',
    limit: LIMIT,
    body: chatMessage,
    answer: chatAnswer,
    handle: async ({ body, accept }) => {
      const refusal = budget.take(body);
      if (refusal) return refusal;
      const { message, name, email } = body;
      const conversation = body.conversation ?? randomUUID();
      const createdAt = Date.now();
      const response = firstAnswer(body, company, createdAt);
      const id = await db.transaction().execute(async (trx) => {
        const mark = classifySpam(message);
        const row = { conversation, name, email, message, response, mark, createdAt };
        const chatMessageId = await insertChatMessage(trx, row);
        await notify(trx, chatReceived, chatMessageId);
        return chatMessageId;
      });
      accept();
      return { response, reference: chatReference(id), conversation };
    },
  });
}

export const chatReceived: NotificationKind<ChatMessage> = {
  kind: 'chat-received',
  about: 'chatMessageId',
  find: findChatMessage,
  reference: chatReference,
  topic: ({ conversation }) => chatTopic(conversation),

  channels(_db, { createdAt }, { hours, configured }) {
    // A site without Teams has nothing but the email, whatever the hour.
    const seenInTeams = configured.includes('teams') && isOpen(hours, createdAt);
    return ['teams', ...(seenInTeams ? [] : (['mail-staff'] as const))];
  },

  staffMessage({ id, name, email, message, mark, createdAt }, { company, publicUrl }) {
    const number = chatReference(id);
    return {
      title: `New chat message ${number}`,
      ...suspicion(mark),
      facts: [
        ['Name', name ?? 'Not provided'],
        ['Email', email ?? 'Not provided'],
        ['Received', momentIn(company, createdAt)],
      ],
      text: message,
      lines: [],
      reply: email === null ? null : { name, email, subject: inquirySubject(company, number) },
      staffUrl: `${publicUrl}${STAFF_PAGES.inbox.path}?list=conversations&open=${id}`,
    };
  },
};

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    chatMessages: ChatMessageTable;
  }
}

interface ChatMessageTable {
  id: Generated<number>;
  conversation: string;
  name: string | null;
  email: string | null;
  message: string;
  response: string;
  mark: string;
  createdAt: number;
}

export type ChatMessage = Row<'chatMessages'>;

/** Gives the new message's id. */
export async function insertChatMessage(
  trx: Kysely<Tables>,
  message: NewRow<'chatMessages'>,
): Promise<number> {
  const { id } = await trx
    .insertInto('chatMessages')
    .values(message)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export function findChatMessage(db: Kysely<Tables>, id: number): Promise<ChatMessage | undefined> {
  return db.selectFrom('chatMessages').selectAll().where('id', '=', id).executeTakeFirst();
}
