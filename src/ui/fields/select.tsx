import ChevronDown from 'lucide-react/icons/chevron-down';
import type { ComponentProps } from 'react';
import { CONTROL } from './text-input.tsx';

export function Select({ className = '', ...rest }: ComponentProps<'select'>) {
  return (
    <span className="relative block">
      <select className={`${CONTROL} h-12 appearance-none pr-10 ${className}`} {...rest} />
      <ChevronDown className="pointer-events-none absolute top-1/2 right-3 size-5 -translate-y-1/2" />
    </span>
  );
}
