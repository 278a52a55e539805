/** A field that lists what is found for its text, for one of it to be chosen. */
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { Field, TextInput } from './fields.tsx';

interface ComboboxProps<Item> {
  label: string;
  hint?: string;
  placeholder?: string;
  items: readonly Item[];
  getKey: (item: Item) => string;
  onType: (text: string) => void;
  /** Returns what then stands in the field. */
  onChoose: (item: Item) => string;
  children: (item: Item) => ReactNode;
}

/** The ARIA combobox pattern: the focus stays in the field, and the arrow keys move in the list. */
export function Combobox<Item>(props: ComboboxProps<Item>) {
  const { label, hint, placeholder, items, getKey, onType, onChoose, children } = props;
  const id = useId();
  const [text, setText] = useState('');
  /** Null while the list is closed. */
  const [active, setActive] = useState<number | null>(null);
  const isOpen = active !== null && items.length > 0;
  const at = Math.min(active ?? 0, items.length - 1);

  function choose(item: Item | undefined) {
    if (item === undefined) return;
    setText(onChoose(item));
    setActive(null);
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setActive(isOpen ? (at + step + items.length) % items.length : 0);
    // Before what is found for the text is here, it would send the form around it.
    else if (event.key === 'Enter') choose(isOpen ? items[at] : undefined);
    // Otherwise it would close the dialog around it.
    else if (isOpen && event.key === 'Escape') setActive(null);
    else return;
    event.preventDefault();
  }

  return (
    <div className="relative">
      <Field label={label} hint={hint}>
        <TextInput
          role="combobox"
          autoComplete="off"
          spellCheck={false}
          placeholder={placeholder}
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={`${id}-list`}
          aria-activedescendant={isOpen ? `${id}-${at}` : undefined}
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            setActive(target.value.trim() ? 0 : null);
            onType(target.value);
          }}
          onClick={() => setActive(0)}
          onKeyDown={onKeyDown}
          onBlur={() => setActive(null)}
        />
      </Field>
      <ul
        id={`${id}-list`}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the ARIA pattern's roles
        role="listbox"
        aria-label="Suggestions"
        hidden={!isOpen}
        className="absolute inset-x-0 top-full z-20 mt-1 max-h-64 overflow-y-auto rounded-control border border-line bg-surface p-1 shadow-raised"
      >
        {items.map((item, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
          <li
            key={getKey(item)}
            ref={isOpen && place === at ? scrollIntoView : undefined}
            id={`${id}-${place}`}
            // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: as above
            role="option"
            aria-selected={place === at}
            className="cursor-pointer rounded-control px-3 py-2 text-sm hover:bg-paper-deep aria-selected:bg-primary-soft"
            // Before the field loses the focus, which closes the list.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(item)}
          >
            {children(item)}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The focus, which would bring it into view, stays in the field. */
function scrollIntoView(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: 'nearest' });
}
