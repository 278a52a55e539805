/** A chat message and who sends it: what is allowed, what is sent, what comes back. */
import * as z from 'zod/mini';
import { emailField, INVALID_EMAIL, multiLine, singleLine } from '../platform/fields.ts';

export const MAX_NAME = 100;
export const MAX_MESSAGE = 2_000;

const optionalName = singleLine({ max: MAX_NAME });

/** `conversation` is what the answer to an earlier message said. */
export const chatMessage = z.strictObject({
  message: multiLine({ min: 1, max: MAX_MESSAGE, tooShort: 'Message is required' }),
  name: z.pipe(
    z.nullish(optionalName),
    z.transform((value) => value || null),
  ),
  email: z.pipe(
    z.nullish(z.union([z.literal(''), emailField()], INVALID_EMAIL)),
    z.transform((value) => value || null),
  ),
  conversation: z.nullish(z.uuid()),
});

export type ChatMessage = z.infer<typeof chatMessage>;

export const chatAnswer = z.strictObject({
  response: z.string(),
  /** Such as 'T-7'. */
  reference: z.string(),
  conversation: z.uuid(),
});

/** The number under which a visitor, staff and emails speak of a chat message: 'T-12'. */
export function chatReference(id: number): string {
  return `T-${id}`;
}

/** The topic of its notifications, which is that of its whole conversation. */
export function chatTopic(conversation: string): string {
  return `conversation ${conversation}`;
}
