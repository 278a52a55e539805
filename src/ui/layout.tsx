import type { ComponentProps, ReactNode } from 'react';
import { type Cents, formatDollars } from '../platform/money.ts';
import { Questions } from './contact-links.tsx';

/** The page's width and margins, shared by everything from the navbar to the footer. */
export function Container({ className = '', ...rest }: ComponentProps<'div'>) {
  return (
    <div className={`mx-auto w-full max-w-page px-5 sm:px-8 lg:px-10 ${className}`} {...rest} />
  );
}

export function Card({ className = '', ...rest }: ComponentProps<'div'>) {
  return (
    <div
      className={`rounded-card border border-line bg-surface p-6 text-body sm:p-8 ${className}`}
      {...rest}
    />
  );
}

const SHEET = 'rounded-card border border-line bg-surface p-6 text-sm shadow-sheet sm:p-8';

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
      className={`mt-1 text-2xl font-semibold first:mt-0 tracking-[-0.03em] tabular-nums ${className}`}
    >
      {formatDollars(amount)}
    </p>
  );
}

const BACKGROUNDS = { surface: 'bg-surface', paper: 'bg-paper', night: 'on-night' };

const LAYOUTS = {
  /** The heading above the content. */
  stacked: { frame: '', heading: 'mb-5 max-w-2xl sm:mb-8', content: '' },
  /** On wide screens, the heading beside the content. */
  beside: {
    frame: 'grid gap-x-8 gap-y-6 sm:gap-y-10 lg:grid-cols-12',
    heading: 'lg:col-span-4',
    content: 'min-w-0 lg:col-span-8 xl:col-span-7 xl:col-start-6',
  },
};

interface SectionProps {
  id: string;
  heading: string;
  lead?: string;
  background?: keyof typeof BACKGROUNDS;
  layout?: keyof typeof LAYOUTS;
  /** On a page with a title of its own. */
  small?: boolean;
  afterLead?: ReactNode;
  children: ReactNode;
}

export function Section(props: SectionProps) {
  const { id, heading, lead, background = 'surface', small = false, afterLead, children } = props;
  const classes = LAYOUTS[props.layout ?? 'stacked'];
  return (
    <section
      id={id}
      aria-labelledby={`${id}-heading`}
      // An anchor is 28 px below the bar, so the section's ground begins as much above it.
      className={`relative pt-2 pb-16 before:absolute before:inset-x-0 before:bottom-full before:h-7 before:bg-inherit sm:pt-7 sm:pb-21 lg:pt-9 lg:pb-23 print:before:hidden ${BACKGROUNDS[background]}`}
    >
      <Container className={classes.frame}>
        <div className={classes.heading}>
          <h2
            id={`${id}-heading`}
            className={`text-[1.75rem] leading-[1.15] tracking-[-0.03em] ${small ? 'sm:text-[2rem]' : 'sm:text-2xl'}`}
          >
            {heading}
          </h2>
          {lead && <p className="mt-3 text-base sm:mt-4 sm:text-lg">{lead}</p>}
          {afterLead && <div className="mt-4 sm:mt-5">{afterLead}</div>}
        </div>
        <div className={classes.content}>{children}</div>
      </Container>
    </section>
  );
}
