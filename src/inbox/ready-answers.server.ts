/** Texts for an answer: content/answers.json, with the names and the hours filled in. */

import * as z from 'zod/mini';
import { fillIn, sentence } from '../chat/chat-words.ts';
import { openingHours } from '../company/hours.ts';
import { firstName } from '../platform/fields.ts';
import { type Call, call, readId } from '../platform/http/call.server.ts';
import { line } from '../platform/schema.ts';
import type { Site } from '../site.server.ts';
import { findThread } from '../threads/thread-store.server.ts';
import { LIST_ANSWERS } from './inbox-api.ts';

export const answersSchema = z.array(
  z.strictObject({ title: line(), text: sentence('name', 'firstName', 'staff', 'hours') }),
);

export function readyAnswersCall({ db, company, content: { answers } }: Site): Call {
  const hours = openingHours(company.hours);
  return call(LIST_ANSWERS, 'staff', async ({ query, staff }) => {
    const thread = await findThread(db, readId(query.get('thread') ?? '') ?? 0);
    const values = {
      staff: staff.publicName ?? company.supportName,
      hours,
      name: thread?.name ?? '',
      firstName: firstName(thread?.name ?? ''),
    };
    // A name that is not known goes with what joins it to the sentence.
    const fill = (text: string) =>
      fillIn(values.name ? text : text.replace(/,? \{(name|firstName)\}/g, ''), values);
    return answers.map(({ title, text }) => ({ title, text: fill(text) }));
  });
}
