/** The frame of a staff page, and what is in it on every one of them. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import RefreshCw from 'lucide-react/icons/refresh-cw';
import { type ReactNode, useId } from 'react';
import { Button } from './button.tsx';
import { FailureBoundary } from './failure-boundary.tsx';

interface AdminPageLayoutProps {
  heading: string;
  lead?: string;
  actions?: ReactNode;
  /** Search and filters, beside the heading; hidden where an open record is the screen. */
  tools?: ReactNode;
  children: ReactNode;
}

/** The heading stays for screen readers; what takes the focus does not, unseen. */
const HEADING_BESIDE_PANES =
  'max-xl:in-[:has(>[data-panes])]:sr-only max-xl:in-[:has(>[data-panes])]:[&>:not(h1)]:hidden';
const HIDDEN_BESIDE_PANES = 'max-xl:in-[:has(>[data-panes])]:hidden';

/** The layout of a staff page: wide and dense, with its buttons beside the heading. */
export function AdminPageLayout({ heading, lead, actions, tools, children }: AdminPageLayoutProps) {
  return (
    <div className="mx-auto flex w-full max-w-[96rem] flex-col gap-5 px-4 py-6 sm:px-6 lg:py-2 has-data-tools:gap-2 has-data-tools:py-2 panes:has-data-panes:h-full max-xl:has-data-thread:h-full max-xl:has-data-thread:p-0">
      {tools ? (
        <div
          data-tools
          className="contents lg:flex lg:flex-wrap lg:items-center lg:gap-2 xl:flex-nowrap xl:[&_.h-10]:px-3"
        >
          <div
            className={`flex items-center justify-between gap-3 lg:contents ${HEADING_BESIDE_PANES}`}
          >
            <h1 className="mr-auto text-lg leading-10 tracking-[-0.02em] whitespace-nowrap lg:mr-2">
              {heading}
            </h1>
            {tools}
          </div>
          {/* On a phone, below the list once it is there. */}
          <div
            className={`flex gap-2 max-lg:invisible max-lg:order-last max-lg:flex-wrap max-lg:in-[:has(table[aria-busy=false])]:visible lg:ml-auto ${HIDDEN_BESIDE_PANES}`}
          >
            {actions}
          </div>
        </div>
      ) : (
        /* leading-10 is a button's height: the heading stays put from page to page. */
        <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
          <h1 className="text-lg leading-10 tracking-[-0.02em]">{heading}</h1>
          {actions && (
            <div className="flex flex-wrap gap-2 sm:ml-auto max-sm:[&_.size-4]:hidden">
              {actions}
            </div>
          )}
          {lead && <p className="w-full text-sm">{lead}</p>}
        </div>
      )}
      {children}
    </div>
  );
}

interface PanelProps {
  heading: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
  className?: string;
}

export function Panel({ heading, aside, children, className = '' }: PanelProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className={`flex flex-col gap-4 rounded-card border border-line bg-surface py-4 ${className}`}
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 sm:px-5">
        <h2 id={id} className="text-base">
          {heading}
        </h2>
        {aside}
      </div>
      <div className="px-4 empty:hidden sm:px-5">
        <FailureBoundary>{children}</FailureBoundary>
      </div>
    </section>
  );
}

/** Refetches every query on the screen. */
export function RefreshButton() {
  const queryClient = useQueryClient();
  const { isPending, mutate } = useMutation({
    mutationFn: () => queryClient.invalidateQueries(),
  });
  return (
    <Button variant="quiet" size="small" busy={isPending} onClick={() => mutate()}>
      {!isPending && <RefreshCw className="size-4" />}
      <span>Refresh</span>
    </Button>
  );
}
