/** Toasts, one at a time: a new one replaces the old. Plain functions, for code outside React. */
import * as z from 'zod/mini';
import { sessionStore } from '../../platform/browser/browser-storage.ts';
import { fallback } from '../../platform/schema.ts';

export interface ToastText {
  title: string;
  description?: string;
  variant?: 'default' | 'destructive';
}

export interface Toast extends ToastText {
  id: string;
  open: boolean;
}

export const TOAST_MS = 5_000;
/** A dismissed toast can still be updated by its id for this long. */
const REMOVE_AFTER_MS = 1_000_000;
const STORAGE_KEY = 'toast';

let current: Toast | null = null;
let removal: ReturnType<typeof setTimeout> | undefined;
let toastCount = 0;
const listeners = new Set<() => void>();

export function showToast(text: ToastText): string {
  toastCount += 1;
  const id = `toast-${toastCount}`;
  setCurrent({ ...text, id, open: true });
  return id;
}

export function showError(description: string, title = 'Error'): string {
  return showToast({ title, description, variant: 'destructive' });
}

/** Changes the text of a toast, unless another has replaced it. */
export function updateToast(id: string, text: Partial<ToastText>): void {
  if (current?.id !== id) return;
  setCurrent({ ...current, ...text });
}

/** Closes the toast with this id, or without an id the open one. */
export function dismissToast(id?: string): void {
  if (!current?.open || (id !== undefined && current.id !== id)) return;
  setCurrent({ ...current, open: false });
  removal = setTimeout(setCurrent, REMOVE_AFTER_MS, null);
}

/** Shows the toast in the next document, as after signing out. */
export function showToastAfterNavigation(text: ToastText): void {
  sessionStore.set(STORAGE_KEY, text);
}

/** Shows the toast that the previous document left for this one. */
export function showPendingToast(): void {
  const pending = sessionStore.get(STORAGE_KEY, toastText);
  if (!pending) return;
  sessionStore.remove(STORAGE_KEY);
  showToast(pending);
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

function setCurrent(toast: Toast | null): void {
  clearTimeout(removal);
  current = toast;
  for (const listener of listeners) listener();
}
