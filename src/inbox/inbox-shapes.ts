/** What travels of the inbox: the bodies and answers of its calls. */
import * as z from 'zod/mini';
import { contactJson } from '../contact/contact-message.ts';
import { count, moment, rowId } from '../platform/json-shapes.ts';
import { MARKS } from './inbox.ts';

export const markRequest = z.strictObject({ mark: z.enum(MARKS) });

/** A contact message, with what the visitor was told to mention. */
export const submission = z.extend(contactJson, { reference: z.string(), mark: z.enum(MARKS) });

export type ContactSubmission = z.output<typeof submission>;

/** A conversation by its newest message, and who wrote it. */
export const conversation = z.strictObject({
  /** The id of its first message. */
  id: rowId,
  /** Its newest message's. */
  reference: z.string(),
  name: z.nullable(z.string()),
  email: z.nullable(z.string()),
  messages: rowId,
  lastMessage: z.string(),
  mark: z.enum(MARKS),
  lastAt: moment,
});

export type Conversation = z.output<typeof conversation>;

const conversationMessage = z.strictObject({
  id: rowId,
  reference: z.string(),
  message: z.string(),
  /** What the site answered at once. */
  response: z.string(),
  at: moment,
});

export type ConversationMessage = z.output<typeof conversationMessage>;

/** Oldest message first. */
export const wholeConversation = z.extend(conversation, { thread: z.array(conversationMessage) });

export type WholeConversation = z.output<typeof wholeConversation>;

export const submissions = z.array(submission);

export const conversations = z.array(conversation);

/** How many rows of each mark a search finds. */
const markCounts = z.strictObject({ new: count, answered: count, spam: count });

export type MarkCounts = z.output<typeof markCounts>;

export const inboxCounts = z.strictObject({ contacts: markCounts, conversations: markCounts });

export type InboxCounts = z.output<typeof inboxCounts>;
