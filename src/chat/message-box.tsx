import SendHorizontal from 'lucide-react/icons/send-horizontal';
import type { FormEvent, KeyboardEvent } from 'react';
import { Textarea } from '../ui/fields/textarea.tsx';
import { MAX_MESSAGE } from './chat-message.ts';

interface MessageBoxProps {
  draft: string;
  sending: boolean;
  onChange: (draft: string) => void;
  onSubmit: () => void;
}

/** Enter sends, Shift+Enter begins a new line. */
export function MessageBox({ draft, sending, onChange, onSubmit }: MessageBoxProps) {
  const blocked = sending || draft.trim() === '';

  function submit(event: FormEvent | KeyboardEvent) {
    event.preventDefault();
    if (!blocked) onSubmit();
  }

  return (
    <form onSubmit={submit} className="flex items-end gap-2 border-t border-line p-3">
      <label htmlFor="chat-message" className="sr-only">
        Your message
      </label>
      <Textarea
        id="chat-message"
        rows={2}
        maxLength={MAX_MESSAGE}
        placeholder="Type your message"
        enterKeyHint="send"
        value={draft}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          const composing = event.nativeEvent.isComposing;
          if (event.key === 'Enter' && !event.shiftKey && !composing) submit(event);
        }}
        className="field-sizing-content max-h-40.5 min-h-13 resize-none"
      />
      <button
        type="submit"
        aria-label="Send"
        data-tooltip
        disabled={blocked}
        className="grid size-13 shrink-0 place-items-center rounded-control bg-primary text-white hover:bg-primary-deep disabled:opacity-55"
      >
        <SendHorizontal className="size-5" />
      </button>
    </form>
  );
}
