import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import * as z from 'zod/mini';
import { firstVisitHeader } from '../attribution/first-visit.ts';
import { forgetVisitor, type VisitorDetails } from '../contact/visitor.ts';
import { sessionStore } from '../platform/browser/browser-storage.ts';
import { useEvents } from '../platform/browser/use-events.ts';
import { callUrl } from '../platform/contract.ts';
import { CallError, fetchCall, randomId } from '../platform/fetch-call.ts';
import { useSite } from '../platform/site.ts';
import { usePress } from '../ui/presses.ts';
import { showError } from '../ui/toast/toast.ts';
import {
  CHAT_EVENTS,
  CHAT_KEY,
  type ChatConversation,
  type ChatEntry,
  CONVERSATION_SEEN,
  CORRECTED,
  END_CONVERSATION,
  GET_CONVERSATION,
  NO_CONVERSATION,
  SEND_CHAT,
  type SentMessage,
  type TabChat,
  tabChat,
} from './chat.ts';
import { fillIn } from './chat-words.ts';
import { conversationFlag } from './conversation-flag.ts';

const STORED = 'chat';
const CONVERSATION = ['chat-conversation'];
const NOTHING_HERE: TabChat = { draft: '', sent: [], visitor: null };

export interface ShownMessage extends Pick<ChatEntry, 'kind' | 'text' | 'author' | 'at'> {
  /** Stays when the message comes back from the server, so that it is not read out again. */
  key: string;
  reference: string;
  failed: boolean;
}

interface Outgoing {
  message: SentMessage;
  /** Those before it that got no answer. */
  earlier: readonly SentMessage[];
  details: VisitorDetails;
}

/** The conversation of this browser, as the server has it. `onEnded`: another tab has ended it. */
function useConversation(onEnded: () => void) {
  const queryClient = useQueryClient();
  const [startsWithOne] = useState(conversationFlag.isSet);
  const [exists, setExists] = useState(startsWithOne);
  const { data, isPending, isError, refetch, fetchNextPage, hasNextPage } = useInfiniteQuery({
    queryKey: CONVERSATION,
    queryFn: ({ pageParam, signal }) => fetchConversation(pageParam, signal),
    initialPageParam: 0,
    getNextPageParam: ({ more, entries }) => (more ? entries[0]?.id : undefined),
    select: joined,
    enabled: exists,
  });
  const conversation = data ?? NO_CONVERSATION;
  const { entries, name, email } = conversation;

  useEffect(() => {
    if (data) conversationFlag.set(data.entries.length > 0);
  }, [data]);
  const onOtherTab = useEffectEvent(() => {
    if (!conversationFlag.isSet()) return onEnded();
    setExists(true);
    void refetch();
  });
  useEffect(() => conversationFlag.onChange(onOtherTab), []);
  useEvents(
    // Another conversation in this browser has a stream of its own.
    callUrl(CHAT_EVENTS, { query: new URLSearchParams({ of: `${conversation.id}` }) }),
    'conversation',
    async (event) => {
      const { data } = await refetch({ throwOnError: true });
      const entry = announced.safeParse(event).data?.entry;
      // Another instance, whose clock is behind, may answer without it.
      if (entry && !data?.entries.some(({ id }) => id === entry)) throw new Error('not there yet');
    },
    conversation.id !== null,
  );

  const unseen = entries.filter(({ kind, seen }) => kind === 'staff' && !seen);
  return {
    entries,
    person: name && email ? { name, email } : null,
    refetch,
    begin: () => setExists(true),
    forget: () => queryClient.setQueryData(CONVERSATION, { pages: [], pageParams: [] }),
    shown: {
      /** The one that the browser remembers has not arrived yet. */
      loading: startsWithOne && isPending,
      unreadable: isError && !data,
      reload: () => void refetch(),
      /** Shows what came before; null if all is shown. */
      showEarlier: hasNextPage ? () => fetchNextPage({ throwOnError: true }) : null,
      /** How many answers no panel has shown, and the newest of them. */
      unseen: unseen.length,
      lastUnseen: unseen.at(-1)?.id,
      async markSeen(entry: number) {
        await fetchCall(CONVERSATION_SEEN, { body: { entry } });
        await refetch();
      },
    },
  };
}

