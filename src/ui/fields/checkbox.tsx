import type { ComponentProps, ReactNode } from 'react';

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  label: ReactNode;
  detail?: ReactNode;
}

/** The whole row is the target. */
export function Checkbox({ label, detail, className = '', ...rest }: CheckboxProps) {
  return (
    <label className={`flex min-h-11 cursor-pointer items-start gap-3 py-2 ${className}`}>
      <input type="checkbox" className="mt-0.5 size-5 shrink-0 accent-primary" {...rest} />
      <span className="min-w-0 text-sm">
        <span className="block font-medium text-ink">{label}</span>
        {detail && <span className="block text-muted">{detail}</span>}
      </span>
    </label>
  );
}
