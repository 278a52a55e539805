/** A button that opens a list of further actions. */
import ChevronDown from 'lucide-react/icons/chevron-down';
import { useId } from 'react';
import { Button } from './button.tsx';

interface MenuProps {
  label: string;
  items: readonly { label: string; onChoose: () => void }[];
}

export function Menu({ label, items }: MenuProps) {
  const id = useId();
  return (
    <>
      <Button variant="quiet" size="small" popoverTarget={id}>
        {label}
        <ChevronDown className="size-4" />
      </Button>
      <div
        id={id}
        popover="auto"
        className="w-max min-w-52 rounded-card border border-line bg-surface p-1.5 text-body shadow-raised [position-try-fallbacks:flip-inline,flip-block] supports-[position-area:bottom]:mx-0 supports-[position-area:bottom]:my-1.5 supports-[position-area:bottom]:[position-area:bottom_span-right]"
      >
        <ul>
          {items.map(({ label, onChoose }) => (
            <li key={label}>
              <button
                type="button"
                className="min-h-11 w-full rounded-control px-3 text-left text-sm font-medium text-ink -outline-offset-2 hover:bg-paper-deep lg:min-h-9"
                onClick={({ currentTarget }) => {
                  // First, so that the focus comes back to the button that opened it.
                  currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
                  onChoose();
                }}
              >
                {label}
              </button>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}
