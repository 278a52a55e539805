import type { ReactNode } from 'react';
import { Container } from './container.tsx';
import { FailureBoundary } from './failure-boundary.tsx';
import { watchSection } from './text/section-in-view.ts';

const GROUNDS = { surface: 'bg-surface', paper: 'bg-paper', night: 'on-night' };

const LAYOUTS = {
  /** The heading above what it heads. */
  stacked: { frame: '', heading: 'mb-6 max-w-2xl sm:mb-10', content: '' },
  /** On wide screens the heading beside it. */
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
  ground?: keyof typeof GROUNDS;
  layout?: keyof typeof LAYOUTS;
  /** More that belongs to the heading. */
  underLead?: ReactNode;
  children: ReactNode;
}

/** A part of a page with its anchor, heading and ground; its heading names it for screen readers. */
export function Section(props: SectionProps) {
  const { id, heading, lead, ground = 'surface', layout = 'stacked', underLead, children } = props;
  const look = LAYOUTS[layout];
  return (
    <section
      id={id}
      ref={watchSection}
      aria-labelledby={`${id}-heading`}
      className={`py-11 sm:py-16 lg:py-20 ${GROUNDS[ground]}`}
    >
      <Container className={look.frame}>
        <div className={look.heading}>
          <h2
            id={`${id}-heading`}
            className="text-[1.75rem] leading-[1.15] tracking-[-0.03em] sm:text-2xl"
          >
            {heading}
          </h2>
          {lead && <p className="mt-3 text-base sm:mt-4 sm:text-lg">{lead}</p>}
          {underLead && <div className="mt-5 sm:mt-6">{underLead}</div>}
        </div>
        <div className={look.content}>
          <FailureBoundary>{children}</FailureBoundary>
        </div>
      </Container>
    </section>
  );
}
