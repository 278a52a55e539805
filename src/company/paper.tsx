import type { ReactNode } from 'react';
import { DescriptionList } from '../ui/description-list.tsx';
import { Sheet, SheetTitle } from '../ui/sheet.tsx';
import { CompanyAddress, Letterhead } from './logo.tsx';

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

/** The document of a quote or a receipt. */
export function Paper({ label, title, badge, to, party, facts, children }: PaperProps) {
  return (
    <Sheet as="article" aria-label={label} className="flex flex-col">
      <Letterhead />
      <SheetTitle title={title}>{badge}</SheetTitle>
      <div className="mt-4 mb-10 grid gap-6 sm:*:mt-0 max-sm:contents max-sm:[&>dl]:mb-6 sm:grid-cols-[2fr_3fr] lg:grid-cols-[auto_auto_fit-content(13rem)] lg:justify-between lg:gap-x-8 print:grid-cols-[2fr_3fr]">
        <div className="min-w-0 wrap-anywhere text-ink max-sm:mt-4">
          <p className="text-muted">{to}</p>
          {party.filter(Boolean).map((line, place) => (
            <p
              key={place.toString()}
              className={`whitespace-pre-line ${place === 0 ? 'font-medium' : ''}`}
            >
              {line}
            </p>
          ))}
        </div>
        <DescriptionList items={facts} />
        <div className="max-sm:order-last max-sm:mt-8 max-sm:border-t max-sm:border-line max-sm:pt-6 print:hidden">
          <p className="text-muted">From</p>
          <CompanyAddress className="text-ink" />
        </div>
      </div>
      {children}
    </Sheet>
  );
}
