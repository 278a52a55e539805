import { useMutation } from '@tanstack/react-query';
import { memo, useEffect, useRef } from 'react';
import { useSite } from '../platform/site.ts';
import { Button, Spinner } from '../ui/button.tsx';
import type { ShownMessage } from './use-chat.ts';

interface MessageListProps {
  messages: readonly ShownMessage[];
  sending: boolean;
  /** Null if the first message is shown. */
  onShowEarlier: (() => Promise<unknown>) | null;
}

/** Rendered again only for new messages, not while the visitor types. */
export const MessageList = memo(function MessageList(props: MessageListProps) {
  const { messages, sending, onShowEarlier } = props;
  const earlier = useMutation({ mutationFn: async () => onShowEarlier?.() });
  const log = useRef<HTMLDivElement>(null);
  const newest = messages.at(-1)?.key;
  const numbered = messages.find(({ reference }) => reference)?.key;
  const today = new Date().toDateString();

  // biome-ignore lint/correctness/useExhaustiveDependencies: scroll to each new message
  useEffect(() => {
    if (log.current) log.current.scrollTop = log.current.scrollHeight;
  }, [newest, sending]);

  return (
    <div
      ref={log}
      role="log"
      aria-label="Conversation"
      aria-live="polite"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll
      tabIndex={0}
      // Reversed, so that the browser shows the end first, and keeps it in view as the log shrinks.
      className="flex h-80 min-h-12 shrink-999 flex-col-reverse short:min-h-0 overflow-y-auto overscroll-contain bg-paper p-4 -outline-offset-2"
    >
      <div className="mb-auto flex flex-col gap-3">
        {onShowEarlier && (
          <Button
            variant="quiet"
            size="row"
            busy={earlier.isPending}
            className="self-center"
            onClick={() => earlier.mutate()}
          >
            {earlier.isError ? 'Try again to show earlier messages' : 'Show earlier messages'}
          </Button>
        )}
        {messages.map(({ key, reference, ...message }) => (
          <Bubble
            key={key}
            {...message}
            reference={key === numbered ? reference : ''}
            today={today}
          />
        ))}
        {sending && (
          <p className="flex items-center gap-2 self-start px-1 text-muted">
            <Spinner className="size-4" />
            Sending…
          </p>
        )}
      </div>
    </div>
  );
});

interface BubbleProps extends Omit<ShownMessage, 'key'> {
  today: string;
}

const Bubble = memo(function Bubble(props: BubbleProps) {
  const { supportName } = useSite().company;
  const { kind, text, author, at, reference, failed, today } = props;
  const isVisitors = kind === 'visitor';
  return (
    <div className={`max-w-[85%] ${isVisitors ? 'self-end text-right' : 'self-start'}`}>
      <p
        className={`inline-block rounded-card px-3.5 py-2 text-left wrap-anywhere whitespace-pre-wrap ${
          isVisitors ? 'rounded-br-sm bg-primary text-white' : 'rounded-bl-sm bg-surface text-ink'
        }`}
      >
        <span className="sr-only">{isVisitors ? 'You: ' : `${author || supportName}: `}</span>
        <span dir="auto">{kind === 'staff' ? <TextWithLinks text={text} /> : text}</span>
      </p>
      <p className="mt-1 px-1 text-xs text-muted">
        {author && <span className="font-medium">{`${author} · `}</span>}
        <time dateTime={at}>{timeOf(new Date(at), today)}</time>
        {reference && <span>{` · Reference ${reference}`}</span>}
        {failed && <span className="font-medium text-danger"> · Not sent</span>}
      </p>
    </div>
  );
});

const TIME = { hour: 'numeric', minute: '2-digit' } as const;
const clock = new Intl.DateTimeFormat('en-US', TIME);
const earlier = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', ...TIME });

function timeOf(at: Date, today: string): string {
  return (at.toDateString() === today ? clock : earlier).format(at);
}

/** An https address, without the punctuation that ends its sentence. */
const LINK = /(https:\/\/\S*[^\s.,:;!?)'"’”])/;

/** For staff's answers only: a visitor's words lead nowhere. */
function TextWithLinks({ text }: { text: string }) {
  return text.split(LINK).map((part, place) =>
    place % 2 === 1 && URL.canParse(part) ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
      <a key={place} href={part} target="_blank" rel="noreferrer" className="underline">
        {part}
      </a>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
      <span key={place}>{part}</span>
    ),
  );
}
