/** Which keys move through the list, and the switch for those that are letters. */
import { useState } from 'react';
import { recall, remember } from '../platform/browser/session-storage.ts';
import { flag } from '../platform/read.ts';

const LETTERS = 'inbox-letters';
const KEYS = [
  { letter: 'j', key: '↓', does: 'next' },
  { letter: 'k', key: '↑', does: 'previous' },
  { letter: null, key: 'Enter', does: 'open' },
  { letter: null, key: 'Esc', does: 'close' },
];

/**
 * Whether j and k move, until this tab is closed: who dictates may say one without meaning it. Where fingers point, the
 * switch is not shown, and they don't.
 */
export function useLetters(): [boolean, (on: boolean) => void] {
  const [letters, setLetters] = useState(
    () => recall(LETTERS, flag) ?? !matchMedia('(pointer: coarse)').matches,
  );
  return [
    letters,
    (on) => {
      remember(LETTERS, on);
      setLetters(on);
    },
  ];
}

interface KeyHintsProps {
  letters: boolean;
  setLetters(on: boolean): void;
}

export function KeyHints({ letters, setLetters }: KeyHintsProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-1 text-xs text-muted pointer-coarse:hidden">
      <ul aria-label="Keys" className="flex flex-wrap gap-x-5 gap-y-1">
        {KEYS.map(({ letter, key, does }) => (
          <li key={does} className="flex items-center gap-1.5">
            {letters && letter && <Key name={letter} />}
            <Key name={key} />
            {does}
          </li>
        ))}
      </ul>
      <button
        type="button"
        onClick={() => setLetters(!letters)}
        className="inline-flex min-h-8 items-center rounded-control underline underline-offset-4 hover:text-ink"
      >
        {letters ? 'Turn j and k off' : 'Turn j and k on'}
      </button>
    </div>
  );
}

function Key({ name }: { name: string }) {
  return (
    <kbd className="rounded border border-line bg-surface px-1.5 font-sans text-ink">{name}</kbd>
  );
}
