/** Sending and answering: one message at a time; a message that failed can be sent again as it is. */
import { useEffect, useState } from 'react';
import type { VisitorDetails } from '../contact/contact-fields.ts';
import { CallError, fetchCall } from '../platform/old/fetch-call.ts';
import { fields, or, type Read, text } from '../platform/old/read.ts';
import { showToast } from '../ui/toast/toast.ts';
import { SEND_CHAT } from './chat-contracts.ts';
import {
  type Conversation,
  conversationId,
  keepConversation,
  recallConversation,
  withMessage,
  withOutcome,
} from './conversation.ts';

interface Outgoing {
  content: string;
  details: VisitorDetails;
}

interface Failure {
  outgoing: Outgoing;
  /** What the server said about it, or that the network is away. */
  detail: string;
}

export function useChat() {
  const [conversation, setConversation] = useState(recallConversation);
  const [sending, setSending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);

  useEffect(() => keepConversation(conversation), [conversation]);

  async function deliver(outgoing: Outgoing) {
    setSending(true);
    setFailure(null);
    try {
      const answered = await post(outgoing, conversation.id);
      setConversation((now) => answeredBy(now, answered, outgoing.details));
    } catch (error) {
      setConversation((now) => withOutcome(now, { failed: true }));
      setFailure({ outgoing, detail: detailOf(error) });
      showToast({
        title: 'Message Error',
        description: "We couldn't send your message. Please try again.",
        variant: 'destructive',
      });
    }
    setSending(false);
  }

  return {
    messages: conversation.messages,
    visitor: conversation.visitor,
    sending,
    failure,
    introduce(visitor: VisitorDetails) {
      setConversation((now) => ({ ...now, visitor }));
    },
    send(outgoing: Outgoing) {
      setConversation((now) => withMessage(now, 'user', outgoing.content));
      return deliver(outgoing);
    },
    sendAgain() {
      setConversation((now) => withOutcome(now, { failed: false }));
      return failure ? deliver(failure.outgoing) : undefined;
    },
  };
}

/** Whatever is missing, the message has arrived: the specification's thanks stand in for the response. */
const readAnswered = or(
  fields({
    response: or(text, ''),
    reference: or(text, ''),
    conversation: or(conversationId, null),
  }),
  { response: '', reference: '', conversation: null },
);

function post({ content, details }: Outgoing, conversation: string | null) {
  return fetchCall(SEND_CHAT, readAnswered, {
    body: {
      message: content,
      ...details,
      ...(conversation && { conversation }),
    },
  });
}

function answeredBy(
  conversation: Conversation,
  { response, reference, conversation: id }: Read<typeof readAnswered>,
  { email }: VisitorDetails,
): Conversation {
  const told = withOutcome(conversation, reference ? { reference } : {});
  const thanks = `Thank you for your message. Our team has it and will follow up by email at ${email}.`;
  const replied = withMessage(told, 'agent', response || thanks);
  return { ...replied, id: id ?? conversation.id };
}

function detailOf(error: unknown): string {
  if (!navigator.onLine) return 'You seem to be offline.';
  return (error instanceof CallError && error.status !== 500 && error.reason) || '';
}
