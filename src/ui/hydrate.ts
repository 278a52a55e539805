import { type ReactNode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';

type FormControl = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Hydrates the page in a transition. What was typed is put back if React renders fields again. */
export function hydratePage(page: ReactNode): void {
  const root = document.getElementById('root');
  if (!root) return;
  const controlsNow = () => [...root.querySelectorAll<FormControl>('input, textarea, select')];
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

function isSame(one: FormControl, other: FormControl): boolean {
  const isChoice = one.type === 'radio' || one.type === 'checkbox';
  return (
    one.name === other.name && one.type === other.type && (!isChoice || one.value === other.value)
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
