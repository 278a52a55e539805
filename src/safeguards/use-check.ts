/** What has been answered: kept by the form's own inputs, and by the tab, so that a reload loses nothing. */
import { type RefObject, useEffect, useState, useSyncExternalStore } from 'react';
import { forget, recall, remember } from '../platform/browser/session-storage.ts';
import { ANSWERS, type Filled } from './answers.ts';
import { RESULT } from './safeguards-address.ts';
import { readFilled } from './safeguards-content.ts';

const STORED = 'safeguards-answers';
export const NOTHING: Filled = { answers: {}, store: '' };

/** `sent`: what came with the page, of a form that was sent without script. */
export function useCheck(form: RefObject<HTMLFormElement | null>, sent: Filled | null) {
  const [filled, setFilled] = useState(sent ?? NOTHING);
  const hash = useSyncExternalStore(
    onHash,
    () => window.location.hash,
    () => '',
  );

  // What was answered before this script came stands in the form alone.
  useEffect(() => {
    if (!form.current) return;
    const typed = readForm(form.current);
    const kept = sent ?? recall(STORED, readFilled) ?? NOTHING;
    const merged = {
      answers: { ...kept.answers, ...typed.answers },
      store: typed.store || kept.store,
    };
    writeForm(form.current, merged);
    setFilled(merged);
  }, [form, sent]);

  function keep() {
    if (!form.current) return;
    const typed = readForm(form.current);
    remember(STORED, typed);
    setFilled(typed);
  }

  function clear() {
    forget(STORED);
    if (form.current) writeForm(form.current, NOTHING);
    setFilled(NOTHING);
  }

  const answered = Object.keys(filled.answers).length > 0;
  const asked = hash === RESULT || (sent !== null && hash === '');
  return { filled, keep, clear, showsResult: answered && asked };
}

function onHash(changed: () => void): () => void {
  window.addEventListener('hashchange', changed);
  window.addEventListener('popstate', changed);
  return () => {
    window.removeEventListener('hashchange', changed);
    window.removeEventListener('popstate', changed);
  };
}

function readForm(form: HTMLFormElement): Filled {
  const data = new FormData(form);
  const answers = [...data].flatMap(([name, value]) => {
    const answer = ANSWERS.find((each) => each === value);
    return answer && name !== 'store' ? [[name, answer]] : [];
  });
  return { answers: Object.fromEntries(answers), store: String(data.get('store') ?? '') };
}

function writeForm(form: HTMLFormElement, { answers, store }: Filled): void {
  for (const control of form.elements) {
    if (control instanceof HTMLInputElement && control.type === 'radio') {
      control.checked = answers[control.name] === control.value;
    }
  }
  const name = form.elements.namedItem('store');
  if (name instanceof HTMLInputElement) name.value = store;
}
