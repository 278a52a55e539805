/** A contact message comes in: saved and told in one transaction, answered with its reference. */
import type { Kysely } from 'kysely';
import type { Tell } from '../notify/outbox.server.ts';
import { reference } from '../notify/reference.ts';
import { answer } from '../platform/answer.server.ts';
import { type AnyCall, call } from '../platform/call.server.ts';
import type { Limit } from '../platform/rate-limit.server.ts';
import { firstMark } from '../platform/spam.ts';
import type { Tables } from '../platform/tables.server.ts';
import { type ContactReceived, contactMessage } from './contact-message.ts';
import { contactJson, insertSubmission } from './contact-store.server.ts';

const LIMIT: Limit = {
  name: 'contact',
  rules: [
    { calls: 5, seconds: 60 },
    { calls: 30, seconds: 60 * 60 },
  ],
};

export function receiveMessage({ db, tell }: { db: Kysely<Tables>; tell: Tell }): AnyCall {
  return call({
    method: 'POST',
    path: '/api/contact',
    access: 'anyone',
    limit: LIMIT,
    body: contactMessage,
    answer: async ({ body, accept }) => {
      const { website: _, fillMs: __, ...message } = body;
      const saved = await db.transaction().execute(async (trx) => {
        const submission = await insertSubmission(trx, {
          ...message,
          mark: firstMark(body),
          createdAt: Date.now(),
        });
        await tell(trx, { kind: 'contact-received', submissionId: submission.id });
        return submission;
      });
      accept();
      return answer({
        contact: contactJson(saved),
        reference: reference('contact', saved.id),
      } satisfies ContactReceived);
    },
  });
}
