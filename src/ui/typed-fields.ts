import { sessionStore } from '../platform/browser/browser-storage.ts';

export type FormControl = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const TYPED = 'typed';

export function controlsIn(part: ParentNode): FormControl[] {
  return [...part.querySelectorAll<FormControl>('input, textarea, select')];
}

export function isChoice({ type }: Pick<FormControl, 'type'>): boolean {
  return type === 'radio' || type === 'checkbox';
}

/** Reloads a page whose part an upgrade removed; what was typed is there again. */
export function reloadWithTyped(): void {
  const typed = new URLSearchParams({ '': location.pathname });
  for (const field of controlsIn(document)) {
    const { name, type, value, autocomplete } = field;
    if (!name || /^cc-|password|file/.test(autocomplete + type)) continue;
    if (!isChoice(field) || ('checked' in field && field.checked)) typed.append(name, value);
  }
  sessionStore.set(TYPED, `${typed}`);
  location.reload();
}

/** As if it had been typed before the script ran: fields are uncontrolled, or read once. */
export function restoreTyped(): void {
  const typed = new URLSearchParams(`${sessionStore.read(TYPED) ?? ''}`);
  sessionStore.remove(TYPED);
  if (typed.get('') !== location.pathname) return;
  typed.delete('');
  const controls = controlsIn(document);
  for (const [name, value] of typed) {
    const control = controls.find(
      (each) => each.name === name && (!isChoice(each) || each.value === value),
    );
    if (!control) continue;
    if ('checked' in control && isChoice(control)) control.checked = true;
    else control.value = value;
  }
}
