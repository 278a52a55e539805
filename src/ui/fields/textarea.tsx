import type { ComponentProps } from 'react';
import { CONTROL } from './text-input.tsx';

export function Textarea({ className = '', ...rest }: ComponentProps<'textarea'>) {
  return <textarea className={`${CONTROL} py-2.5 ${className}`} {...rest} />;
}
