/** The head of an open order or quote: its monthly sum with its badges, and whose it is. */
import type { ReactNode } from 'react';
import { type Cents, formatDollars } from '../../platform/money.ts';

interface SaleHeadingProps {
  /** Such as 'Order O-12'; unseen where there is a sum. */
  name: string;
  sum: ReactNode;
  children: ReactNode;
}

export function SaleHeading({ name, sum, children }: SaleHeadingProps) {
  return (
    <span className="flex flex-wrap items-baseline gap-x-3 gap-y-1.5">
      <span className={sum ? 'sr-only' : ''}>{`${name} `}</span>
      {sum}
      {children}
    </span>
  );
}

export function MonthlySum({ total, className = '' }: { total: Cents; className?: string }) {
  return (
    <span className={className}>
      <span className="text-xl tabular-nums">{formatDollars(total)}</span>
      <span className="text-sm font-normal tracking-normal text-muted"> a month</span>
    </span>
  );
}

interface BuyerLineProps {
  name: string;
  company: string | null;
  reference: string;
}

export function BuyerLine({ name, company, reference }: BuyerLineProps) {
  return (
    <p className="mt-1 text-sm text-muted">
      <bdi>{name}</bdi>
      {company && (
        <>
          {' · '}
          <bdi>{company}</bdi>
        </>
      )}
      {'\u00a0· '}
      <span className="whitespace-nowrap tabular-nums">{reference}</span>
    </p>
  );
}
