import { useEffect, useRef } from 'react';
import { Spinner } from '../ui/spinner.tsx';
import type { Message } from './conversation.ts';

interface MessageListProps {
  messages: readonly Message[];
  sending: boolean;
  supportName: string;
}

export function MessageList({ messages, sending, supportName }: MessageListProps) {
  const log = useRef<HTMLDivElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever is new stands at the end.
  useEffect(() => {
    if (log.current) log.current.scrollTop = log.current.scrollHeight;
  }, [messages, sending]);

  return (
    <div
      ref={log}
      role="log"
      aria-label="Conversation"
      aria-live="polite"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a pointer.
      tabIndex={0}
      className="flex h-80 min-h-24 shrink-999 flex-col gap-3 overflow-y-auto overscroll-contain bg-paper p-4 -outline-offset-2"
    >
      {messages.map((message) => (
        <Bubble key={message.id} message={message} supportName={supportName} />
      ))}
      {sending && (
        <p className="flex items-center gap-2 self-start px-1 text-muted">
          <Spinner className="size-4" />
          Sending…
        </p>
      )}
    </div>
  );
}

function Bubble({ message, supportName }: { message: Message; supportName: string }) {
  const { sender, content, timestamp, reference, failed } = message;
  const own = sender === 'user';
  const at = new Date(timestamp);
  return (
    <div className={`max-w-[85%] ${own ? 'self-end text-right' : 'self-start'}`}>
      <p
        className={`inline-block rounded-card px-3.5 py-2 text-left break-words whitespace-pre-wrap ${
          own ? 'rounded-br-sm bg-primary text-white' : 'rounded-bl-sm bg-surface text-ink'
        }`}
      >
        <span className="sr-only">{own ? 'You: ' : `${supportName}: `}</span>
        {content}
      </p>
      <p className="mt-1 px-1 text-xs text-muted">
        <time dateTime={at.toISOString()}>
          {at.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}
        </time>
        {reference && <> · Reference {reference}</>}
        {failed && <span className="font-medium text-danger"> · Not sent</span>}
      </p>
    </div>
  );
}
