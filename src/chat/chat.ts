/** A chat message, the conversation it belongs to, and what a tab stores of it. */
import * as z from 'zod/mini';
import { visitorDetails } from '../contact/visitor.ts';
import { MAX_CHAT_MESSAGE, MAX_CHAT_NAME } from '../limits.ts';
import { contract } from '../platform/contract.ts';
import {
  emailField,
  INVALID_EMAIL,
  multiLine,
  optionalField,
  singleLine,
} from '../platform/fields.ts';
import { fallback, list, rowId, text, textOrNull, timestamp } from '../platform/schema.ts';

const chatMessage = z.strictObject({
  message: multiLine({ min: 1, max: MAX_CHAT_MESSAGE, tooShort: 'Message is required' }),
  name: optionalField(singleLine({ max: MAX_CHAT_NAME })),
  email: optionalField(z.union([z.literal(''), emailField()], INVALID_EMAIL)),
});

export type NewChatMessage = z.output<typeof chatMessage>;

/** A cookie identifies the conversation. An answer without fields means that it has arrived. */
export const SEND_CHAT = contract('POST /api/teams-chat', {
  body: chatMessage,
  answer: z.object({
    /** '' if there is none, which is so within an hour of the last one. */
    response: z.pipe(
      z.nullish(z.string()),
      z.transform((response) => response ?? ''),
    ),
    /** For example 'T-7'. */
    reference: text,
  }),
});

/** A header with the browser's own id of each message: a repeated one is saved once. */
export const CHAT_KEY = 'Idempotency-Key';
/** A header that servers may ignore (RFC 7240): the same visitor has pressed 'Change'. */
export const CORRECTED = { Prefer: 'corrected' };

/** The number of a conversation as people see it: its first message's, for example 'T-12'. */
export function chatReference(id: number): string {
  return `T-${id}`;
}

/** As the visitor sees it. `author`: the colleague who answers; '' otherwise. */
const chatEntry = z.object({
  id: rowId,
  kind: z.enum(['visitor', 'reply', 'staff']),
  text: z.string(),
  author: text,
  at: timestamp,
  /** For example 'T-7' for a visitor's message; otherwise ''. */
  reference: text,
  /** The browser's own id of a visitor's message; otherwise ''. */
  key: text,
  seen: fallback(z.boolean(), false),
});
export type ChatEntry = z.output<typeof chatEntry>;

/** The newest entries of this browser's conversation, oldest first; without one, none. */
const chatConversation = z.object({
  id: fallback(z.nullable(rowId), null),
  entries: fallback(list(chatEntry), []),
  /** Whether there are earlier ones. */
  more: fallback(z.boolean(), false),
  name: textOrNull,
  email: textOrNull,
});
export type ChatConversation = z.output<typeof chatConversation>;
export const NO_CONVERSATION = chatConversation.parse({});

/** `?before=`: the id of an entry, for those before it. */
export const GET_CONVERSATION = contract('GET /api/chat/conversation', {
  answer: chatConversation,
});
/** Forgets the conversation in this browser; staff read that it has ended. */
export const END_CONVERSATION = contract('POST /api/chat/end', { answer: z.null() });
/** The panel has shown everything up to this entry. */
export const CONVERSATION_SEEN = contract('POST /api/chat/seen', {
  body: z.strictObject({ entry: rowId }),
  answer: z.null(),
});
/** Server-sent events named 'conversation': something in this browser's conversation is new. */
export const CHAT_EVENTS = contract('GET /api/chat/events');

/** A message that this tab has sent, until the server's conversation has it. */
const sentMessage = z.object({
  key: z.string(),
  text: z.string(),
  at: timestamp,
  /** For example 'T-7' once it has arrived, if the server gives numbers. */
  reference: text,
  reply: text,
  state: z.enum(['sending', 'failed', 'arrived']),
});
export type SentMessage = z.output<typeof sentMessage>;

export const tabChat = z.object({
  draft: text,
  sent: fallback(list(sentMessage), []),
  /** Who writes, until the server's conversation says so. */
  visitor: fallback(z.nullable(visitorDetails), null),
});
export type TabChat = z.output<typeof tabChat>;
