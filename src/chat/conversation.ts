/** The conversation of this tab: it outlives moves between pages and a reload, and ends with the tab. */
import * as z from 'zod/mini';
import { readVisitor, type VisitorDetails } from '../contact/contact-fields.ts';
import { recall, remember } from '../platform/browser/session-storage.ts';
import { fields, flag, list, number, oneOf, or, type Reader, text } from '../platform/old/read.ts';

export interface Message {
  id: number;
  content: string;
  sender: 'agent' | 'user';
  /** Milliseconds since 1970. */
  timestamp: number;
  /** Of a visitor's message that has arrived, such as 'T-7'. */
  reference?: string;
  failed?: boolean;
}

export interface Conversation {
  /** The server's name for it, known from the first answer on. */
  id: string | null;
  messages: readonly Message[];
  /** Who writes, once it has been asked. */
  visitor: VisitorDetails | null;
}

/** Any other name would be refused with each further message. */
export const conversationId: Reader<string> = (value) => z.uuid().safeParse(value).data;

/** The times that a clock can show end 8.64e15 ms from 1970. */
const moment: Reader<number> = (value) => {
  const at = number(value);
  return at === undefined || Number.isNaN(new Date(at).getTime()) ? undefined : at;
};

const readConversation = fields<Conversation>({
  id: or(conversationId, null),
  messages: list(
    fields<Message>({
      id: number,
      content: text,
      sender: oneOf(['agent', 'user']),
      timestamp: moment,
      reference: or(text, ''),
      failed: or(flag, false),
    }),
  ),
  visitor: or(readVisitor, null),
});

const KEY = 'chat';
const GREETING = 'Hello! How can I help you with your IT needs today?';

export function recallConversation(): Conversation {
  const greeted = { id: null, messages: [message(0, 'agent', GREETING)], visitor: null };
  const kept = recall(KEY, readConversation);
  return kept && kept.messages.length > 0 ? kept : greeted;
}

export function keepConversation(conversation: Conversation): void {
  remember(KEY, conversation);
}

export function withMessage(
  conversation: Conversation,
  sender: Message['sender'],
  content: string,
): Conversation {
  const { messages } = conversation;
  const next = Math.max(...messages.map((each) => each.id), -1) + 1;
  return { ...conversation, messages: [...messages, message(next, sender, content)] };
}

/** The visitor's last message, told what became of it. */
export function withOutcome(
  conversation: Conversation,
  outcome: Pick<Message, 'reference' | 'failed'>,
): Conversation {
  const { messages } = conversation;
  const last = messages.findLastIndex(({ sender }) => sender === 'user');
  return {
    ...conversation,
    messages: messages.map((each, index) => (index === last ? { ...each, ...outcome } : each)),
  };
}

function message(id: number, sender: Message['sender'], content: string): Message {
  return { id, sender, content, timestamp: Date.now() };
}
