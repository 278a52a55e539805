import { Spinner } from '../ui/button.tsx';

export function ChatLoading() {
  return (
    <p
      role="status"
      className="flex h-[24.8125rem] min-h-12 shrink-999 items-center justify-center gap-2 bg-paper p-4 text-muted"
    >
      <Spinner className="size-4" />
      <span>Loading the chat…</span>
    </p>
  );
}
