import { type ReactNode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import * as z from 'zod/mini';
import { sessionStore } from '../platform/browser/browser-storage.ts';

type FormControl = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const TYPED = 'typed';
const typedFields = z.object({
  page: z.string(),
  fields: z.array(
    z.object({ name: z.string(), type: z.string(), value: z.string(), checked: z.boolean() }),
  ),
});

/** Reloads a page whose part an upgrade removed; what was typed is there again. */
export function reloadWithTyped(): void {
  const fields = [...document.querySelectorAll<FormControl>('input, textarea, select')]
    .filter(
      ({ name, type, autocomplete }) => name && !/^cc-|password|file/.test(autocomplete + type),
    )
    .map((field) => {
      const { name, type, value } = field;
      return { name, type, value, checked: 'checked' in field && field.checked };
    });
  sessionStore.set(TYPED, { page: window.location.pathname, fields });
  window.location.reload();
}

/** Hydrates the page in a transition. What was typed is put back if React renders fields again. */
export function hydratePage(page: ReactNode): void {
  const root = document.getElementById('root');
  if (!root) return;
  const controlsNow = () => [...root.querySelectorAll<FormControl>('input, textarea, select')];
  const typed = sessionStore.get(TYPED, typedFields);
  sessionStore.remove(TYPED);
  // As if typed before the script ran: fields are uncontrolled, or read once.
  for (const field of typed?.page === window.location.pathname ? typed.fields : []) {
    const control = controlsNow().find((each) => isSame(each, field));
    if (control && 'checked' in control && isChoice(control)) control.checked = field.checked;
    else if (control) control.value = field.value;
  }
  const before = controlsNow();
  const focused = document.activeElement;
  startTransition(() => {
    hydrateRoot(root, page, {
      onRecoverableError(error) {
        for (const lost of before.filter(({ isConnected }) => !isConnected)) {
          const same = controlsNow().find((each) => isSame(each, lost));
          if (same) restore(same, lost);
          if (lost === focused) same?.focus({ preventScroll: true });
        }
        reportError(error);
      },
    });
  });
}

type Named = Pick<FormControl, 'name' | 'type' | 'value'>;

function isChoice({ type }: Named): boolean {
  return type === 'radio' || type === 'checkbox';
}

function isSame(one: Named, other: Named): boolean {
  return (
    one.name === other.name &&
    one.type === other.type &&
    (!isChoice(one) || one.value === other.value)
  );
}

function restore(control: FormControl, lost: FormControl): void {
  if ('checked' in lost && lost.checked && 'checked' in control) {
    if (!control.checked) control.click();
  } else if (lost.value !== '') {
    control.value = lost.value;
    control.dispatchEvent(new Event('input', { bubbles: true }));
  }
}
