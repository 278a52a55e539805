import Search from 'lucide-react/icons/search';
import { useEffect, useState } from 'react';
import { searchText } from '../platform/list-query.ts';
import { TextInput } from './fields.tsx';

const DEBOUNCE_MS = 250;

interface SearchBoxProps {
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
}

/** Calls `onChange` with the text to search for when typing pauses. */
export function SearchBox({ placeholder, value, onChange }: SearchBoxProps) {
  const [typed, setTyped] = useState(value);
  const [lastValue, setLastValue] = useState(value);
  const search = searchText(typed);

  // The value also changes from outside, as by the back button.
  if (value !== lastValue) {
    setLastValue(value);
    if (search !== value) setTyped(value);
  }
  useEffect(() => {
    if (search === value) return;
    const timer = setTimeout(() => onChange(search), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [search, value, onChange]);

  return (
    <span className="relative block w-full sm:w-72">
      <Search className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2" />
      <TextInput
        type="search"
        aria-label="Search"
        placeholder={placeholder}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        className="h-11 pl-9 text-sm [&::-webkit-search-cancel-button]:hidden"
      />
    </span>
  );
}