/** The conversation, and this tab's messages that the server lacks or a blocked cookie hides. */
export function useChat() {
  const { chat } = useSite();
  const [tab, setTab] = useState(readTab);
  const [beganAt] = useState(() => new Date().toISOString());
  useEffect(() => sessionStore.set(STORED, tab), [tab]);
  const conversation = useConversation(forget);
  const { entries, person } = conversation;
  const visitor = tab.visitor ?? person;
  const messages = useMemo(
    () => [
      greeting(chat.greeting, entries[0]?.at ?? beganAt),
      ...entries.map(messageOf),
      ...sentHere(tab.sent, entries),
    ],
    [chat, tab.sent, entries, beganAt],
  );

  const {
    mutate,
    isPending: sending,
    error,
  } = usePress({
    mutationFn: async ({ message, earlier, details }: Outgoing) => {
      async function sendOne({ key, text }: SentMessage): Promise<Partial<SentMessage>> {
        const { response, reference } = await fetchCall(SEND_CHAT, {
          body: { message: text, ...details },
          headers: {
            ...firstVisitHeader(),
            [CHAT_KEY]: key,
            // Another name or address than the conversation's was typed after 'Change'.
            ...(person && CORRECTED),
          },
        });
        // A server that gives no numbers answers each message.
        const reply = response || (reference ? '' : fillIn(chat.received, details));
        return { reference, reply, state: 'arrived' };
      }
      const outcomes = new Map<string, Partial<SentMessage>>();
      // The server may have them: without their conversation's key, this one would begin another.
      for (const each of earlier)
        outcomes.set(each.key, await sendOne(each).catch(() => ({ state: 'failed' as const })));
      outcomes.set(message.key, await sendOne(message));
      const { data } = await conversation.refetch();
      return { outcomes, stored: new Set(data?.entries.map(({ key }) => key)) };
    },
    onSuccess: ({ outcomes, stored }, { message }) => {
      conversation.begin();
      for (const [key, outcome] of outcomes) update(key, outcome);
      if (stored.has(message.key))
        setTab(({ sent, ...current }) => ({
          ...current,
          sent: sent.filter(({ key }) => !stored.has(key)),
          visitor: null,
        }));
    },
    onError: (_, { message, earlier }) => {
      for (const { key } of [...earlier, message]) update(key, { state: 'failed' });
      showError("We couldn't send your message. Please try again.", 'Message Error');
    },
  });
  function update(key: string, outcome: Partial<SentMessage>) {
    setTab(({ sent, ...current }) => ({
      ...current,
      sent: sent.map((message) => (message.key === key ? { ...message, ...outcome } : message)),
    }));
  }

  function forget() {
    forgetVisitor();
    setTab(NOTHING_HERE);
    conversation.forget();
  }

  const failed = tab.sent.filter(({ state }) => state === 'failed');
  const last = tab.sent.at(-1);
  const unsent = last?.state === 'failed' && visitor ? { message: last, details: visitor } : null;

  function post(outgoing: Omit<Outgoing, 'earlier'>) {
    const earlier = failed.filter((message) => message !== outgoing.message);
    for (const { key } of failed) update(key, { state: 'sending' });
    mutate({ ...outgoing, earlier });
  }

  return {
    ...conversation.shown,
    messages,
    visitor,
    draft: tab.draft,
    setDraft: (draft: string) => setTab((current) => ({ ...current, draft })),
    sending,
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
    /** Without another message, answers would go to the mistyped address; '' if none changed. */
    correctionTo: ({ name, email }: VisitorDetails) =>
      person?.name === name && person.email !== email ? `My email address is ${email}.` : '',
    send(text: string, details: VisitorDetails) {
      const at = new Date().toISOString();
      const key = randomId();
      const message = { key, text, at, reference: '', reply: '', state: 'sending' } as const;
      setTab(({ sent, draft, ...current }) => ({
        ...current,
        draft: draft.trim() === text ? '' : draft,
        sent: [...sent, message],
      }));
      post({ message, details });
    },
    sendAgain() {
      if (unsent) post(unsent);
    },
  };
}

const announced = z.object({ entry: z.int() });

/** The newest entries, or those before one. The specification has no such call. */
function fetchConversation(before: number, signal: AbortSignal): Promise<ChatConversation> {
  const query = new URLSearchParams(before ? { before: String(before) } : {});
  return fetchCall(GET_CONVERSATION, { query, signal }).catch((error: unknown) => {
    if (error instanceof CallError && error.status === 404) return NO_CONVERSATION;
    throw error;
  });
}

/** The newest page, with the entries of all that are shown. */
function joined({ pages }: InfiniteData<ChatConversation>): ChatConversation {
  const [newest = NO_CONVERSATION] = pages;
  return { ...newest, entries: pages.toReversed().flatMap(({ entries }) => entries) };
}

/** A message that was being sent when the page was left may have arrived or not. */
function readTab(): TabChat {
  const tab = sessionStore.get(STORED, tabChat) ?? NOTHING_HERE;
  return {
    ...tab,
    sent: tab.sent.map((sent) => (sent.state === 'sending' ? { ...sent, state: 'failed' } : sent)),
  };
}

function greeting(text: string, at: string): ShownMessage {
  return { key: 'greeting', kind: 'reply', text, author: '', at, reference: '', failed: false };
}

function messageOf({ id, key, ...entry }: ChatEntry): ShownMessage {
  return { ...entry, key: key || `entry-${id}`, failed: false };
}

/** The messages of this tab that are not among the entries, each with its reply. */
function sentHere(sent: SentMessage[], entries: readonly ChatEntry[]): ShownMessage[] {
  const keys = new Set(entries.map(({ key }) => key));
  return sent.flatMap(({ key, text, at, reference, reply, state }) => {
    if (keys.has(key)) return [];
    const failed = state === 'failed';
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
