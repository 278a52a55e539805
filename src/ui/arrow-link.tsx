import ArrowRight from 'lucide-react/icons/arrow-right';

interface ArrowLinkProps {
  href: string;
  children: string;
  /** The id of its card's heading, which says what it is about. */
  describedBy: string;
  /** Its colour, the primary's without one. */
  className?: string;
}

/** The quiet way on from a card. */
export function ArrowLink({ href, children, describedBy, className = '' }: ArrowLinkProps) {
  const colour = className || 'text-primary hover:text-primary-deep';
  return (
    <a
      href={href}
      aria-describedby={describedBy}
      className={`group inline-flex min-h-11 items-center gap-1.5 self-start text-sm font-medium ${colour}`}
    >
      {children}
      <ArrowRight className="size-4 transition-transform duration-150 group-hover:translate-x-1" />
    </a>
  );
}
