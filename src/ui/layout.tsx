import type { ComponentProps, ReactNode } from 'react';

/** The page's width and margins, shared by everything from the navbar to the footer. */
export function Container({ className = '', ...rest }: ComponentProps<'div'>) {
  return (
    <div className={`mx-auto w-full max-w-page px-5 sm:px-8 lg:px-10 ${className}`} {...rest} />
  );
}

export function Card({ className = '', ...rest }: ComponentProps<'div'>) {
  return (
    <div
      className={`rounded-card border border-line bg-surface p-6 text-body max-[18rem]:p-3 sm:p-8 ${className}`}
      {...rest}
    />
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
