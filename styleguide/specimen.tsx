import type { ReactNode } from 'react';

/** A component under its name. */
export function Specimen({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section aria-label={name} className="mt-12 border-t border-line pt-6">
      <h2 className="text-lg">{name}</h2>
      <div className="mt-6 grid gap-6">{children}</div>
    </section>
  );
}

export function Row({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap items-center gap-3">{children}</div>;
}
