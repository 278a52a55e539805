import type { ReactNode } from 'react';
import { Container } from './container.tsx';
import { watchSection } from './section-in-view.ts';

const GROUNDS = { white: 'bg-white', paper: 'bg-paper', ink: 'on-ink' };

interface SectionProps {
  id: string;
  heading: string;
  lead?: string;
  ground?: keyof typeof GROUNDS;
  /** Stands at the end of the heading's row. */
  beside?: ReactNode;
  children: ReactNode;
}

/** A part of a page with its anchor, heading and ground; its heading names it for screen readers. */
export function Section({ id, heading, lead, ground = 'white', beside, children }: SectionProps) {
  return (
    <section
      id={id}
      ref={watchSection}
      aria-labelledby={`${id}-heading`}
      className={`py-16 sm:py-20 lg:py-28 ${GROUNDS[ground]}`}
    >
      <Container>
        <div className="mb-10 flex flex-wrap items-end justify-between gap-x-12 gap-y-6 lg:mb-14">
          <div className="max-w-2xl">
            <h2 id={`${id}-heading`} className="text-2xl tracking-[-0.03em]">
              {heading}
            </h2>
            {lead && <p className="mt-4 text-lg">{lead}</p>}
          </div>
          {beside}
        </div>
        {children}
      </Container>
    </section>
  );
}
