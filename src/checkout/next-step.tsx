import type { ReactNode } from 'react';

/** One of the steps that follow a purchase, in a list. */
export function NextStep({ title, children }: { title: string; children: ReactNode }) {
  return (
    <li className="relative grid gap-x-6 pb-5 pl-7 before:absolute before:top-2 before:left-0 before:size-2.5 before:rounded-full before:border-2 before:border-primary first:before:border-5 after:absolute after:top-4.5 after:-bottom-2 after:left-1 after:w-0.5 after:bg-line last:pb-0 last:after:hidden sm:not-in-data-panel:grid-cols-[10rem_1fr] print:pb-1 print:pl-0 print:before:hidden print:after:hidden">
      <strong className="font-medium text-ink">{title}</strong>
      <span>{children}</span>
    </li>
  );
}
