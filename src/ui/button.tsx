import type { ComponentProps } from 'react';
import { RestoreFocus } from './focus/restore-focus.tsx';
import { Spinner } from './spinner.tsx';
import { useHydrated } from './use-hydrated.ts';

const VARIANTS = {
  primary: 'bg-primary text-white hover:bg-primary-deep',
  /** Beside a primary action, or where none is. */
  quiet: 'bg-surface text-ink inset-ring inset-ring-edge/50 hover:bg-paper-deep',
  /** On night ground. */
  inverse: 'bg-white text-night hover:bg-mist',
  danger: 'bg-danger text-white hover:opacity-90',
};
const SIZES = {
  /** In a row of a list, which can be pressed itself. */
  row: 'h-10 px-4 text-sm lg:h-8 lg:px-3 lg:text-xs',
  small: 'h-10 px-4 text-sm',
  medium: 'h-11 px-5 text-sm',
  large: 'h-13 px-5 text-base sm:px-6',
};

interface ButtonLook {
  variant?: keyof typeof VARIANTS;
  size?: keyof typeof SIZES;
}

function look({ variant = 'primary', size = 'medium' }: ButtonLook, className = ''): string {
  return `inline-flex items-center justify-center gap-2 rounded-control font-medium whitespace-nowrap forced-colors:border max-[18rem]:h-auto max-[18rem]:max-w-full max-[18rem]:py-2 max-[18rem]:whitespace-normal transition-transform duration-150 active:translate-y-px disabled:opacity-55 disabled:active:translate-y-0 ${VARIANTS[variant]} ${SIZES[size]} ${className}`;
}

/** `busy` shows that something is on its way; the button is disabled meanwhile. */
export function Button({
  variant,
  size,
  busy,
  className,
  disabled,
  type = 'button',
  children,
  ...rest
}: ComponentProps<'button'> & ButtonLook & { busy?: boolean }) {
  // A form is sent without script, too.
  const usable = useHydrated() || type === 'submit';
  return (
    <RestoreFocus busy={busy}>
      <button
        type={type}
        disabled={disabled || busy || !usable}
        className={look({ variant, size }, className)}
        {...rest}
      >
        {busy && <Spinner />}
        {children}
      </button>
    </RestoreFocus>
  );
}

/** A link that is the action of its screen. */
export function ButtonLink({
  variant,
  size,
  className,
  ...rest
}: ComponentProps<'a'> & ButtonLook) {
  return <a className={look({ variant, size }, className)} {...rest} />;
}
