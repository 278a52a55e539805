/** A chat message comes in: saved and notified of in one transaction, answered with when someone will be there. */
import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Company } from '../company/company.ts';
import type { Notify } from '../notify/outbox.server.ts';
import type { Tables } from '../platform/database/tables.server.ts';
import { type Call, call } from '../platform/http/call.server.ts';
import type { Limit } from '../platform/http/rate-limit.server.ts';
import { firstMark } from '../platform/spam.ts';
import { SEND_CHAT } from './chat-contracts.ts';
import { chatAnswer, chatMessage, chatReference } from './chat-message.ts';
import { chatReceived } from './chat-received.server.ts';
import { insertChatMessage } from './chat-store.server.ts';
import { firstAnswer } from './first-answer.server.ts';

const LIMIT: Limit = { name: 'chat', rules: [{ calls: 20, seconds: 60 }] };

interface Deps {
  db: Kysely<Tables>;
  notify: Notify;
  company: Company;
}

export function answerVisitor({ db, notify, company }: Deps): Call {
  return call(SEND_CHAT, {
    access: 'anyone',
    limit: LIMIT,
    body: chatMessage,
    answer: chatAnswer,
    handle: async ({ body, accept }) => {
      const { message, name, email } = body;
      const conversation = body.conversation ?? randomUUID();
      const createdAt = Date.now();
      const response = firstAnswer(body, company, createdAt);
      const id = await db.transaction().execute(async (trx) => {
        const mark = firstMark(body);
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
