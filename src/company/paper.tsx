import type { ReactNode } from 'react';
import { DescriptionList } from '../ui/description-list.tsx';
import { Sheet, SheetTitle } from '../ui/layout.tsx';
import { Letterhead } from './logo.tsx';

interface PaperProps {
  label: string;
  title: string;
  badge: ReactNode;
  /** 'Billed to', and who that is, line by line. */
  to: string;
  party: readonly (string | null)[];
  facts: Record<string, ReactNode>;
  children: ReactNode;
}

/** A quote or a receipt, as somebody prints and keeps it. */
export function Paper({ label, title, badge, to, party, facts, children }: PaperProps) {
  return (
    <Sheet as="article" aria-label={label} className="flex flex-col">
      <Letterhead />
      <SheetTitle title={title}>{badge}</SheetTitle>
      <div className="mt-4 mb-8 grid gap-6 *:mt-0 sm:grid-cols-[2fr_3fr] print:grid-cols-[2fr_3fr]">
        <div className="min-w-0 wrap-anywhere text-ink">
          <p className="text-muted">{to}</p>
          {party
            .filter((line) => line)
            .map((line, place) => (
              <p key={line} className={`whitespace-pre-line ${place === 0 ? 'font-medium' : ''}`}>
                {line}
              </p>
            ))}
        </div>
        <DescriptionList items={facts} />
      </div>
      {children}
    </Sheet>
  );
}
