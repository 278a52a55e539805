import type { ReactNode } from 'react';

const TONES = {
  neutral: 'bg-paper-deep text-body',
  primary: 'bg-primary-soft text-primary-deep inset-ring inset-ring-primary/25',
  amber: 'bg-amber-soft text-amber',
  highlight: 'bg-amber-bright text-night',
  danger: 'bg-danger-soft text-danger',
};

export function Badge({
  tone = 'neutral',
  children,
}: {
  tone?: keyof typeof TONES;
  children: ReactNode;
}) {
  return (
    <span
      className={`inline-flex max-w-full items-center gap-1.5 rounded-full px-3 py-1 text-xs font-medium tracking-normal whitespace-nowrap ${TONES[tone]}`}
    >
      {children}
    </span>
  );
}
