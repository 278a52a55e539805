import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import * as z from 'zod/mini';
import { firstVisitHeader } from '../attribution/first-visit.ts';
import { forgetVisitor, type VisitorDetails } from '../contact/visitor.ts';
import { sessionStore } from '../platform/browser/session-store.ts';
import { useEvents } from '../platform/browser/use-events.ts';
import { callUrl } from '../platform/contract.ts';
import { CallError, fetchCall, randomId } from '../platform/fetch-call.ts';
import { useSite } from '../platform/site.ts';
import { showToast } from '../ui/toast/toast.ts';
import {
  CHAT_EVENTS,
  CHAT_KEY,
  type ChatConversation,
  type ChatEntry,
  CONVERSATION_SEEN,
  END_CONVERSATION,
  GET_CONVERSATION,
  isAnotherVisitor,
  SEND_CHAT,
  type SentMessage,
  type TabConversation,
  tabConversation,
} from './chat.ts';
import { fillIn } from './chat-words.ts';
import { hasConversation, onConversationChange, rememberConversation } from './remembered.ts';

const STORED = 'chat';
/** The text not sent yet. */
const DRAFT = 'chat-draft';
const CONVERSATION = ['chat-conversation'];
const NO_CONVERSATION: ChatConversation = { entries: [], name: null, email: null };
/** Another instance, whose clock is behind, may answer without what an event has announced. */
const ASK_AGAIN = { times: 3, afterMs: 1_500 };

export interface ShownMessage extends Pick<ChatEntry, 'kind' | 'text' | 'author' | 'at'> {
  /** Stays the same when a message of this tab comes back from the server, so that it is not read out again. */
  key: string;
  reference: string;
  failed: boolean;
}

interface Outgoing {
  message: SentMessage;
  details: VisitorDetails;
}

/**
 * The conversation of this browser, and the messages of this tab that the server does not have, or does not show because
 * the cookie is blocked. Messages are sent one at a time; a failed one can be sent again.
 */
export function useChat() {
  const { chat } = useSite();
  const queryClient = useQueryClient();
  const [tab, setTab] = useState(readTab);
  const [draft, setDraft] = useState(() => sessionStore.get(DRAFT, z.string()) ?? '');
  const [startsWithOne] = useState(hasConversation);
  const [exists, setExists] = useState(startsWithOne);
  /** The keys of this tab's messages, by reference. */
  const [keys] = useState(() => new Map<string, string>());
  useEffect(() => sessionStore.set(STORED, tab), [tab]);
  useEffect(() => sessionStore.set(DRAFT, draft), [draft]);

  const { data, isPending, isError, refetch } = useQuery({
    queryKey: CONVERSATION,
    queryFn: ({ signal }) => fetchConversation(signal),
    enabled: exists,
  });
  const own = useMemo(() => ownPart(data ?? NO_CONVERSATION, tab.writer), [data, tab.writer]);
  const { entries } = own;
  const visitor = tab.visitor ?? personOf(own);
  const messages = useMemo(
    () => [
      greeting(chat.greeting, tab, entries[0]),
      ...withKeys(entries, keys),
      ...sentHere(tab.sent, entries),
    ],
    [chat, tab, entries, keys],
  );

  useEffect(() => {
    if (!data) return;
    rememberConversation(data.entries.length > 0);
    setTab((current) => ({ ...current, sent: notAmong(data.entries, current.sent) }));
  }, [data]);
  const onOtherTab = useEffectEvent(() => {
    if (!hasConversation()) return forget();
    setExists(true);
    void refetch();
  });
  useEffect(() => onConversationChange(onOtherTab), []);

  async function catchUp(entry: unknown, times: number): Promise<void> {
    const { data } = await refetch();
    const isMissing = typeof entry === 'number' && data?.entries.every(({ id }) => id !== entry);
    if (isMissing && times > 0) setTimeout(() => void catchUp(entry, times - 1), ASK_AGAIN.afterMs);
  }
  // Each message gives the browser another key, with which the stream is opened again.
  const newest = entries.findLast(({ kind }) => kind === 'visitor')?.reference ?? '';
  useEvents(
    callUrl(CHAT_EVENTS, { query: new URLSearchParams({ newest }) }),
    'conversation',
    (event) => void catchUp(announced.safeParse(event).data?.entry, ASK_AGAIN.times),
    entries.length > 0,
  );

  const {
    mutate,
    isPending: sending,
    error,
  } = useMutation({
    mutationFn: ({ message, details }: Outgoing) =>
      fetchCall(SEND_CHAT, {
        body: { message: message.text, ...details },
        headers: { ...firstVisitHeader(), [CHAT_KEY]: message.key },
      }),
    onSuccess: ({ response, reference }, { message: { key }, details }) => {
      if (reference) keys.set(reference, key);
      update(key, { reference, reply: response || fillIn(chat.received, details) });
      rememberConversation(true);
      setExists(true);
      void queryClient.invalidateQueries({ queryKey: CONVERSATION });
    },
    onError: (_, { message: { key } }) => {
      update(key, { failed: true });
      showToast({
        title: 'Message Error',
        description: "We couldn't send your message. Please try again.",
        variant: 'destructive',
      });
    },
  });
  function update(key: string, outcome: Partial<SentMessage>) {
    setTab((current) => ({
      ...current,
      sent: current.sent.map((message) =>
        message.key === key ? { ...message, ...outcome } : message,
      ),
    }));
  }

  function forget() {
    forgetVisitor();
    setTab(begin());
    setDraft('');
    queryClient.setQueryData(CONVERSATION, NO_CONVERSATION);
  }

  const last = tab.sent.at(-1);
  const unsent = last?.failed && visitor ? { message: last, details: visitor } : null;
  const unseen = entries.filter(({ kind, seen }) => kind === 'staff' && !seen);

  return {
    messages,
    visitor,
    draft,
    setDraft,
    sending,
    /** The conversation that the browser remembers has not arrived yet. */
    loading: startsWithOne && isPending,
    unreadable: isError && !data,
    reload: () => void refetch(),
    /** How many answers no panel has shown, and the newest of them. */
    unseen: unseen.length,
    lastUnseen: unseen.at(-1)?.id,
    async markSeen(entry: number) {
      await fetchCall(CONVERSATION_SEEN, { body: { entry } });
      await refetch();
    },
    /** Whether there is anything to end. */
    hasBegun: messages.length > 1,
    async end() {
      await fetchCall(END_CONVERSATION);
      forget();
    },
    /** Why the last message was not sent, or '' if unknown; null if it was sent. */
    failure: unsent && (error ? detailOf(error) : ''),
    setVisitor: (details: VisitorDetails) =>
      setTab((current) => ({ ...current, visitor: details })),
    send(text: string, details: VisitorDetails) {
      const message = { ...NOT_SENT, key: randomId(), text, at: new Date().toISOString() };
      // As on the server: who writes in another's name begins another conversation.
      const before = tab.writer ?? personOf(own);
      const continued = before && isAnotherVisitor(before, details) ? begin() : tab;
      const sent = [...continued.sent, message];
      setTab({ ...continued, sent, visitor: details, writer: details });
      mutate({ message, details });
    },
    sendAgain() {
      if (!unsent) return;
      update(unsent.message.key, { failed: false });
      mutate(unsent);
    },
  };
}

