/**
 * The conversation of this tab: sending, answering, and keeping it across pages and reloads. One message is sent at a
 * time; one that failed can be sent again as it is.
 */
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { VisitorDetails } from '../contact/visitor.ts';
import { sessionStore } from '../platform/browser/session-store.ts';
import { CallError, fetchCall } from '../platform/fetch-call.ts';
import { showToast } from '../ui/toast/toast.ts';
import { type Conversation, conversation, SEND_CHAT, type ShownMessage } from './chat.ts';

const STORED = 'chat';
const GREETING = 'Hello! How can I help you with your IT needs today?';

interface Outgoing {
  content: string;
  details: VisitorDetails;
}

export function useChat() {
  const [{ messages, visitor }, setConversation] = useState<Conversation>(storedConversation);
  useEffect(() => sessionStore.set(STORED, { messages, visitor }), [messages, visitor]);

  const { mutate, isPending, error, variables } = useMutation({
    mutationFn: ({ content, details }: Outgoing) =>
      fetchCall(SEND_CHAT, { body: { message: content, ...details } }),
    onSuccess: ({ response, reference }, { details }) => {
      const thanks = `Thank you for your message. Our team has it and will follow up by email at ${details.email}.`;
      setConversation((current) =>
        addMessage(updateLast(current, { reference }), 'agent', response || thanks),
      );
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

  return {
    messages,
    visitor,
    sending: isPending,
    /** Why the last message was not sent: what the server says about it, or that the network is away; null if it was. */
    failure: error && detailOf(error),
    setVisitor(details: VisitorDetails) {
      setConversation((current) => ({ ...current, visitor: details }));
    },
    send(outgoing: Outgoing) {
      setConversation((current) => addMessage(current, 'user', outgoing.content));
      mutate(outgoing);
    },
    sendAgain() {
      if (!variables) return;
      setConversation((current) => updateLast(current, { failed: false }));
      mutate(variables);
    },
  };
}

function storedConversation(): Conversation {
  const greeting = { ...newMessage('agent', GREETING), id: 0 };
  return sessionStore.get(STORED, conversation) ?? { messages: [greeting], visitor: null };
}

function addMessage(
  current: Conversation,
  sender: ShownMessage['sender'],
  content: string,
): Conversation {
  const id = Math.max(...current.messages.map((each) => each.id)) + 1;
  return { ...current, messages: [...current.messages, { ...newMessage(sender, content), id }] };
}

/** Updates the visitor's last message. */
function updateLast(
  current: Conversation,
  outcome: Partial<Pick<ShownMessage, 'reference' | 'failed'>>,
): Conversation {
  const last = current.messages.findLastIndex(({ sender }) => sender === 'user');
  return {
    ...current,
    messages: current.messages.map((each, index) =>
      index === last ? { ...each, ...outcome } : each,
    ),
  };
}

function newMessage(sender: ShownMessage['sender'], content: string): Omit<ShownMessage, 'id'> {
  return { sender, content, timestamp: Date.now(), reference: '', failed: false };
}

function detailOf(error: Error): string {
  if (!navigator.onLine) return 'You seem to be offline.';
  return (error instanceof CallError && error.status !== 500 && error.reason) || '';
}
