/**
 * Toasts for all documents: one is visible at a time, a new one takes the place of the old.
 * Plain functions, so that anything may show one; <Toaster/> in the document's frame draws them.
 */
import * as z from 'zod/mini';
import { sessionStore } from '../../platform/browser/session-store.ts';
import { fallback } from '../../platform/schema.ts';

export interface ToastText {
  title: string;
  description?: string;
  variant?: 'default' | 'destructive';
}

export interface Toast extends ToastText {
  id: string;
  open: boolean;
  /** Grows with each update, so that the new text is read out and gets its full time. */
  revision: number;
}

export const TOAST_MS = 5_000;
/** A dismissed toast stays known by its id for this long. */
const REMOVE_AFTER_MS = 1_000_000;
const CARRIED = 'toast';

let current: Toast | null = null;
let removal: ReturnType<typeof setTimeout> | undefined;
let shown = 0;
const listeners = new Set<() => void>();

/** Shows a toast and gives its id. */
export function showToast(text: ToastText): string {
  shown += 1;
  const id = `toast-${shown}`;
  become({ ...text, id, open: true, revision: shown });
  return id;
}

/** Changes the text of a toast; one that has been replaced since is left in peace. */
export function updateToast(id: string, text: Partial<ToastText>): void {
  if (current?.id !== id) return;
  shown += 1;
  become({ ...current, ...text, revision: shown });
}

/** Closes the toast with this id, or without one whichever is open. */
export function dismissToast(id?: string): void {
  if (!current?.open || (id !== undefined && current.id !== id)) return;
  become({ ...current, open: false });
  removal = setTimeout(become, REMOVE_AFTER_MS, null);
}

/** For a move into another document, such as after signing out: the toast is shown there. */
export function carryToast(text: ToastText): void {
  sessionStore.set(CARRIED, text);
}

/** Shows what the document before this one has left to be shown. */
export function showCarriedToast(): void {
  const carried = sessionStore.get(CARRIED, toastText);
  if (!carried) return;
  sessionStore.remove(CARRIED);
  showToast(carried);
}

const toastText = z.object({
  title: z.string(),
  description: fallback(z.string(), ''),
  variant: fallback(z.enum(['default', 'destructive']), 'default'),
});

export function currentToast(): Toast | null {
  return current;
}

export function onToastChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function become(toast: Toast | null): void {
  clearTimeout(removal);
  current = toast;
  for (const listener of listeners) listener();
}
