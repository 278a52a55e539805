/** A chat message: its call, what may be sent, and the conversation as this tab keeps it. */
import * as z from 'zod/mini';
import { visitorDetails } from '../contact/visitor.ts';
import { contract } from '../platform/contract.ts';
import { emailField, INVALID_EMAIL, multiLine, singleLine } from '../platform/fields.ts';
import { fallback, list } from '../platform/schema.ts';

export const MAX_NAME = 100;
export const MAX_MESSAGE = 2_000;

export const chatMessage = z.strictObject({
  message: multiLine({ min: 1, max: MAX_MESSAGE, tooShort: 'Message is required' }),
  name: z.pipe(
    z.nullish(singleLine({ max: MAX_NAME })),
    z.transform((value) => value || null),
  ),
  email: z.pipe(
    z.nullish(z.union([z.literal(''), emailField()], INVALID_EMAIL)),
    z.transform((value) => value || null),
  ),
});

export type ChatMessage = z.output<typeof chatMessage>;

/**
 * A cookie says which conversation the message belongs to. An answer without any of the fields still means that the
 * message has arrived.
 */
export const SEND_CHAT = contract('POST /api/teams-chat', {
  body: chatMessage,
  answer: fallback(
    z.object({
      /** '' when the server gives none; the panel then shows a thank-you of its own. */
      response: fallback(z.string(), ''),
      /** Such as 'T-7'. */
      reference: fallback(z.string(), ''),
    }),
    { response: '', reference: '' },
  ),
});

/** The number under which a visitor, staff and emails refer to a chat message: 'T-12'. */
export function chatReference(id: number): string {
  return `T-${id}`;
}

/** The topic of the notifications about all messages of a conversation. */
export function chatTopic(conversation: string): string {
  return `conversation ${conversation}`;
}

const shownMessage = z.object({
  id: z.int(),
  content: z.string(),
  sender: z.enum(['agent', 'user']),
  /** Milliseconds since 1970, up to the last moment that a Date can hold. */
  timestamp: z.number().check(z.minimum(-8.64e15), z.maximum(8.64e15)),
  /** Such as 'T-7' for a visitor's message that has arrived; otherwise ''. */
  reference: fallback(z.string(), ''),
  failed: fallback(z.boolean(), false),
});

export type ShownMessage = z.output<typeof shownMessage>;

export const conversation = z.object({
  messages: list(shownMessage).check(z.minLength(1)),
  /** Who is writing, once that is known. */
  visitor: fallback(z.nullable(visitorDetails), null),
});

export type Conversation = z.output<typeof conversation>;
