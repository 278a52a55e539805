import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { VisitorDetails } from '../contact/visitor.ts';
import { firstVisitHeader } from '../leads/first-visit.ts';
import { sessionStore } from '../platform/browser/session-store.ts';
import { CallError, fetchCall } from '../platform/fetch-call.ts';
import { useSite } from '../platform/site.ts';
import { showToast } from '../ui/toast/toast.ts';
import {
  type Conversation,
  isAnotherVisitor,
  SEND_CHAT,
  type ShownMessage,
  conversation as storedSchema,
} from './chat.ts';
import { fillIn } from './chat-words.ts';

const STORED = 'chat';
const NOT_READ_YET: Conversation = { messages: [], visitor: null, writer: null };

interface Outgoing {
  content: string;
  details: VisitorDetails;
}

/**
 * This tab's conversation, kept across pages and reloads. Messages are sent one at a time; a failed
 * one can be retried.
 */
export function useChat() {
  const { chat } = useSite();
  const [conversation, setConversation] = useState(NOT_READ_YET);
  const { messages, visitor } = conversation;
  useEffect(
    () => setConversation(sessionStore.get(STORED, storedSchema) ?? begin(chat.greeting)),
    [chat],
  );
  useEffect(() => {
    if (conversation !== NOT_READ_YET) sessionStore.set(STORED, conversation);
  }, [conversation]);

  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ content, details }: Outgoing) =>
      fetchCall(SEND_CHAT, {
        body: { message: content, ...details },
        headers: firstVisitHeader(),
      }),
    onSuccess: ({ response, reference }, { details }) => {
      const words = response || fillIn(chat.received, details);
      setConversation((current) => addMessage(updateLast(current, { reference }), 'agent', words));
    },
    onError: () => {
      setConversation((current) => updateLast(current, { failed: true }));
      showToast({
        title: 'Message Error',
        description: "We couldn't send your message. Please try again.",
        variant: 'destructive',
      });
    },
  });

  const last = lastSent(messages);
  const unsent = last?.failed && visitor ? { content: last.content, details: visitor } : null;

  return {
    messages,
    visitor,
    sending: isPending,
    /** Why the last message was not sent, or '' if unknown; null if it was sent. */
    failure: unsent && (error ? detailOf(error) : ''),
    setVisitor(details: VisitorDetails) {
      setConversation((current) => ({ ...current, visitor: details }));
    },
    send(outgoing: Outgoing) {
      const { content, details } = outgoing;
      setConversation((current) => {
        // As on the server: who writes in another's name begins another conversation.
        const isAnother = current.writer && isAnotherVisitor(current.writer, details);
        const continued = isAnother ? begin(chat.greeting) : current;
        return addMessage({ ...continued, visitor: details, writer: details }, 'user', content);
      });
      mutate(outgoing);
    },
    sendAgain() {
      if (!unsent) return;
      setConversation((current) => updateLast(current, { failed: false }));
      mutate(unsent);
    },
  };
}

function begin(greeting: string): Conversation {
  return { messages: [newMessage(0, 'agent', greeting)], visitor: null, writer: null };
}

function newMessage(id: number, sender: ShownMessage['sender'], content: string): ShownMessage {
  return { id, sender, content, timestamp: Date.now(), reference: '', failed: false };
}

function addMessage(
  current: Conversation,
  sender: ShownMessage['sender'],
  content: string,
): Conversation {
  const id = Math.max(...current.messages.map((message) => message.id)) + 1;
  return { ...current, messages: [...current.messages, newMessage(id, sender, content)] };
}

/** Updates the visitor's last message. */
function updateLast(
  current: Conversation,
  outcome: Partial<Pick<ShownMessage, 'reference' | 'failed'>>,
): Conversation {
  const last = lastSent(current.messages);
  return {
    ...current,
    messages: current.messages.map((message) =>
      message === last ? { ...message, ...outcome } : message,
    ),
  };
}

function lastSent(messages: readonly ShownMessage[]): ShownMessage | undefined {
  return messages.findLast(({ sender }) => sender === 'user');
}

function detailOf(error: Error): string {
  if (!navigator.onLine) return 'You seem to be offline.';
  return (error instanceof CallError && error.status !== 500 && error.reason) || '';
}
