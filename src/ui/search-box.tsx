import Search from 'lucide-react/icons/search';
import { useEffect, useState } from 'react';
import { TextInput } from './fields.tsx';

const PAUSE_MS = 250;

interface SearchBoxProps {
  placeholder: string;
  words: string;
  onChange: (words: string) => void;
}

/** Searches when the typing pauses. */
export function SearchBox({ placeholder, words, onChange }: SearchBoxProps) {
  const [typed, setTyped] = useState(words);
  const [seen, setSeen] = useState(words);

  // The address changed by itself, such as by the back button.
  if (words !== seen) {
    setSeen(words);
    if (typed.trim() !== words) setTyped(words);
  }
  useEffect(() => {
    if (typed.trim() === words) return;
    const pause = setTimeout(() => onChange(typed.trim()), PAUSE_MS);
    return () => clearTimeout(pause);
  }, [typed, words, onChange]);

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
