/** A contact message comes in: saved and notified of in one transaction, answered with its reference. */

import type { Kysely } from 'kysely';
import type { Notify } from '../notify/outbox.server.ts';
import type { Tables } from '../platform/database/tables.server.ts';
import { type Call, call } from '../platform/http/call.server.ts';
import type { Limit } from '../platform/http/rate-limit.server.ts';
import { firstMark } from '../platform/spam.ts';
import { contactAnswer, contactMessage, SEND_CONTACT } from './contact-message.ts';
import { contactReceived } from './contact-received.server.ts';
import { contactReference } from './contact-reference.ts';
import { insertSubmission, toJson } from './contact-store.server.ts';

const LIMIT: Limit = {
  name: 'contact',
  rules: [
    { calls: 5, seconds: 60 },
    { calls: 30, seconds: 60 * 60 },
  ],
};

export function receiveMessage({ db, notify }: { db: Kysely<Tables>; notify: Notify }): Call {
  return call(SEND_CONTACT, {
    access: 'anyone',
    limit: LIMIT,
    body: contactMessage,
    answer: contactAnswer,
    handle: async ({ body, accept }) => {
      const { website: _, fillMs: __, ...message } = body;
      const saved = await db.transaction().execute(async (trx) => {
        const submission = await insertSubmission(trx, {
          ...message,
          mark: firstMark(body),
          createdAt: Date.now(),
        });
        await notify(trx, contactReceived, submission.id);
        return submission;
      });
      accept();
      return { contact: toJson(saved), reference: contactReference(saved.id) };
    },
  });
}