const NOT_SENT = { reference: '', reply: '', failed: false };
const announced = z.object({ entry: z.int() });

/** A server that follows only the specification does not have the call. */
function fetchConversation(signal: AbortSignal): Promise<ChatConversation> {
  return fetchCall(GET_CONVERSATION, { signal }).catch((error: unknown) => {
    if (error instanceof CallError && error.status === 404) return NO_CONVERSATION;
    throw error;
  });
}

/** A message that was being sent when the page was left may have arrived or not. */
function readTab(): TabConversation {
  const tab = sessionStore.get(STORED, tabConversation) ?? begin();
  return { ...tab, sent: tab.sent.map((sent) => ({ ...sent, failed: sent.reply === '' })) };
}

function begin(): TabConversation {
  return { beganAt: new Date().toISOString(), sent: [], visitor: null, writer: null };
}

function personOf({ name, email }: ChatConversation): VisitorDetails | null {
  return name && email ? { name, email } : null;
}

/** Nothing if somebody else has written in this tab since: their conversation is another. */
function ownPart(conversation: ChatConversation, writer: VisitorDetails | null): ChatConversation {
  const person = personOf(conversation);
  const isOthers = writer && person && isAnotherVisitor(writer, person);
  return isOthers ? NO_CONVERSATION : conversation;
}

function notAmong(entries: readonly ChatEntry[], sent: SentMessage[]): SentMessage[] {
  const references = new Set(entries.map(({ reference }) => reference));
  return sent.filter(({ reference }) => reference === '' || !references.has(reference));
}

function greeting(text: string, { beganAt }: TabConversation, first?: ChatEntry): ShownMessage {
  const at = first && first.at < beganAt ? first.at : beganAt;
  return { key: 'greeting', kind: 'reply', text, author: '', at, reference: '', failed: false };
}

/** The server's entries. An automatic reply belongs to the message before it. */
function withKeys(
  entries: readonly ChatEntry[],
  keys: ReadonlyMap<string, string>,
): ShownMessage[] {
  let message: string | undefined;
  return entries.map((entry) => {
    const { id, kind, reference } = entry;
    let key = `entry-${id}`;
    if (kind === 'visitor') message = keys.get(reference);
    if (kind === 'visitor' && message) key = message;
    if (kind === 'reply' && message) key = `${message}-reply`;
    if (kind === 'reply') message = undefined;
    return { ...entry, key, failed: false };
  });
}

/** The messages of this tab that are not among the entries, each with its reply. */
function sentHere(sent: SentMessage[], entries: readonly ChatEntry[]): ShownMessage[] {
  return notAmong(entries, sent).flatMap(({ key, text, at, reference, reply, failed }) => {
    const message = { key, kind: 'visitor', text, author: '', at, reference, failed } as const;
    if (reply === '') return [message];
    const answer = { key: `${key}-reply`, kind: 'reply', text: reply } as const;
    return [message, { ...message, ...answer, reference: '' }];
  });
}

function detailOf(error: Error): string {
  if (!navigator.onLine) return 'You seem to be offline.';
  return (error instanceof CallError && error.status !== 500 && error.reason) || '';
}
