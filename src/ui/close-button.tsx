import X from 'lucide-react/icons/x';
import type { ComponentProps } from 'react';

interface CloseButtonProps extends ComponentProps<'button'> {
  'aria-label': string;
}

/** The cross of a window or panel, on a light ground or a dark one; `className` says where it stands. */
export function CloseButton({ className = '', ...rest }: CloseButtonProps) {
  return (
    <button
      type="button"
      data-tooltip
      className={`grid size-11 shrink-0 place-items-center rounded-control text-muted hover:bg-paper-deep hover:text-ink in-[.on-night]:text-white in-[.on-night]:hover:bg-night-raised in-[.on-night]:hover:text-white ${className}`}
      {...rest}
    >
      <X className="size-5" />
    </button>
  );
}
