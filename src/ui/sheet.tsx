/** Documents that a customer keeps: sheets, and the card beside them. */
import Mail from 'lucide-react/icons/mail';
import MessageCircle from 'lucide-react/icons/message-circle';
import Phone from 'lucide-react/icons/phone';
import type { ComponentProps, ReactNode } from 'react';
import { type Cents, formatDollars } from '../platform/money.ts';
import { useSite } from '../platform/site.ts';
import { ChatButton, CompanyPhone } from './contact-links.tsx';

const SHEET =
  'rounded-card border border-line bg-surface p-6 text-sm shadow-sheet max-[18rem]:p-3 sm:p-8';

interface SheetProps extends ComponentProps<'section'> {
  /** An article is a paper that somebody keeps. */
  as?: 'article' | 'section';
}

export function Sheet({ as: Element = 'section', className = '', ...rest }: SheetProps) {
  return (
    <Element
      data-sheet
      className={`${SHEET} print:border-0 print:p-0 print:shadow-none ${className}`}
      {...rest}
    />
  );
}

/** A sheet's title, and what has become of it in badges. */
export function SheetTitle({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <h2 className="text-[1.375rem] leading-8 sm:text-xl">{title}</h2>
      {children}
    </div>
  );
}

/** The heading of a page with a side, whose amount is larger. */
export function DocumentTitle({ className = '', ...rest }: ComponentProps<'h1'>) {
  return (
    <h1
      className={`text-[1.75rem] leading-[1.15] tracking-[-0.03em] sm:text-[2.25rem] ${className}`}
      {...rest}
    />
  );
}

interface WithSideProps {
  /** Names the side for screen readers. */
  label: string;
  /** What it costs and what to do. */
  side: ReactNode;
  /** Of the document, what stands above the side on a phone. */
  first?: ReactNode;
  children: ReactNode;
}

/**
 * A document and the card beside it, which ends with how to reach us; on a phone the card comes
 * first, and how to reach us last. Only the document prints.
 */
export function WithSide({ label, side, first, children }: WithSideProps) {
  return (
    <div className="mt-6 grid items-start gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,1fr)_22rem] print:mt-4 print:block">
      {first && <div className="min-w-0">{first}</div>}
      <section
        aria-label={label}
        className={`${SHEET} grid gap-5 lg:not-has-[form]:sticky lg:top-26 lg:col-start-2 lg:row-start-1 short:static print:hidden ${first ? 'lg:row-span-2' : ''}`}
      >
        {side}
        <Questions className="max-lg:hidden" />
      </section>
      <div className={`min-w-0 lg:col-start-1 ${first ? '' : 'lg:row-start-1'}`}>{children}</div>
      <Questions className="text-sm lg:hidden print:hidden" />
    </div>
  );
}

interface LargeAmountProps {
  amount: Cents;
  className?: string;
}

/** What a side is about. */
export function LargeAmount({ amount, className = 'text-ink' }: LargeAmountProps) {
  return (
    <p
      className={`mt-1 text-2xl font-semibold first:mt-0 max-[18rem]:text-xl tracking-[-0.03em] tabular-nums ${className}`}
    >
      {formatDollars(amount)}
    </p>
  );
}

/** At the foot of a side. */
export function Questions({ className = '' }: { className?: string }) {
  const { email } = useSite().company;
  return (
    <div className={`border-t border-line pt-5 [&_a]:text-primary ${className}`}>
      <p className="text-muted">Questions?</p>
      <ul className="mt-1 grid *:flex *:min-h-8 *:items-center *:gap-2.5 [&_svg]:size-4 [&_svg]:text-primary">
        <li>
          <Mail />
          <a href={`mailto:${email}`} className="underline underline-offset-4">
            {email}
          </a>
        </li>
        <li>
          <Phone />
          <CompanyPhone className="underline-offset-4 tabular-nums" />
        </li>
        <li className="noscript:hidden print:hidden">
          <MessageCircle />
          <ChatButton />
        </li>
      </ul>
    </div>
  );
}
