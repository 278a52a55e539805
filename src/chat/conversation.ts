/** The conversation of this tab: it outlives moves between pages and a reload, and ends with the tab. */
import { recall, remember } from '../platform/tab-memory.ts';

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
}

const KEY = 'chat';
const GREETING = 'Hello! How can I help you with your IT needs today?';

export function recallConversation(): Conversation {
  const greeted = { id: null, messages: [message(0, 'agent', GREETING)] };
  return recall<Conversation>(KEY) ?? greeted;
}

export function keepConversation(conversation: Conversation): void {
  remember(KEY, conversation);
}

export function withMessage(
  { id, messages }: Conversation,
  sender: Message['sender'],
  content: string,
): Conversation {
  return { id, messages: [...messages, message(messages.length, sender, content)] };
}

/** The visitor's last message, told what became of it. */
export function withOutcome(
  { id, messages }: Conversation,
  outcome: Pick<Message, 'reference' | 'failed'>,
): Conversation {
  const last = messages.findLastIndex(({ sender }) => sender === 'user');
  return {
    id,
    messages: messages.map((each, index) => (index === last ? { ...each, ...outcome } : each)),
  };
}

function message(id: number, sender: Message['sender'], content: string): Message {
  return { id, sender, content, timestamp: Date.now() };
}
