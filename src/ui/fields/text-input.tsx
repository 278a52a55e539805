import type { ComponentProps } from 'react';

/** The look of every control that is typed into or chosen from: 16 px and more, so that phones don't zoom. */
export const CONTROL =
  'block w-full rounded-control border border-edge bg-surface px-3.5 text-base text-ink placeholder:text-muted aria-invalid:border-2 aria-invalid:border-danger disabled:bg-paper-deep disabled:text-muted';

export function TextInput({ className = '', ...rest }: ComponentProps<'input'>) {
  return <input type="text" className={`${CONTROL} h-12 ${className}`} {...rest} />;
}
